#include "core/hidden_name.hpp"

#include <fmt/format.h>
#include <sys/random.h>

#include <cstdint>

#include "flymc/error.hpp"

namespace flymc {
namespace {

constexpr std::string_view kEnding = ".flymc";
constexpr std::size_t kDigits = 16;
constexpr std::size_t kMostOfAName = 200;  // a file system takes 255 bytes

}  // namespace

std::string hidden_name(const std::filesystem::path& path) {
  std::uint64_t random = 0;
  if (::getrandom(&random, sizeof random, 0) != static_cast<ssize_t>(sizeof random)) {
    throw Error(ErrorKind::kInternal, "the system gives no random numbers");
  }
  const std::string name = path.filename().string().substr(0, kMostOfAName);
  return (path.parent_path() / fmt::format(".{}.{:016x}{}", name, random, kEnding)).string();
}

std::string_view name_behind(std::string_view hidden) noexcept {
  constexpr std::size_t kAround = 1 + 1 + kDigits + kEnding.size();
  if (hidden.size() <= kAround || !hidden.starts_with('.') || !hidden.ends_with(kEnding)) {
    return {};
  }
  const std::string_view name = hidden.substr(1, hidden.size() - kAround);
  const std::string_view digits = hidden.substr(2 + name.size(), kDigits);
  const bool ours = hidden[1 + name.size()] == '.' &&
                    digits.find_first_not_of("0123456789abcdef") == std::string_view::npos;
  return ours ? name : std::string_view();
}

}  // namespace flymc
