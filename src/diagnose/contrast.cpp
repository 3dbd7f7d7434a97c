#include "diagnose/contrast.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <cmath>
#include <iterator>
#include <optional>
#include <string_view>
#include <tuple>

#include "core/message.hpp"
#include "core/text.hpp"
#include "flymc/error.hpp"

namespace flymc {
namespace {

// A few of many, to end a sentence: those with the word in them, then by how much they differ from
// it.
std::string nearest_listed(const std::string& word, const std::vector<std::string>& names) {
  constexpr std::size_t kShown = 6;
  constexpr std::size_t kCompared = 64;  // bytes of a name
  using Rank = std::tuple<bool, std::size_t, std::size_t>;
  const std::string plain = in_lower_case(word).substr(0, kCompared);
  std::vector<Rank> ranks;
  for (const std::string& name : names) {
    const std::string known = in_lower_case(name).substr(0, kCompared);
    ranks.emplace_back(known.find(plain) == std::string::npos, edit_distance(plain, known),
                       ranks.size());
  }
  std::ranges::sort(ranks);
  std::vector<std::string> sorted;
  for (const Rank& rank : ranks) {
    sorted.push_back(names[std::get<2>(rank)]);
  }
  return listed(sorted, ", ", kShown) + (sorted.size() > kShown ? "" : ".");
}

class ContrastParser {
 public:
  // `shown`: of the names, those that people know them by.
  ContrastParser(const std::string& text, std::vector<Contrast> names,
                 std::vector<std::string> shown)
      : text_(text), names_(std::move(names)), shown_(std::move(shown)) {
    std::stable_sort(names_.begin(), names_.end(), [](const Contrast& a, const Contrast& b) {
      return a.text.size() > b.text.size();
    });
  }

  Contrast run() {
    Contrast contrast{text_, sum()};
    if (!at_end()) {
      fail("expected + or -");
    }
    return contrast;
  }

 private:
  using Weights = std::vector<std::pair<std::size_t, double>>;

  // As far as it goes.
  Weights sum() {
    Weights weights;
    double sign = take('-') ? -1.0 : 1.0;
    if (sign > 0.0) {
      take('+');
    }
    while (true) {
      part(sign, weights);
      sign = take('-') ? -1.0 : 1.0;
      if (sign > 0.0 && !take('+')) {
        return weights;
      }
    }
  }

  [[noreturn]] void fail(const std::string& what) const {
    const std::string_view rest = std::string_view(text_).substr(at_);
    throw Error(ErrorKind::kUsage,
                message("{}: {}; at character {} ({}).", Setting{"contrast", shortened(text_)},
                        what, at_ + 1, rest.empty() ? "the end" : in_quotes(rest)));
  }

  [[noreturn]] void fail_name() {
    if (at_end()) {
      fail("a coefficient is missing");
    }
    const std::size_t end =
        std::min(text_.find_first_of(depth_ > 0 ? " \t)" : " \t", at_), text_.size());
    const std::string word = text_.substr(at_, end - at_);
    std::vector<std::string> known;
    for (const Contrast& one : names_) {
      known.push_back(one.text);
    }
    if (is_level_without_draws(word)) {
      throw Error(ErrorKind::kUsage,
                  message("{}: the run kept no draws of levels, such as {}",
                          Setting{"contrast", shortened(text_)}, in_quotes(word)),
                  message("fit again with {}.", Setting{"levels", "all"}));
    }
    const std::string guess = nearest(word, known);
    throw Error(ErrorKind::kUsage,
                message("{}: no coefficient {} (character {})",
                        Setting{"contrast", shortened(text_)}, in_quotes(word), at_ + 1),
                (guess.empty() ? "coefficients are "
                               : fmt::format("did you mean {}? Nearest are ", in_quotes(guess))) +
                    nearest_listed(word, shown_));
  }

  // u.shop[4], where shop has a standard deviation and none of its levels a name.
  [[nodiscard]] bool is_level_without_draws(const std::string& word) const {
    const std::string factor = word.substr(0, word.find('['));
    const auto begins = [&](const std::string& head) {
      return std::ranges::any_of(names_,
                                 [&](const Contrast& one) { return one.text.starts_with(head); });
    };
    return word.starts_with("u.") && factor.size() < word.size() && !begins(factor + "[") &&
           begins("sd." + factor.substr(2));
  }

