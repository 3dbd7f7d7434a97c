// `flymc export`, read back by our own reader and, where it is installed, by Python's libraries.
#include <cstdlib>
#include <map>

#include "cli/predict_support.hpp"
#include "data/format/zip.hpp"

namespace flymc::testing {
namespace {

class ExportCli : public PredictCli {
 protected:
  [[nodiscard]] Outcome export_to(const std::string& format, const std::string& out,
                                  const Words& options = {}) const {
    return run(Words{"export", "out", "--to", format, "--out", out} + options);
  }

  // All files of a folder by their names below it.
  [[nodiscard]] std::map<std::string, std::string> files(const std::string& folder) const {
    std::map<std::string, std::string> result;
    for (const auto& entry : std::filesystem::recursive_directory_iterator(path(folder))) {
      if (entry.is_regular_file()) {
        const auto name = std::filesystem::relative(entry.path(), path(folder)).string();
        result[name] = read_bytes(entry.path());
      }
    }
    return result;
  }

  [[nodiscard]] static bool python_has(const std::string& modules) {
    return std::system(("/usr/bin/python3 -c 'import " + modules + "' 2>/dev/null").c_str()) == 0;
  }

  // Runs a script in the test's folder; its assertions are the test.
  void expect_python(const std::string& script) const {
    write("check.py", script);
    const std::string command =
        "cd '" + path("").string() + "' && /usr/bin/python3 check.py > check.log 2>&1";
    EXPECT_EQ(std::system(command.c_str()), 0) << bytes("check.log");
  }

