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

fs::path folder_of_program() {
  std::error_code error;
  const fs::path program = fs::read_symlink("/proc/self/exe", error);
  return error ? fs::path() : program.parent_path();
}

// Beside the program or where it was installed: who can write there can change the program itself.
// The working directory is no such place; it may be anybody's.
Handle find_beside_program() {
  const fs::path here = folder_of_program();
  if (here.empty()) {
    return nullptr;
  }
  for (const fs::path& path : {here / kLibrary, here / "node_modules" / kPackage / kLibrary,
                               here.parent_path() / "lib" / "flymc" / kLibrary}) {
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
  if (const Handle library = find_beside_program()) {
    return library;
  }
  throw Error(
      ErrorKind::kNoInput,
      fmt::format("{}: parquet is read by DuckDB's {}, which is neither on the library path nor "
                  "beside the program; run `npm install {}` in {}, or set FLYMC_DUCKDB to its "
                  "path.",
                  where, kLibrary, kPackage, shell_word(folder_of_program().string())));
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