  bool at_end() {
    at_ = std::min(text_.find_first_not_of(" \t", at_), text_.size());
    return at_ == text_.size();
  }

  bool take(char symbol) {
    if (at_end() || text_[at_] != symbol) {
      return false;
    }
    ++at_;
    return true;
  }

  // What stands here; nothing is taken where it is no number.
  std::optional<double> number() {
    if (at_end()) {
      return std::nullopt;
    }
    double value = 0.0;
    const char* const begin = text_.data() + at_;
    const auto [end, error] = std::from_chars(begin, text_.data() + text_.size(), value);
    if (error != std::errc() || !std::isfinite(value) || *begin == '-') {
      return std::nullopt;
    }
    at_ += static_cast<std::size_t>(end - begin);
    return value;
  }

  [[nodiscard]] bool ends_at(std::size_t at) const {
    return at == text_.size() ||
           std::string_view(" \t+-*/)").find(text_[at]) != std::string_view::npos;
  }

  // What stands here; nothing is taken where none is known.
  const Contrast* name() {
    if (at_end()) {
      return nullptr;
    }
    if (text_[at_] == '`') {
      const std::size_t end = text_.find('`', at_ + 1);
      const auto quoted = text_.substr(at_ + 1, end == std::string::npos ? end : end - at_ - 1);
      const auto found = std::find_if(names_.begin(), names_.end(),
                                      [&](const Contrast& one) { return one.text == quoted; });
      if (end == std::string::npos || found == names_.end()) {
        return nullptr;
      }
      at_ = end + 1;
      return &*found;
    }
    for (const Contrast& one : names_) {
      if (text_.compare(at_, one.text.size(), one.text) == 0 && ends_at(at_ + one.text.size())) {
        at_ += one.text.size();
        return &one;
      }
    }
    return nullptr;
  }

  void part(double sign, Weights& weights) {
    double weight = sign;
    std::optional<Weights> found = one();
    if (!found) {  // a label may begin with a digit: names first
      if (const std::optional<double> factor = number()) {
        weight *= *factor;
        take('*');
      }
      found = one();
    }
    if (!found) {
      fail_name();
    }
    if (take('*')) {
      weight *= factor_behind();
    } else if (take('/')) {
      weight /= factor_behind();
    }
    for (const auto& [parameter, own] : *found) {
      weights.emplace_back(parameter, weight * own);
    }
  }

  // A label may begin with a bracket, too: (Intercept).
  std::optional<Weights> one() {
    if (const Contrast* const found = name()) {
      return found->weights;
    }
    if (!take('(')) {
      return std::nullopt;
    }
    constexpr int kDeepest = 50;
    if (++depth_ > kDeepest) {
      fail("too many brackets");
    }
    Weights weights = sum();
    if (!take(')')) {
      fail("expected + or - or )");
    }
    --depth_;
    return weights;
  }

  double factor_behind() {
    const std::optional<double> factor = number();
    if (!factor || *factor == 0.0) {
      fail("expected a number");
    }
    return *factor;
  }

  const std::string& text_;
  std::vector<Contrast> names_;
  std::vector<std::string> shown_;
  std::size_t at_ = 0;
  int depth_ = 0;  // brackets that are open
};

}  // namespace

Contrast parse_contrast(const std::string& text, const std::vector<ParameterName>& parameters,
                        const std::vector<Contrast>& others) {
  std::vector<Contrast> names = others;
  std::vector<std::string> shown;
  std::ranges::transform(others, std::back_inserter(shown), &Contrast::text);
  for (std::size_t i = 0; i < parameters.size(); ++i) {
    names.push_back({parameters[i].label, {{i, 1.0}}});
    names.push_back({parameters[i].column, {{i, 1.0}}});
    shown.push_back(parameters[i].label.empty() ? parameters[i].column : parameters[i].label);
  }
  std::erase_if(names, [](const Contrast& one) { return one.text.empty(); });
  return ContrastParser(text, std::move(names), std::move(shown)).run();
}

}  // namespace flymc
