#include "flymc/data/csv.hpp"

#include <fmt/format.h>

#include <string>
#include <utility>
#include <vector>

#include "flymc/core/error.hpp"
#include "flymc/core/parallel.hpp"
#include "flymc/core/text.hpp"
#include "flymc/data/csv_fields.hpp"
#include "flymc/data/csv_table.hpp"

namespace flymc {
namespace {

using namespace csv;

constexpr std::size_t kSniffedBytes = std::size_t{1} << 16;

// Reads the header row and takes it off the front of `text`.
Header take_header(std::string_view& text, char separator, const std::string& path) {
  const char* const begin = text.data();
  FieldReader fields(text, separator);
  std::size_t line = 1;
  while (fields.skip_blank_line()) {
    ++line;
  }
  const std::string where = fmt::format("{}:{}", escaped(path), line);
  std::vector<std::string> names;
  do {
    const Field field = fields.read();
    if (field.broken) {
      throw Error(ErrorKind::kData,
                  fmt::format("{}: field {} of the header has a quote that is not "
                              "closed or not doubled inside quotes.",
                              where, names.size() + 1));
    }
    names.push_back(unquoted(field));
  } while (fields.next());
  text.remove_prefix(static_cast<std::size_t>(fields.at() - begin));
  return {std::move(names), where};
}

std::vector<std::string> unnamed_warnings(const Header& header, const std::string& path) {
  std::vector<std::string> warnings;
  for (std::size_t column = 0; column < header.size(); ++column) {
    if (header.name(column).empty()) {
      warnings.push_back(
          fmt::format("{}: field {} of the header has no name; the column is left out.",
                      escaped(path), column + 1));
    }
  }
  return warnings;
}

void parse_all(Parsed& parsed, const Plan& plan, unsigned threads) {
  const Chunk& last = parsed.chunks.back();
  parsed.raw = make_room(plan, last.first_row + last.max_rows);
  parsed.results.assign(parsed.chunks.size(), {});
  parallel_for(parsed.chunks.size(), threads, [&](std::size_t i) {
    parsed.results[i] = parse_rows(plan, parsed.chunks[i], parsed.raw);
  });
}

bool has_text_response(const Parsed& parsed) {
  for (const ChunkResult& result : parsed.results) {
    if (result.text_response) {
      return true;
    }
  }
  return false;
}

}  // namespace

std::string_view checked_text(std::string_view text, const std::string& path) {
  if (text.starts_with("\xEF\xBB\xBF")) {
    text.remove_prefix(3);
  }
  if (text.find_first_not_of("\r\n") == std::string_view::npos) {
    throw Error(ErrorKind::kData, escaped(path) + ": the file is empty.");
  }
  if (text.starts_with("\xFF\xFE") || text.starts_with("\xFE\xFF")) {
    throw Error(ErrorKind::kData, escaped(path) + ": the text is UTF-16; save it as UTF-8.");
  }
  const std::size_t zero = text.substr(0, kSniffedBytes).find('\0');
  if (zero != std::string_view::npos) {
    throw Error(ErrorKind::kData,
                fmt::format("{}: not a text file (byte {} is zero); is it another "
                            "--format?",
                            escaped(path), with_commas(zero + 1)));
  }
  return text;
}

TableRead read_csv(const LoadSpec& spec, std::string_view text, char separator) {
  std::string_view body = checked_text(text, spec.path);
  Header header = take_header(body, separator, spec.path);
  Columns columns = choose_columns(header, spec);
  const Layout layout{std::move(header), std::move(columns)};

  Parsed parsed;
  parsed.chunks = split_rows(body, spec.chunk_bytes, spec.threads);
  const auto plan_for = [&](bool text_response) {
    Plan plan = make_plan(layout.columns, layout.header.size(), text_response);
    plan.missing = spec.missing;
    plan.separator = separator;
    return plan;
  };
  Plan plan = plan_for(false);
  parse_all(parsed, plan, spec.threads);
  if (has_text_response(parsed)) {
    plan = plan_for(true);
    parse_all(parsed, plan, spec.threads);
  }

  return assemble(std::move(parsed), plan, layout, {spec, text.data()},
                  unnamed_warnings(layout.header, spec.path));
}

}  // namespace flymc
