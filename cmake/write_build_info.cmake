# Writes OUTPUT, and only where it would change: the commit of SOURCE (or COMMIT), COMPILER, FLAGS.
if(NOT COMMIT AND EXISTS ${SOURCE}/.git)
  execute_process(COMMAND git -C ${SOURCE} describe --always --abbrev=12 --dirty=+ --exclude=*
    OUTPUT_VARIABLE COMMIT OUTPUT_STRIP_TRAILING_WHITESPACE ERROR_QUIET)
endif()
if(NOT COMMIT)
  set(COMMIT unknown)
endif()
file(CONFIGURE OUTPUT ${OUTPUT} @ONLY CONTENT [=[
#include "cli/build_info.hpp"

namespace flymc::cli {

std::string build_info() { return "commit @COMMIT@, @COMPILER@, @FLAGS@"; }

}  // namespace flymc::cli
]=])
