// run.json, as reports read it and as resume does: a config that is accepted is written and read
// again as the same.
#include <filesystem>
#include <nlohmann/json.hpp>

#include "fuzz/fuzz.hpp"
#include "run/run_config.hpp"
#include "run/run_folder.hpp"

namespace {

using namespace flymc;
namespace fs = std::filesystem;

// A folder whose run.json is a file in memory.
class Folder {
 public:
  Folder() : path_((fs::temp_directory_path() / "flymc-fuzz-XXXXXX").string()) {
    fuzz::require(::mkdtemp(path_.data()) != nullptr, "a folder can be made");
    fs::create_symlink(file_.path(), fs::path(path_) / "run.json");
  }
  Folder(const Folder&) = delete;
  Folder& operator=(const Folder&) = delete;
  ~Folder() { fs::remove_all(path_); }

  void write(std::string_view bytes) const { file_ = bytes; }
  [[nodiscard]] const std::string& path() const { return path_; }

 private:
  fuzz::MemoryFile file_;
  std::string path_;
};

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  static const Folder kFolder;
  kFolder.write(fuzz::text_of(data, size));
  (void)fuzz::refusal([] { (void)read_run_record(kFolder.path()); });
  (void)fuzz::refusal([] {
    const StoredRun run = read_stored_run(kFolder.path());
    const auto config = describe_config(run.options);
    const nlohmann::json again = {{"config", config},
                                  {"status", run.status},
                                  {"data", {{"path", "t.csv"}}},
                                  {"parameters", nlohmann::json::array()}};
    kFolder.write(again.dump());
    const StoredRun second = read_stored_run(kFolder.path());
    fuzz::require(describe_config(second.options) == config, "the same config again");
  });
  return 0;
}
