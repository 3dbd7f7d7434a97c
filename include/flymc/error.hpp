// What went wrong, in one line a user can act on, with the exit code it becomes.
#pragma once

#include <stdexcept>

#include "flymc/message.hpp"

namespace flymc {

// The values are the exit codes of the command line (sysexits.h numbering).
enum class ErrorKind {
  kUsage = 64,         // the call itself is wrong
  kData = 65,          // the input was read and cannot be used
  kNoInput = 66,       // the input is not there
  kInternal = 70,      // a bug of ours
  kMemory = 71,        // the problem does not fit
  kCannotCreate = 73,  // the output cannot be created
  kIo = 74,            // reading or writing failed half way
  kStopped = 75,       // stopped early, can be resumed
  kPermission = 77,    // not allowed
};

// The problem names the value and the place, the remedy what to do: "train.csv:15: column 'city'
// holds text ('Paris')" and "drop it (drop = city) or encode it (categorical = city)." A problem
// may say all there is to say. what() is in the words of C++.
class Error : public std::runtime_error {
 public:
  Error(ErrorKind kind, Message problem, Message remedy = {});

  [[nodiscard]] ErrorKind kind() const noexcept { return kind_; }
  [[nodiscard]] int exit_code() const noexcept { return static_cast<int>(kind_); }
  [[nodiscard]] const Message& problem() const noexcept { return problem_; }
  [[nodiscard]] const Message& remedy() const noexcept { return remedy_; }

  // Both, with a semicolon between them.
  [[nodiscard]] Message message() const;

 private:
  ErrorKind kind_;
  Message problem_;
  Message remedy_;
};

// The same problem with another remedy.
[[nodiscard]] Error with_remedy(const Error& error, const Message& remedy);

}  // namespace flymc
