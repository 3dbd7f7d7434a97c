// A Zarr version 2 directory store: arrays in groups, one file a chunk, uncompressed, with the
// dimension names that xarray looks for and all metadata once more in .zmetadata.
#pragma once

#include <cstddef>
#include <filesystem>
#include <nlohmann/json.hpp>
#include <span>
#include <string>
#include <vector>

namespace flymc {

struct ZarrDimension {
  std::string name;
  std::size_t size = 0;
};

// Files are made as arrays are added. Not thread-safe. All functions THROW Error: kPermission,
// kCannotCreate, kIo.
class ZarrStore {
 public:
  using Json = nlohmann::ordered_json;

  explicit ZarrStore(std::filesystem::path root);

  // Every group before its arrays; "" is the root.
  void add_group(const std::string& group, const Json& attributes);

  void add_integers(const std::string& path, const ZarrDimension& dimension);  // 0, 1, 2, ...
  void add_texts(const std::string& path, const std::string& dimension,
                 const std::vector<std::string>& texts);

  // One chunk for each entry of the first dimension, written in this order.
  void begin_numbers(const std::string& path, const std::vector<ZarrDimension>& dimensions);
  void add_chunk(std::span<const double> values);

  void finish();

 private:
  void add_array(const std::string& path, const std::string& dtype,
                 const std::vector<ZarrDimension>& dimensions,
                 const std::vector<std::size_t>& chunks);
  void write_json(const std::string& path, const Json& json);
  void write(const std::string& path, std::string_view bytes) const;

  std::filesystem::path root_;
  Json metadata_ = Json::object();
  // Of the array being written.
  std::string path_;
  std::size_t dimensions_ = 0;
  std::size_t chunk_ = 0;
};

// Whether a file of this name, below the root, is one that a store makes.
[[nodiscard]] bool is_zarr_file(const std::filesystem::path& path);

}  // namespace flymc
