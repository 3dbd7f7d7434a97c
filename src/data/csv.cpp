#include "flymc/data/csv.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "flymc/core/error.hpp"
#include "flymc/core/text.hpp"
#include "flymc/data/csv_header.hpp"
#include "flymc/data/csv_parser.hpp"

namespace flymc {
namespace {

using namespace csv;

constexpr std::size_t kSniffedBytes = std::size_t{1} << 16;

// Takes the headers off the texts; they are all the same.
Header take_headers(std::span<const TextPart> parts, const HeaderSpec& spec,
                    std::vector<std::string_view>& bodies) {
  std::optional<Header> header;
  for (const TextPart& part : parts) {
    std::string_view& body = bodies.emplace_back(checked_text(part.text, part.path));
    Header own = take_header(body, spec, part.path);
    if (header) {
      require_same({parts.front().path, *header}, {part.path, own});
    } else {
      header = std::move(own);
    }
  }
  return *std::move(header);
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
    throw Error(ErrorKind::kData,
                fmt::format("{}: not a text file (byte {} is zero); is it another "
                            "--format?",
                            escaped(path), with_commas(zero + 1)));
  }
  return text;
}

TableRead read_csv(const LoadSpec& spec, std::span<const TextPart> parts, char separator) {
  std::vector<std::string_view> bodies;
  Parser parser(spec, take_headers(parts, {spec.header, separator}, bodies), separator);
  Parsed parsed = parser.parse(bodies, spec.chunk_bytes);
  const Source source{spec, [&](const Issue& issue) { return place_in(parts, issue.where); }};
  return assemble(std::move(parsed), parser.plan(), parser.layout(), source,
                  unnamed_warnings(parser.layout().header, parts.front().path));
}

}  // namespace flymc
