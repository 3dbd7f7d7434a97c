#include "data/format/duckdb.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cstring>
#include <utility>

#include "core/text.hpp"
#include "flymc/error.hpp"

namespace flymc::duckdb {
namespace {

// DuckDB's numbers for its types: booleans, whole numbers, floating point, decimals.
constexpr std::array<int, 14> kNumbers = {1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 16, 19, 32};

// Texts of up to this many bytes lie in the column itself, longer ones elsewhere.
constexpr std::uint32_t kInlineBytes = 12;
constexpr std::size_t kTextBytes = 16;

std::string doubled(std::string_view text, char quote) {
  std::string out(1, quote);
  for (const char c : text) {
    out += c == quote ? std::string(2, c) : std::string(1, c);
  }
  return out + quote;
}

}  // namespace

double ColumnView::number(std::uint64_t row) const noexcept {
  double value = 0.0;
  std::memcpy(&value, data_ + row * sizeof value, sizeof value);
  return value;
}

std::string_view ColumnView::text(std::uint64_t row) const noexcept {
  const char* const cell = data_ + row * kTextBytes;
  std::uint32_t size = 0;
  std::memcpy(&size, cell, sizeof size);
  const char* begin = cell + sizeof size;
  if (size > kInlineBytes) {
    std::memcpy(&begin, cell + kTextBytes - sizeof begin, sizeof begin);
  }
  return {begin, size};
}

Session::Session(std::string where) : where_(std::move(where)), api_(load_library(where_)) {
  if (api_.open(nullptr, &database_) != 0 || api_.connect(database_, &connection_) != 0) {
    api_.close(&database_);
    throw Error(ErrorKind::kMemory, where_ + ": DuckDB does not start.");
  }
  run("SET autoinstall_known_extensions = false");  // nothing is fetched from anywhere
  run("SET autoload_known_extensions = false");
  run("SET temp_directory = ''");  // and nothing is written
}

Session::~Session() {
  api_.disconnect(&connection_);
  api_.close(&database_);
}

void Session::run(const std::string& sql) { (void)Rows(*this, sql); }

void Session::fail(const char* message) const {
  const std::string_view text = message == nullptr ? "no reason given" : message;
  throw Error(ErrorKind::kData, fmt::format("{}: DuckDB cannot read it: {}.", where_,
                                            escaped(text.substr(0, text.find('\n')))));
}

Rows::Rows(Session& session, const std::string& sql) : session_(session) {
  const Api& api = session.api_;
  if (api.prepare(session.connection_, sql.c_str(), &statement_) != 0) {
    const char* const message = api.prepare_error(statement_);
    const std::string text = message == nullptr ? "no reason given" : message;
    api.destroy_prepare(&statement_);
    session.fail(text.c_str());
  }
  if (api.execute_prepared_streaming(statement_, &result_) != 0) {
    const char* const message = api.result_error(&result_);
    const std::string text = message == nullptr ? "no reason given" : message;
    api.destroy_result(&result_);
    api.destroy_prepare(&statement_);
    session.fail(text.c_str());
  }
}

Rows::~Rows() {
  drop_chunk();
  session_.api_.destroy_result(&result_);
  session_.api_.destroy_prepare(&statement_);
}

std::uint64_t Rows::columns() { return session_.api_.column_count(&result_); }

std::string Rows::name(std::uint64_t column) { return session_.api_.column_name(&result_, column); }

bool Rows::is_number(std::uint64_t column) {
  const int type = session_.api_.column_type(&result_, column);
  return std::find(kNumbers.begin(), kNumbers.end(), type) != kNumbers.end();
}

bool Rows::next() {
  drop_chunk();
  chunk_ = session_.api_.fetch_chunk(result_);
  if (chunk_ == nullptr) {
    if (const char* const message = session_.api_.result_error(&result_)) {
      session_.fail(message);
    }
  }
  return chunk_ != nullptr && size() > 0;
}

std::uint64_t Rows::size() const { return session_.api_.data_chunk_get_size(chunk_); }

ColumnView Rows::view(std::uint64_t column) const {
  Vector* const vector = session_.api_.data_chunk_get_vector(chunk_, column);
  return {session_.api_.vector_get_data(vector), session_.api_.vector_get_validity(vector)};
}

void Rows::drop_chunk() {
  if (chunk_ != nullptr) {
    session_.api_.destroy_data_chunk(&chunk_);
    chunk_ = nullptr;
  }
}

std::string identifier(std::string_view name) { return doubled(name, '"'); }

std::string file_literal(std::string_view path) {
  std::string plain;
  for (const char c : path) {
    plain += c == '*' || c == '?' || c == '[' ? fmt::format("[{}]", c) : std::string(1, c);
  }
  return doubled(plain, '\'');
}

}  // namespace flymc::duckdb
