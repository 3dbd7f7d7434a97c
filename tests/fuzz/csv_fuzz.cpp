// Separated text: the outcome does not depend on how the text is cut into chunks.
#include "data/csv/csv.hpp"
#include "data/csv/csv_sniff.hpp"
#include "fuzz/fuzz.hpp"

namespace {

using namespace flymc;

// The message, or the table in words.
std::string outcome(const LoadSpec& spec, std::string_view text) {
  std::string words;
  const std::string message = fuzz::refusal([&] {
    const TextPart part{spec.path, text};
    const TableRead read = read_csv(spec, {&part, 1}, csv::sniff_separator(text));
    fuzz::require_sound(read.table);
    const auto& x = read.table.x;
    words.assign(reinterpret_cast<const char*>(x.data()), x.size() * sizeof(double));
    for (const std::string& column : read.table.columns) {
      words += column + "\n";
    }
  });
  return message.empty() ? words : message;
}

void require_same_in_pieces(LoadSpec spec, std::string_view text) {
  const std::string whole = outcome(spec, text);
  spec.chunk_bytes = 16;
  fuzz::require(outcome(spec, text) == whole, "the same for any chunks");
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const std::string_view text = fuzz::text_of(data, size);
  LoadSpec spec{.path = "t.csv", .response = "y", .threads = 1};
  require_same_in_pieces(spec, text);
  spec.categorical = {"c"};
  spec.weights = "w";
  spec.missing = Missing::kDrop;
  require_same_in_pieces(spec, text);
  require_same_in_pieces({.path = "t.csv", .header = HeaderLine::kNo, .threads = 1}, text);
  return 0;
}
