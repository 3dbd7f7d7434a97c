#include "data/csv/csv.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <string>
#include <utility>
#include <vector>

#include "core/message.hpp"
#include "core/text.hpp"
#include "data/csv/csv_header.hpp"
#include "data/csv/csv_parser.hpp"
#include "data/csv/text_share.hpp"
#include "flymc/error.hpp"

namespace flymc {
namespace {

using namespace csv;

constexpr std::size_t kSniffedBytes = std::size_t{1} << 16;

// Of the first text, which the first rank has.
struct FirstHeader {
  std::string path;
  Header header;
};

FirstHeader first_header(Ranks& ranks, std::span<const TextPart> parts, const HeaderSpec& spec) {
  std::vector<std::string> path_and_names;
  fail_together(ranks, [&] {
    if (ranks.rank() == 0) {
      std::string_view body = checked_text(parts.front().text, parts.front().path);
      path_and_names = take_header(body, spec, parts.front().path).names();
      path_and_names.insert(path_and_names.begin(), parts.front().path);
    }
  });
  std::vector<std::string> names = first_texts(ranks, path_and_names);
  std::string path = std::move(names.front());
  names.erase(names.begin());
  return {std::move(path), Header(std::move(names), "")};
}

// Takes the headers off the texts; they are all the same.
std::vector<std::string_view> take_headers(std::span<const TextPart> parts, const HeaderSpec& spec,
                                           const FirstHeader& first) {
  std::vector<std::string_view> bodies;
  for (const TextPart& part : parts) {
    std::string_view& body = bodies.emplace_back(checked_text(part.text, part.path));
    require_same({first.path, first.header}, {part.path, take_header(body, spec, part.path)});
  }
  return bodies;
}

}  // namespace

std::string_view checked_text(std::string_view text, const std::string& path) {
  if (text.starts_with(kByteOrderMark)) {
    text.remove_prefix(kByteOrderMark.size());
  }
  if (text.find_first_not_of("\r\n") == std::string_view::npos) {
    throw Error(ErrorKind::kData, escaped(path) + ": the file is empty.");
  }
  if (text.starts_with("\xFF\xFE") || text.starts_with("\xFE\xFF")) {
    throw Error(ErrorKind::kData, escaped(path) + ": the text is UTF-16; save it as UTF-8.");
  }
  const std::size_t zero = text.substr(0, kSniffedBytes).find('\0');
  if (zero != std::string_view::npos) {
    throw Error(
        ErrorKind::kData,
        fmt::format("{}: not a text file (byte {} is zero)", escaped(path), with_commas(zero + 1)),
        message("is it another {}?", Setting{"format"}));
  }
  return text;
}

TableRead read_csv(const LoadSpec& spec, std::span<const TextPart> parts, char separator) {
  Ranks& ranks = *spec.ranks;
  const HeaderSpec header_spec{spec.header, separator};
  const FirstHeader first = first_header(ranks, parts, header_spec);
  std::vector<std::string_view> bodies;
  fail_together(ranks, [&] { bodies = take_headers(parts, header_spec, first); });
  Parser parser(spec, first.header, separator);
  Parsed parsed = parser.parse(own_rows(ranks, parts, bodies), spec.chunk_bytes);
  const Source source{spec, [&](const Issue& issue) { return place_in(parts, issue.where); }};
  return assemble(std::move(parsed), parser.plan(), parser.layout(), source,
                  unnamed_warnings(first.header, first.path));
}

}  // namespace flymc
