// The draws of a chain, in Stan's CSV.
#include "flymc/diagnose/draws.hpp"
#include "fuzz/fuzz.hpp"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  using namespace flymc;
  static const fuzz::MemoryFile kFile;
  kFile = fuzz::text_of(data, size);
  (void)fuzz::refusal([] {
    const ChainDraws draws = read_chain_csv(kFile.path());
    fuzz::require(draws.values.size() == draws.columns.size(), "a list of numbers a column");
    for (const std::string& column : draws.columns) {
      fuzz::require(draws.column(column).size() == draws.draws(), "a number a draw");
    }
  });
  return 0;
}
