// Finds DuckDB's shared library at run time.
#include <dlfcn.h>
#include <fmt/format.h>

#include <cstdlib>
#include <filesystem>
#include <system_error>

#include "core/text.hpp"
#include "data/format/duckdb.hpp"
#include "flymc/error.hpp"

namespace flymc::duckdb {
namespace fs = std::filesystem;
namespace {

#if defined(__aarch64__)
constexpr const char* kPackage = "@duckdb/node-bindings-linux-arm64";
#else
constexpr const char* kPackage = "@duckdb/node-bindings-linux-x64";
#endif
constexpr const char* kLibrary = "libduckdb.so";

using Handle = decltype(::dlopen(nullptr, 0));  // what the system calls a loaded library

Handle open_library(const std::string& path) {
  return ::dlopen(path.c_str(), RTLD_NOW | RTLD_LOCAL);
}

std::vector<fs::path> package_places() {
  std::error_code error;
  std::vector<fs::path> places = {fs::current_path(error)};
  const fs::path program = fs::read_symlink("/proc/self/exe", error);
  if (!error) {
    places.push_back(program.parent_path());
    places.push_back(program.parent_path().parent_path());
  }
  return places;
}

Handle find_in_packages() {
  for (const fs::path& place : package_places()) {
    const fs::path path = place / "node_modules" / kPackage / kLibrary;
    std::error_code ignored;
    if (fs::exists(path, ignored)) {
      if (const Handle library = open_library(path.string())) {
        return library;
      }
    }
  }
  return nullptr;
}

Handle find_library(const std::string& where) {
  if (const char* const named = std::getenv("FLYMC_DUCKDB"); named != nullptr && *named != '\0') {
    if (const Handle library = open_library(named)) {
      return library;
    }
    throw Error(ErrorKind::kNoInput,
                fmt::format("{}: FLYMC_DUCKDB cannot be loaded ({}); set it to "
                            "the path of {}.",
                            where, escaped(::dlerror()), kLibrary));
  }
  if (const Handle library = open_library(kLibrary)) {
    return library;
  }
  if (const Handle library = find_in_packages()) {
    return library;
  }
  throw Error(
      ErrorKind::kNoInput,
      fmt::format("{}: parquet is read by DuckDB's {}, which was not found; run `npm install "
                  "{}` here or beside the program, or set FLYMC_DUCKDB to its path.",
                  where, kLibrary, kPackage));
}

template <class Function>
void find(Handle library, const char* name, Function& function, const std::string& where) {
  function = reinterpret_cast<Function>(::dlsym(library, name));
  if (function == nullptr) {
    throw Error(ErrorKind::kNoInput,
                fmt::format("{}: the {} that was found has no {}; use DuckDB 1.0 or later.", where,
                            kLibrary, name));
  }
}

}  // namespace

Api load_library(const std::string& where) {
  const Handle library = find_library(where);
  Api api{};
  const auto get = [&](const char* name, auto& function) { find(library, name, function, where); };
  get("duckdb_open", api.open);
  get("duckdb_close", api.close);
  get("duckdb_connect", api.connect);
  get("duckdb_disconnect", api.disconnect);
  get("duckdb_prepare", api.prepare);
  get("duckdb_prepare_error", api.prepare_error);
  get("duckdb_destroy_prepare", api.destroy_prepare);
  get("duckdb_execute_prepared_streaming", api.execute_prepared_streaming);
  get("duckdb_result_error", api.result_error);
  get("duckdb_destroy_result", api.destroy_result);
  get("duckdb_column_count", api.column_count);
  get("duckdb_column_name", api.column_name);
  get("duckdb_column_type", api.column_type);
  get("duckdb_fetch_chunk", api.fetch_chunk);
  get("duckdb_destroy_data_chunk", api.destroy_data_chunk);
  get("duckdb_data_chunk_get_size", api.data_chunk_get_size);
  get("duckdb_data_chunk_get_vector", api.data_chunk_get_vector);
  get("duckdb_vector_get_data", api.vector_get_data);
  get("duckdb_vector_get_validity", api.vector_get_validity);
  return api;
}

}  // namespace flymc::duckdb
