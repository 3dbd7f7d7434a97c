#include "flymc/load.hpp"

#include <utility>

#include "data/load/read_table.hpp"
#include "data/table/factors.hpp"
#include "data/table/reference.hpp"

namespace flymc {

Loaded load(const LoadSpec& spec) {
  return within_memory(spec, [&]() -> Loaded {
    const Formula formula = formula_of(spec);
    auto [read, kind, checksums] = read_table(spec, formula);
    take_factors(formula.groups, read);
    require_references(spec.reference, read.table.levels);
    apply_formula(formula, read, spec.threads);
    read.table.left_out = read.counts.rows - read.table.sharding().rows();
    if (!spec.trials.empty()) {
      read.table.trials_name = spec.trials;
    }
    std::string note = read_note(spec, kind, read);
    return {std::move(read.table),    kind.format,         std::move(read.counts), std::move(note),
            std::move(read.warnings), std::move(checksums)};
  });
}

}  // namespace flymc
