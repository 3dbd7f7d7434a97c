// What went wrong, in one line a user can act on, with the exit code it becomes.
#pragma once

#include <stdexcept>
#include <string>

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

// The message names the value, the place and the remedy: "train.csv:15: column 'city' holds text
// ('Paris'); drop it (--drop city) or encode it (--categorical city)."
class Error : public std::runtime_error {
 public:
  Error(ErrorKind kind, const std::string& message) : std::runtime_error(message), kind_(kind) {}

  [[nodiscard]] ErrorKind kind() const noexcept { return kind_; }
  [[nodiscard]] int exit_code() const noexcept { return static_cast<int>(kind_); }

 private:
  ErrorKind kind_;
};

// The same with another remedy: what the message says after its last semicolon.
[[nodiscard]] Error with_remedy(const Error& error, const std::string& remedy);

}  // namespace flymc