  void fit_softmax() const {
    expect_done(fit(write("train.csv", classes_csv()), {"--response", "y", "--model", "softmax"}));
  }
};

// The chain files as plain Python reads them: chains[k][name] -> numbers.
constexpr const char* kReadChains = R"(
import csv, numpy as np
def chain(k):
    with open(f'out/chain-{k}.csv') as f:
        rows = list(csv.reader(line for line in f if not line.startswith('#')))
    return {name: np.array([float(r[i]) for r in rows[1:]]) for i, name in enumerate(rows[0])}
chains = [chain(1), chain(2)]
def column(name):
    return np.stack([c[name] for c in chains])
)";

TEST_F(ExportCli, NpzHoldsTheDrawsOfTheChainFiles) {
  expect_done(fit(write("train.csv", binary_csv()), {"--response", "y"}));
  expect_done(export_to("npz", "run.npz"));
  const std::string archive = bytes("run.npz");
  const ZipArchive zip(archive, "run.npz");
  Buffer<char> room;
  const auto values = [&](const std::string& name) {
    const auto* member = zip.find(name + ".npy");
    EXPECT_NE(member, nullptr) << name;
    const std::string_view content = zip.extract(*member, room);  // verifies the checksum
    const std::size_t head = content.find('\n') + 1;
    std::vector<double> numbers((content.size() - head) / sizeof(double));
    std::memcpy(numbers.data(), content.data() + head, numbers.size() * sizeof(double));
    return numbers;
  };
  const auto all = chains();
  const auto draws = values("draws");
  ASSERT_EQ(draws.size(), 2U * 100U * 3U);
  EXPECT_EQ(draws[0], all[0].column("alpha")[0]);
  EXPECT_EQ(draws[(100 + 7) * 3 + 2], all[1].column("beta.2")[7]);
  EXPECT_EQ(values("lp__")[150], all[1].column("lp__")[50]);
  EXPECT_EQ(values("accept_stat__")[3], all[0].column("accept_stat__")[3]);
  EXPECT_EQ(values("bright__")[3], all[0].column("bright__")[3]);
  EXPECT_EQ(values("queries__")[3], all[0].column("queries__")[3]);
  for (const auto& member : zip.members()) {  // the directory and what stands before the bytes
    constexpr std::size_t kCrcAt = 14;
    EXPECT_EQ(archive.substr(member.header_at + kCrcAt, 4), little(member.crc32, 4));
  }
}

TEST_F(ExportCli, NumpyLoadsTheArchive) {
  if (!python_has("numpy")) {
    GTEST_SKIP() << "/usr/bin/python3 has no numpy";
  }
  const Simulated s = simulated(200);
  write("train.csv", csv({{"Größe", s.a}, {"b", s.b}, {"y", s.binary}}));
  expect_done(fit("train.csv", {"--response", "y"}));
  expect_done(export_to("npz", "run.npz"));
  expect_python(std::string(kReadChains) + R"(
z = np.load('run.npz', allow_pickle=False)
assert sorted(z.files) == sorted(['draws', 'names', 'parameters', 'lp__', 'accept_stat__',
                                  'bright__', 'queries__']), z.files
assert z['draws'].shape == (2, 100, 3) and z['draws'].dtype == np.float64
assert list(z['names']) == ['alpha', 'beta.1', 'beta.2'], z['names']
assert list(z['parameters']) == ['(intercept)', 'Größe', 'b'], z['parameters']
for p, name in enumerate(z['names']):
    assert (z['draws'][:, :, p] == column(name)).all()
for name in ['lp__', 'accept_stat__', 'bright__', 'queries__']:
    assert z[name].shape == (2, 100) and (z[name] == column(name)).all()
)");
}

TEST_F(ExportCli, AZarrHasScalesAndLevelsOfGroupTerms) {
  if (!python_has("zarr, xarray")) {
    GTEST_SKIP() << "/usr/bin/python3 has no zarr and xarray";
  }
  expect_done(run({"simulate", "-n", "600", "-d", "1", "--groups", "12", "--out", "sim"}));
  expect_done(fit("sim/data.csv", {"--formula", "y ~ x1 + (1 + x1 | g1)"}));
  expect_done(export_to("zarr", "run.zarr"));
  expect_done(export_to("zarr", "run.zarr", {"--overwrite"}));
  expect_python(std::string(kReadChains) + R"(
import xarray
p = xarray.open_zarr('run.zarr', group='posterior')
for variable, dimension, head, size in [('group_sd', 'group_sd_of', 'sd.', 2),
                                        ('group_cor', 'group_cor_of', 'cor.', 1),
                                        ('group_u', 'group_level', 'u.', 24)]:
    assert p[variable].dims == ('chain', 'draw', dimension), p[variable].dims
    assert p[variable].shape[2] == size, p[variable].shape
    for label in p[dimension].values:
        assert (p[variable].sel({dimension: label}).values == column(head + label)).all(), label
)");
}

TEST_F(ExportCli, XarrayOpensTheGroupsOfTheStore) {
  if (!python_has("zarr, xarray")) {
    GTEST_SKIP() << "/usr/bin/python3 has no zarr and xarray";
  }
  expect_done(fit(write("train.csv", binary_csv()), {"--response", "y"}));
  expect_done(export_to("zarr", "run.zarr"));
  expect_python(std::string(kReadChains) + R"(
import xarray, zarr
for consolidated in (True, False):
    p = xarray.open_zarr('run.zarr', group='posterior', consolidated=consolidated)
    assert p.alpha.dims == ('chain', 'draw') and p.beta.dims == ('chain', 'draw', 'feature')
    assert list(p.feature.values) == ['a', 'b'] and list(p.chain.values) == [0, 1]
    assert p.draw.values[-1] == 99
    assert (p.alpha.values == column('alpha')).all()
    assert (p.beta.sel(feature='b').values == column('beta.2')).all()
    assert p.attrs['inference_library'] == 'flymc' and 'created_at' not in p.attrs
    s = xarray.open_zarr('run.zarr', group='sample_stats', consolidated=consolidated)
    for name, col in dict(lp='lp__', acceptance_rate='accept_stat__', bright='bright__',
                          queries='queries__').items():
        assert s[name].dims == ('chain', 'draw') and (s[name].values == column(col)).all()
assert sorted(g for g, _ in zarr.open_group('run.zarr', 'r').groups()) == ['posterior',
                                                                          'sample_stats']
)");
}

TEST_F(ExportCli, XarraySeesTheClassesOfSoftmax) {
  if (!python_has("zarr, xarray")) {
    GTEST_SKIP() << "/usr/bin/python3 has no zarr and xarray";
  }
  fit_softmax();
  expect_done(export_to("zarr", "run.zarr"));
  expect_python(std::string(kReadChains) + R"(
import xarray
p = xarray.open_zarr('run.zarr', group='posterior')
assert p.beta.dims == ('chain', 'draw', 'class', 'feature') and p.alpha.dims[2] == 'class'
assert (p.alpha.sel({'class': '2'}).values == column('alpha.3')).all()
assert (p.beta.sel({'class': '1', 'feature': 'b'}).values == column('beta.2.2')).all()
)");
}

TEST_F(ExportCli, ClassesAreComparedWithOneOfThem) {
  fit_softmax();
  expect_done(export_to("npz", "run.npz", {"--reference", "1"}));
  expect_error(export_to("npz", "no.npz", {"--reference", "9"}), 64, "there is no such class");
  expect_python(std::string(kReadChains) + R"(
z = np.load('run.npz', allow_pickle=False)
assert list(z['reference_class']) == ['1'] and z['contrasts'].shape == (2, 100, 6)
assert list(z['contrast_names'])[0] == '0 vs 1: (intercept)', z['contrast_names']
assert list(z['names']) == [n for n in chains[0] if not n.endswith('__')]
at = list(z['contrast_names']).index('2 vs 1: b')
assert (z['contrasts'][:, :, at] == column('beta.3.2') - column('beta.2.2')).all()
)");
  if (!python_has("zarr, xarray")) {
    GTEST_SKIP() << "/usr/bin/python3 has no zarr and xarray";
  }
  expect_done(export_to("zarr", "run.zarr", {"--reference", "1"}));
  expect_done(export_to("zarr", "run.zarr", {"--reference", "1", "--overwrite"}));
  expect_python(std::string(kReadChains) + R"(
import xarray
p = xarray.open_zarr('run.zarr', group='posterior')
assert list(p.class_contrast.values) == ['0 vs 1', '2 vs 1']
assert p.beta_contrast.dims == ('chain', 'draw', 'class_contrast', 'feature')
assert (p.beta_contrast.sel(class_contrast='2 vs 1', feature='b').values
        == column('beta.3.2') - column('beta.2.2')).all()
assert (p.alpha_contrast.sel(class_contrast='0 vs 1').values
        == column('alpha.1') - column('alpha.2')).all()
)");
}

TEST_F(ExportCli, SameRunGivesTheSameBytes) {
  fit_softmax();
  expect_done(export_to("npz", "1.npz"));
  expect_done(export_to("npz", "2.npz"));
  EXPECT_EQ(bytes("1.npz"), bytes("2.npz"));
  expect_done(export_to("zarr", "1.zarr"));
  expect_done(export_to("zarr", "2.zarr/"));
  EXPECT_EQ(files("1.zarr"), files("2.zarr"));
  EXPECT_TRUE(files("1.zarr").contains(".zmetadata"));
  EXPECT_TRUE(files("1.zarr").contains("posterior/beta/1.0.0.0"));
}

TEST_F(ExportCli, EarlierExportIsReplacedOnlyWhenAsked) {
  fit_softmax();
  for (const std::string format : {"npz", "zarr"}) {
    const std::string out = "run." + format;
    expect_done(export_to(format, out));
    expect_error(export_to(format, out), 73, "use --overwrite");
    expect_done(export_to(format, out, {"--overwrite"}));
  }
  for (const auto& entry : std::filesystem::directory_iterator(path(""))) {
    EXPECT_FALSE(entry.path().filename().string().starts_with(".")) << entry.path();
  }
}

TEST_F(ExportCli, NeverRemovesWhatItDidNotMake) {
  fit_softmax();
  write("mine.npz", "not an archive");
  expect_error(export_to("npz", "mine.npz", {"--overwrite"}), 73, "is no npz archive");
  EXPECT_EQ(bytes("mine.npz"), "not an archive");
  std::filesystem::create_directory(path("run.zarr.old"));
  write("run.zarr.old/notes.txt", "mine");
  expect_done(export_to("zarr", "run.zarr"));
  expect_done(export_to("zarr", "run.zarr", {"--overwrite"}));
  EXPECT_EQ(bytes("run.zarr.old/notes.txt"), "mine");
  for (const std::string name : {"run.zarr.flymc-new", "run.zarr.flymc-old"}) {
    std::filesystem::create_directory(path(name));
    write(name + "/notes.txt", "mine");
    expect_done(export_to("zarr", "run.zarr", {"--overwrite"}));
    EXPECT_EQ(bytes(name + "/notes.txt"), "mine");
  }
  write("run.zarr/posterior/notes.txt", "mine");
  expect_error(export_to("zarr", "run.zarr", {"--overwrite"}), 73, "notes.txt");
  EXPECT_EQ(bytes("run.zarr/posterior/notes.txt"), "mine");
  std::filesystem::create_directories(path("other.zarr/posterior/alpha"));  // of another program
  write("other.zarr/.zgroup", R"({"zarr_format": 2})");
  write("other.zarr/.zattrs", R"({"inference_library": "pymc"})");
  write("other.zarr/posterior/alpha/0.0", "mine");
  expect_error(export_to("zarr", "other.zarr", {"--overwrite"}), 73, "did not make");
  EXPECT_EQ(bytes("other.zarr/posterior/alpha/0.0"), "mine");
  expect_error(export_to("zarr", "out", {"--overwrite"}), 73, "did not make");
  EXPECT_TRUE(exists("out/run.json"));
  expect_error(export_to("npz", "out/run.json", {"--overwrite"}), 73, "another --out");
}

TEST_F(ExportCli, RefusesWhatItCannotDo) {
  expect_error(export_to("npz", "run.npz"), 66, "no run folder");
  expect_done(fit(write("train.csv", binary_csv()), {"--response", "y"}));
  expect_error(export_to("hdf5", "run.h5"), 64, "must be one of npz, zarr");
  expect_error(export_to("npz", "no/run.npz"), 73, "cannot create");
  EXPECT_FALSE(exists("run.npz"));
}

}  // namespace
}  // namespace flymc::testing
