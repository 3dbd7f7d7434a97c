// Messages with places to fill, as fmt::format has them.
#pragma once

#include <fmt/core.h>

#include <string>
#include <type_traits>

#include "flymc/message.hpp"

namespace flymc {
namespace detail {

// What fills a place: messages, settings and text as the bytes of a message, numbers as they are.
template <class T>
[[nodiscard]] auto filling(const T& value) {
  if constexpr (std::is_constructible_v<Message, const T&>) {
    return Message(value).bytes();
  } else {
    return value;
  }
}

template <class T>
using Filling = decltype(filling(std::declval<const T&>()));

}  // namespace detail

// message("column {} holds text; drop it ({}).", name, Setting{"drop", name})
template <class... Parts>
[[nodiscard]] Message message(fmt::format_string<detail::Filling<Parts>...> format,
                              const Parts&... parts) {
  return Message::from_bytes(fmt::format(format, detail::filling(parts)...));
}

}  // namespace flymc
