// A mapped file that is cut short, or whose disk fails, ends the program by SIGBUS at the next
// read: here with one line that names it, and exit code 74.
#pragma once

#include <string>

namespace flymc::cli {

// Installs the handler, for the rest of the program. What was written atomically (checkpoints,
// run.json) is whole, as after kill -9; nothing is computed from bytes that are not there.
void exit_on_lost_files();

// While it lives, the line says what to do next, in place of its general remedy.
class LostFileRemedy {
 public:
  explicit LostFileRemedy(std::string remedy);
  ~LostFileRemedy();
  LostFileRemedy(const LostFileRemedy&) = delete;
  LostFileRemedy& operator=(const LostFileRemedy&) = delete;

 private:
  std::string remedy_;
};

}  // namespace flymc::cli
