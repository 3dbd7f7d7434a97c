// The words of the command line for every choice among a few: what a user types, what run.json
// holds, what messages say. Each choice is listed once, in words.cpp. (Families have a list of
// their own: flymc/family/family.hpp.)
#pragma once

#include <fmt/format.h>

#include <algorithm>
#include <set>
#include <span>
#include <string>
#include <string_view>

#include "core/text.hpp"
#include "fit/settings.hpp"
#include "flymc/error.hpp"

namespace flymc {

template <class T>
struct Word {
  const char* word;
  T value;
};

// All choices of a type; the argument only names it.
[[nodiscard]] std::span<const Word<EngineKind>> words_of(EngineKind) noexcept;
[[nodiscard]] std::span<const Word<KernelKind>> words_of(KernelKind) noexcept;
[[nodiscard]] std::span<const Word<FrameKind>> words_of(FrameKind) noexcept;
[[nodiscard]] std::span<const Word<InitKind>> words_of(InitKind) noexcept;
[[nodiscard]] std::span<const Word<AnchorSearch>> words_of(AnchorSearch) noexcept;
[[nodiscard]] std::span<const Word<BoundKind>> words_of(BoundKind) noexcept;
[[nodiscard]] std::span<const Word<ZKind>> words_of(ZKind) noexcept;
[[nodiscard]] std::span<const Word<ZOrder>> words_of(ZOrder) noexcept;
[[nodiscard]] std::span<const Word<LevelDraws>> words_of(LevelDraws) noexcept;
[[nodiscard]] std::span<const Word<Missing>> words_of(Missing) noexcept;
[[nodiscard]] std::span<const Word<HeaderLine>> words_of(HeaderLine) noexcept;
[[nodiscard]] std::span<const Word<Format>> words_of(Format) noexcept;

template <class T>
concept Worded = std::is_enum_v<T> && requires(T value) {
  words_of(value);
};

template <Worded T>
[[nodiscard]] const char* name_of(T value) noexcept {
  const auto words = words_of(value);
  return std::find_if(words.begin(), words.end(),
                      [&](const Word<T>& word) { return word.value == value; })
      ->word;
}

// THROWS Error(kUsage) that names the option, as the caller calls it, and the words it takes.
template <class T>
[[nodiscard]] T parse_word(std::string_view text, std::string_view option,
                           std::span<const Word<T>> words) {
  std::set<std::string> listed;
  for (const Word<T>& word : words) {
    if (text == word.word) {
      return word.value;
    }
    listed.insert(word.word);
  }
  throw Error(ErrorKind::kUsage, fmt::format("{} {}: must be one of {}.", option, shortened(text),
                                             fmt::join(listed, ", ")));
}

}  // namespace flymc
