#include "data/load/text_survey.hpp"

#include <algorithm>
#include <map>
#include <set>
#include <utility>

#include "core/message.hpp"
#include "core/text.hpp"
#include "data/input/input_files.hpp"
#include "data/load/column_guess.hpp"
#include "data/load/open_input.hpp"
#include "data/load/read_table.hpp"
#include "data/table/labels.hpp"
#include "data/table/reference.hpp"
#include "flymc/error.hpp"

namespace flymc {
namespace {

static_assert(std::size_t{csv::kResponse} == kFlyResponse &&
              std::size_t{csv::kWeights} == kFlyWeights &&
              std::size_t{csv::kOffset} == kFlyOffset && std::size_t{csv::kTrials} == kFlyTrials);

using Pieces = std::vector<std::vector<double>>;

// Codes in the order of first sight become positions among the sorted names, which are returned.
std::vector<std::string> sort_codes(const LabelSet& labels, Pieces& pieces) {
  std::vector<std::string> sorted = labels.names();
  sort_labels(sorted);
  const std::vector<double> position = positions_of(labels.names(), sorted);
  for (std::vector<double>& piece : pieces) {
    for (double& code : piece) {
      code = position[static_cast<std::size_t>(code)];
    }
  }
  return sorted;
}

// One pass over the rows.
class Surveyor {
 public:
  // `resolved`: the specification as its formula makes it. REQUIRES: it outlives the object.
  Surveyor(const LoadSpec& spec, const LoadSpec& resolved, const BlockLimits& limits)
      : survey_{spec}, blocks_(resolved, open_input(spec).files, limits) {}

  // None where the response was taken for numbers and is text.
  std::optional<TextSurvey> run() {
    const bool text = survey_.spec.text_response;
    try {
      while (std::optional<csv::CodedRows> block = blocks_.next_coded()) {
        if (blocks_.has_text_response() != text) {
          return std::nullopt;
        }
        add(*std::move(block));
      }
    } catch (const Error&) {
      if (blocks_.has_text_response() != text) {
        return std::nullopt;
      }
      throw;
    }
    return finish();
  }

 private:
  void add(csv::CodedRows block) {
    survey_.rows += block.rows;
    const csv::Layout& layout = blocks_.layout();
    for (std::size_t slot = 0; slot < block.levels.size(); ++slot) {
      if (!block.levels[slot].empty()) {
        const std::string& name = layout.header.name(layout.columns.features[slot].column);
        std::set<std::string>& levels = levels_[name];
        levels.insert(block.levels[slot].begin(), block.levels[slot].end());
        csv::require_levels(name, levels.size());
      }
    }
    recode(block.labels, block.raw.extras[csv::kResponse]);
    for (std::size_t part = 0; part < kFlyParts; ++part) {
      if (std::vector<double>& values = block.raw.extras[part]; !values.empty()) {
        values.shrink_to_fit();
        survey_.parts[part].push_back(std::move(values));
      }
    }
  }

  // From the codes of a block to those of all rows.
  void recode(const std::vector<std::string>& names, std::vector<double>& codes) {
    if (names.empty()) {
      return;
    }
    std::vector<double> to;
    for (const std::string& name : names) {
      to.push_back(static_cast<double>(labels_.code_of(name)));
    }
    for (double& code : codes) {
      code = to[static_cast<std::size_t>(code)];
    }
  }

  TextSurvey finish() {
    survey_.left_out = blocks_.counts().rows - survey_.rows;
    if (survey_.spec.text_response) {
      survey_.labels = sort_codes(labels_, survey_.parts[kFlyResponse]);
    }
    for (const auto& [name, levels] : levels_) {
      std::vector<std::string> sorted(levels.begin(), levels.end());
      sort_labels(sorted);
      survey_.spec.levels[name] = with_reference(survey_.spec.reference, name, std::move(sorted));
    }
    require_references(survey_.spec.reference, survey_.spec.levels);
    survey_.spec.other_levels = OtherLevels::kDrop;  // they occur in rows that were left out
    return std::move(survey_);
  }

  TextSurvey survey_;
  CsvBlocks blocks_;
  std::map<std::string, std::set<std::string>> levels_;
  LabelSet labels_;
};

}  // namespace

std::optional<TextSurvey> survey_text(const LoadSpec& spec, const BlockLimits& limits) {
  const Formula formula = formula_of(spec);
  if (!formula.groups.empty()) {
    throw Error(ErrorKind::kUsage,
                message("{}: group terms belong to a fit; name their columns in its place.",
                        Setting{"formula", shortened(spec.formula)}));
  }
  if (spec.path == kStandardInput || !formula.offsets.empty() ||
      !is_separated_text(open_input(spec).kind.format)) {
    return std::nullopt;
  }
  return within_memory(spec, [&]() -> std::optional<TextSurvey> {
    LoadSpec asked = with_categories(spec);
    while (true) {
      const LoadSpec resolved = asked.formula.empty() ? asked : resolve_formula(asked, formula);
      if (auto survey = Surveyor(asked, resolved, limits).run()) {
        return survey;
      }
      asked.text_response = true;
    }
  });
}

}  // namespace flymc
