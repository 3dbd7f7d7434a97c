// The data of a finished run, loaded and prepared again as the run had them.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "fit/prepare.hpp"
#include "flymc/error.hpp"
#include "flymc/load.hpp"
#include "flymc/message.hpp"
#include "run/run_config.hpp"

namespace flymc {

// Either the problem, or why it is not to be had, as a sentence: the file is gone or changed, the
// data were built in, or what they give now is not what the run had.
struct StoredData {
  std::optional<Problem> problem;
  Message why_not;
  ErrorKind kind = ErrorKind::kData;      // of an error that this would be
  std::vector<std::string> missing_in{};  // columns whose missing values left out rows
  std::size_t valueless = 0;              // rows that a function of the formula left out
};

// Columns whose missing values left out rows.
[[nodiscard]] std::vector<std::string> missing_columns(const Loaded& loaded, const LoadSpec& spec);

// The first file of a run that is not what it was, of those that were read (as Loaded has them), or
// that lie there now; none where there is none to compare. THROWS Error as fingerprint_of_file.
[[nodiscard]] std::optional<std::string> changed_file(const StoredRun& run,
                                                      const std::vector<FileChecksum>& read);
[[nodiscard]] std::optional<std::string> changed_file(const StoredRun& run);

// The rows of a run are in a file, which is what it was, or was seen to be. THROWS Error kData with
// what to do where they are not, and as fingerprint_of_file.
void require_stored_rows(const StoredRun& run, const std::filesystem::path& folder, bool verified);

// Whether equal rows are merged, where the run's engine had them so.
enum class StoredRows { kAsInRun, kAsGiven };

// Never throws an Error for data that cannot be used: a report goes on without them. A prior whose
// scale was selected on held-out rows is not selected again: it is then as it was asked for.
[[nodiscard]] StoredData load_stored_data(const std::filesystem::path& folder,
                                          StoredRows rows = StoredRows::kAsInRun);

}  // namespace flymc
