#include "run/export/zarr_store.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cerrno>
#include <cstdint>
#include <fstream>
#include <numeric>
#include <system_error>
#include <utility>

#include "core/output_folder.hpp"
#include "core/text.hpp"
#include "flymc/error.hpp"
#include "run/export/unicode_array.hpp"

namespace flymc {
namespace fs = std::filesystem;

ZarrStore::ZarrStore(fs::path root) : root_(std::move(root)) { make_folder(root_); }

void ZarrStore::add_group(const std::string& group, const Json& attributes) {
  const std::string prefix = group.empty() ? "" : group + "/";
  make_folder(root_ / group);
  write_json(prefix + ".zgroup", {{"zarr_format", 2}});
  write_json(prefix + ".zattrs", attributes);
}

void ZarrStore::add_array(const std::string& path, const std::string& dtype,
                          const std::vector<ZarrDimension>& dimensions,
                          const std::vector<std::size_t>& chunks) {
  std::vector<std::string> names;
  std::vector<std::size_t> shape;
  for (const ZarrDimension& dimension : dimensions) {
    names.push_back(dimension.name);
    shape.push_back(dimension.size);
  }
  make_folder(root_ / path);
  write_json(path + "/.zarray", {{"chunks", chunks},
                                 {"compressor", nullptr},
                                 {"dtype", dtype},
                                 {"fill_value", nullptr},
                                 {"filters", nullptr},
                                 {"order", "C"},
                                 {"shape", shape},
                                 {"zarr_format", 2}});
  write_json(path + "/.zattrs", {{"_ARRAY_DIMENSIONS", names}});
  path_ = path;
  dimensions_ = dimensions.size();
  chunk_ = 0;
}

void ZarrStore::add_integers(const std::string& path, const ZarrDimension& dimension) {
  std::vector<std::int64_t> values(dimension.size);
  std::iota(values.begin(), values.end(), 0);
  add_array(path, "<i8", {dimension}, {dimension.size});
  write(path + "/0",
        {reinterpret_cast<const char*>(values.data()), values.size() * sizeof(values[0])});
}

void ZarrStore::add_texts(const std::string& path, const std::string& dimension,
                          const std::vector<std::string>& texts) {
  const UnicodeArray array = unicode_array(texts);
  add_array(path, array.descr, {{dimension, texts.size()}}, {texts.size()});
  write(path + "/0", array.bytes);
}

void ZarrStore::begin_numbers(const std::string& path,
                              const std::vector<ZarrDimension>& dimensions) {
  std::vector<std::size_t> chunks;
  for (const ZarrDimension& dimension : dimensions) {
    chunks.push_back(chunks.empty() ? 1 : dimension.size);
  }
  add_array(path, "<f8", dimensions, chunks);
}

void ZarrStore::add_chunk(std::span<const double> values) {
  std::string name = fmt::format("{}/{}", path_, chunk_++);
  for (std::size_t i = 1; i < dimensions_; ++i) {
    name += ".0";
  }
  write(name, {reinterpret_cast<const char*>(values.data()), values.size_bytes()});
}

void ZarrStore::finish() {
  const Json all{{"metadata", metadata_}, {"zarr_consolidated_format", 1}};
  write(".zmetadata", all.dump(1, ' ', false, Json::error_handler_t::replace) + "\n");
}

void ZarrStore::write_json(const std::string& path, const Json& json) {
  metadata_[path] = json;
  write(path, json.dump(1, ' ', false, Json::error_handler_t::replace) + "\n");
}

void ZarrStore::write(const std::string& path, std::string_view bytes) const {
  std::ofstream file(root_ / path, std::ios::binary);
  file.write(bytes.data(), static_cast<std::streamsize>(bytes.size()));
  file.close();
  if (!file) {
    throw Error(ErrorKind::kIo, fmt::format("cannot write {}; is the disk full?",
                                            in_quotes((root_ / path).string())));
  }
}

bool is_zarr_file(const fs::path& path) {
  const std::string name = path.filename().string();
  return name == ".zgroup" || name == ".zattrs" || name == ".zarray" || name == ".zmetadata" ||
         (!name.empty() && name.find_first_not_of("0123456789.") == std::string::npos);
}

}  // namespace flymc
