// LIBSVM text: the outcome does not depend on how the text is cut into chunks.
#include "data/format/libsvm.hpp"
#include "data/format/libsvm_rows.hpp"
#include "fuzz/fuzz.hpp"

namespace {

using namespace flymc;

// The message, or the numbers.
std::string outcome(const LoadSpec& spec, std::string_view text) {
  std::string numbers;
  const std::string message = fuzz::refusal([&] {
    const TextPart part{spec.path, text};
    const TableRead read = read_libsvm(spec, {&part, 1});
    fuzz::require_sound(read.table);
    const auto& x = read.table.x;
    numbers.assign(reinterpret_cast<const char*>(x.data()), x.size() * sizeof(double));
  });
  return message.empty() ? numbers : message;
}

void require_same_in_pieces(LoadSpec spec, std::string_view text) {
  const std::string whole = outcome(spec, text);
  spec.chunk_bytes = 16;
  fuzz::require(outcome(spec, text) == whole, "the same for any chunks");
}

// A dense table that is large and fits is no mistake, and slow to make thousands of times.
bool is_large(std::string_view text) {
  constexpr double kLarge = 1e3;
  const libsvm::Extent extent = libsvm::extent_of(text);
  return extent.columns() <= kMostLibsvmColumns &&
         static_cast<double>(extent.rows) * static_cast<double>(extent.columns()) > kLarge;
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const std::string_view text = fuzz::text_of(data, size);
  (void)is_libsvm(text);
  if (is_large(text)) {
    return 0;
  }
  LoadSpec spec{.path = "t.svm", .threads = 1};
  require_same_in_pieces(spec, text);
  spec.missing = Missing::kDrop;
  spec.weights = "x1";
  spec.categorical = {"x2"};
  require_same_in_pieces(spec, text);
  const Levels levels{{"x2", {"1", "2"}}};
  require_same_in_pieces({.path = "t.svm",
                          .features = {"x2", "x5"},
                          .categorical = {"x2"},
                          .matches_earlier = true,
                          .levels = levels,
                          .threads = 1},
                         text);
  return 0;
}
