#include "diagnose/class_contrasts.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <functional>
#include <map>

#include "core/message.hpp"
#include "core/text.hpp"
#include "flymc/error.hpp"

namespace flymc {
namespace {

// alpha.2 is {2, ""}, beta.2.3 is {2, "3"}; class 0: no vector of a class.
struct ClassColumn {
  std::size_t of_class = 0;
  std::string coefficient;
};

ClassColumn class_column(const std::string& column) {
  const bool slope = column.starts_with("beta.");
  if (!slope && !column.starts_with("alpha.")) {
    return {};
  }
  const std::size_t first = column.find('.') + 1;
  const std::size_t dot = column.find('.', first);
  if (slope != (dot != std::string::npos)) {  // beta.3 is a column of one vector
    return {};
  }
  ClassColumn place;
  const char* const end = column.data() + std::min(dot, column.size());
  const auto [stop, error] = std::from_chars(column.data() + first, end, place.of_class);
  if (error != std::errc() || stop != end) {
    return {};
  }
  place.coefficient = slope ? column.substr(dot + 1) : "";
  const bool number = place.coefficient.find_first_not_of("0123456789") == std::string::npos;
  return number ? place : ClassColumn{};  // else of an expression
}

// "car vs bus: age" of the parameter "car: age".
std::string pair_label(const std::string& of, const std::string& other, const std::string& label) {
  return fmt::format("{} vs {}{}", of, other, label.starts_with(of) ? label.substr(of.size()) : "");
}

std::size_t reference_among(const RunRecord& record, const std::string& asked) {
  if (!asked.empty()) {
    const auto found = std::ranges::find(record.classes, asked);
    if (found == record.classes.end()) {
      constexpr std::size_t kShown = 8;
      throw Error(ErrorKind::kUsage,
                  message("{}: there is no such class", Setting{"reference", shortened(asked)}),
                  fmt::format("classes are {}.", listed(record.classes, ", ", kShown)));
    }
    return static_cast<std::size_t>(found - record.classes.begin());
  }
  const auto most = std::ranges::max_element(record.class_rows);
  return most == record.class_rows.end()
             ? 0
             : static_cast<std::size_t>(most - record.class_rows.begin());
}

}  // namespace

bool has_class_vectors(const RunRecord& record) {
  const auto of_class = [](const ParameterName& name) {
    return class_column(name.column).of_class > 0;
  };
  return record.classes.size() >= 2 && std::ranges::any_of(record.parameters, of_class);
}

ClassDifferences compare_classes(const RunRecord& record, const RunChains& run,
                                 const std::string& reference) {
  const std::size_t base = reference_among(record, reference);
  ClassDifferences compared{record.classes[base], record, run};
  std::map<std::string, std::string> base_columns;  // by coefficient
  for (const ParameterName& name : record.parameters) {
    if (const ClassColumn place = class_column(name.column); place.of_class == base + 1) {
      base_columns[place.coefficient] = name.column;
    }
  }
  compared.record.parameters.clear();
  for (const ParameterName& name : record.parameters) {
    const ClassColumn place = class_column(name.column);
    if (place.of_class == 0 || place.of_class == base + 1) {
      continue;
    }
    const std::string& other = base_columns.at(place.coefficient);
    const std::string& of = record.classes[place.of_class - 1];
    ParameterName difference{name.column + " - " + other,
                             pair_label(of, compared.reference, name.label), name.column_sd};
    for (std::size_t c = 0; c < run.chains.size(); ++c) {
      const auto a = run.chains[c].column(name.column);
      const auto b = run.chains[c].column(other);
      std::vector<double> values(a.size());
      std::ranges::transform(a, b, values.begin(), std::minus<>());
      compared.run.chains[c].columns.push_back(difference.column);
      compared.run.chains[c].values.push_back(std::move(values));
    }
    compared.record.parameters.push_back(std::move(difference));
  }
  return compared;
}

std::vector<Contrast> class_pairs(const RunRecord& record) {
  std::map<std::string, std::vector<std::pair<std::size_t, std::size_t>>> alike;  // class, number
  for (std::size_t i = 0; i < record.parameters.size(); ++i) {
    const ClassColumn place = class_column(record.parameters[i].column);
    if (place.of_class > 0 && place.of_class <= record.classes.size()) {
      alike[place.coefficient].emplace_back(place.of_class - 1, i);
    }
  }
  std::vector<Contrast> pairs;
  for (const auto& [coefficient, vectors] : alike) {
    for (const auto& [of, i] : vectors) {
      for (const auto& [other, j] : vectors) {
        if (i != j) {
          pairs.push_back(
              {pair_label(record.classes[of], record.classes[other], record.parameters[i].label),
               {{i, 1.0}, {j, -1.0}}});
        }
      }
    }
  }
  return pairs;
}

}  // namespace flymc
