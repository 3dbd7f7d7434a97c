// The few functions of DuckDB's C interface that reading parquet takes, found at run time: the
// program neither needs the library to be built nor to run, only to read parquet.
//
// Declared by hand after DuckDB's stable C API (1.0 and later); handles are opaque to us.
#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

namespace flymc::duckdb {

struct Database;
struct Connection;
struct Prepared;
struct DataChunk;
struct Vector;

struct Result {
  std::uint64_t counts[3];  // three fields that the interface no longer uses, and two more
  Vector* columns;
  char* error;
  Vector* internal;
};

// duckdb_open and so on, without the prefix.
struct Api {
  int (*open)(const char* path, Database** out);
  void (*close)(Database** database);
  int (*connect)(Database* database, Connection** out);
  void (*disconnect)(Connection** connection);
  int (*prepare)(Connection* connection, const char* sql, Prepared** out);
  const char* (*prepare_error)(Prepared* statement);
  void (*destroy_prepare)(Prepared** statement);
  int (*execute_prepared_streaming)(Prepared* statement, Result* out);
  const char* (*result_error)(Result* result);
  void (*destroy_result)(Result* result);
  std::uint64_t (*column_count)(Result* result);
  const char* (*column_name)(Result* result, std::uint64_t column);
  int (*column_type)(Result* result, std::uint64_t column);
  DataChunk* (*fetch_chunk)(Result result);
  void (*destroy_data_chunk)(DataChunk** chunk);
  std::uint64_t (*data_chunk_get_size)(DataChunk* chunk);
  Vector* (*data_chunk_get_vector)(DataChunk* chunk, std::uint64_t column);
  const char* (*vector_get_data)(Vector* vector);
  const std::uint64_t* (*vector_get_validity)(Vector* vector);
};

// Looks for the library in FLYMC_DUCKDB (a path), on the usual library path (libduckdb.so), then
// beside the program: there itself, as an npm package, or in ../lib/flymc. Never in the working
// directory: a library runs code, and a folder of data may be a stranger's. It stays loaded. THROWS
// Error kNoInput, headed by `where`, that says how to get it.
[[nodiscard]] Api load_library(const std::string& where);

// The numbers or texts of one column of a block of rows.
class ColumnView {
 public:
  ColumnView(const char* data, const std::uint64_t* validity) : data_(data), validity_(validity) {}

  [[nodiscard]] bool is_null(std::uint64_t row) const noexcept {
    return validity_ != nullptr && ((validity_[row / 64] >> (row % 64)) & 1U) == 0;
  }
  [[nodiscard]] double number(std::uint64_t row) const noexcept;          // of a DOUBLE column
  [[nodiscard]] std::string_view text(std::uint64_t row) const noexcept;  // of a VARCHAR column

 private:
  const char* data_;
  const std::uint64_t* validity_;
};

// A database in memory that reads files and nothing else. `where` heads the messages.
class Session {
 public:
  explicit Session(std::string where);
  Session(const Session&) = delete;
  Session& operator=(const Session&) = delete;
  ~Session();

  void run(const std::string& sql);
  void set_place(std::string where) { where_ = std::move(where); }

 private:
  friend class Rows;
  [[noreturn]] void fail(const char* message) const;

  std::string where_;
  Api api_;
  Database* database_ = nullptr;
  Connection* connection_ = nullptr;
};

// The rows of a query, a block at a time. REQUIRES: the session outlives it.
class Rows {
 public:
  // THROWS Error kData with what DuckDB says.
  Rows(Session& session, const std::string& sql);
  Rows(const Rows&) = delete;
  Rows& operator=(const Rows&) = delete;
  ~Rows();

  [[nodiscard]] std::uint64_t columns();
  [[nodiscard]] std::string name(std::uint64_t column);
  [[nodiscard]] bool is_number(std::uint64_t column);  // or a boolean

  // Takes the next block; false after the last. THROWS Error kData.
  [[nodiscard]] bool next();
  [[nodiscard]] std::uint64_t size() const;
  [[nodiscard]] ColumnView view(std::uint64_t column) const;

 private:
  void drop_chunk();

  Session& session_;
  Prepared* statement_ = nullptr;
  Result result_{};
  DataChunk* chunk_ = nullptr;
};

// As SQL takes them.
[[nodiscard]] std::string identifier(std::string_view name);    // "name"
[[nodiscard]] std::string file_literal(std::string_view path);  // 'path', not a pattern

}  // namespace flymc::duckdb
