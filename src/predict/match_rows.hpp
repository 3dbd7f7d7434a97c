// Rows brought to what a fit knows: its columns, the levels of its factors, its classes.
#pragma once

#include <string>
#include <vector>

#include "data/table/labels.hpp"
#include "flymc/table.hpp"
#include "run/run_draws.hpp"

namespace flymc {

// Levels of a factor that the fit did not see: drawn from their distribution, or an error.
enum class NewLevels { kDraw, kError };

// The columns of the fit in their order: those that it found constant are not among them, nor the
// levels that others are compared with. Left as it is where one is not there: the caller sees it.
void arrange_columns(const std::vector<std::string>& features, Table& table);

// Codes of the fit's levels; new ones come after these, in the order in which they are seen. Not
// thread safe.
class LevelCodes {
 public:
  // REQUIRES: the draws outlive it. THROWS Error(kUsage) where draws of levels were not kept.
  explicit LevelCodes(const RunDraws& draws);

  // REQUIRES: the factors of the fit's terms, one a member. THROWS Error(kData) for a level that
  // must not be new.
  void match(std::vector<Factor>& factors, NewLevels new_levels);

  // What a user should know of levels that the fit did not see.
  [[nodiscard]] std::vector<std::string> warnings() const;

 private:
  const RunDraws& draws_;
  std::vector<LabelSet> seen_;  // of each term: of the fit, then new ones
};

// The response as the model wants it, trials turned into weights. THROWS Error(kData) for a class
// that the fit did not see; as encode_response().
void encode_known_response(Table& table, const RunDraws& draws);

}  // namespace flymc
