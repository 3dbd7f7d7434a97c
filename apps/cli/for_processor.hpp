// Packages run on any processor of their architecture. On x86-64, where those of the last ten years
// compute four numbers at once and older ones two, a package brings the program a second time,
// compiled for the newer ones, beside the first. (On aarch64 there is nothing to choose: compiled
// for the processor itself, the program takes 0.97 of the time.)
#pragma once

namespace flymc::cli {

// Becomes the program for this processor where there is one; comes back otherwise.
void become_program_for_processor(char** argv) noexcept;

}  // namespace flymc::cli
