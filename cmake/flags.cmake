# Warnings and code generation, applied to our own targets only.
add_library(flymc_flags INTERFACE)
target_compile_options(flymc_flags INTERFACE
  -Wall -Wextra -Wpedantic -Wshadow -Wconversion -Wold-style-cast)
if(FLYMC_WERROR)
  target_compile_options(flymc_flags INTERFACE -Werror)
endif()
if(CMAKE_CXX_COMPILER_ID STREQUAL "GNU")
  # False positives of gcc 12 inside Eigen and the standard library at -O3.
  target_compile_options(flymc_flags INTERFACE
    -Wno-maybe-uninitialized -Wno-array-bounds -Wno-stringop-overflow -Wno-restrict)
  if(CMAKE_CXX_COMPILER_VERSION VERSION_LESS 13)  # inside its own intrinsics of AVX-512
    target_compile_options(flymc_flags INTERFACE -Wno-uninitialized)
  endif()
  # Sources that are included by a united one are no headers.
  target_compile_options(flymc_flags INTERFACE -Wno-subobject-linkage)
  # A compiler that collects its garbage before half a gigabyte takes a twentieth longer.
  target_compile_options(flymc_flags INTERFACE "SHELL:--param ggc-min-heapsize=524288")
endif()
# Tests: a quarter less to compile. Products and sums are fused as in the library, so that the same
# formula gives the same bits in both. Not for what is linked into the program: of a template that
# the library uses, too, the linker keeps one copy, and it must be the fast one.
add_library(flymc_test_flags INTERFACE)
target_compile_options(flymc_test_flags INTERFACE
  "$<$<CONFIG:Release>:-O1;$<$<CXX_COMPILER_ID:GNU>:-fexpensive-optimizations>>")
if(FLYMC_NATIVE)
  include(CheckCXXCompilerFlag)
  check_cxx_compiler_flag(-march=native FLYMC_HAS_MARCH_NATIVE)
  if(FLYMC_HAS_MARCH_NATIVE)
    add_compile_options(-march=native)
  endif()
endif()
if(FLYMC_SANITIZE)
  add_compile_options(-fsanitize=${FLYMC_SANITIZE} -fno-omit-frame-pointer
    -fno-sanitize-recover=all)
  add_link_options(-fsanitize=${FLYMC_SANITIZE})
endif()
find_program(CCACHE ccache)
if(CCACHE)
  set(CMAKE_CXX_COMPILER_LAUNCHER ${CCACHE})
endif()
# What goes with the library, as words: options such as -march=native, so that templates are compiled
# as in it, and Eigen's alignment, which must. For other build systems, R's among them.
function(flymc_consumer_flags out)
  get_directory_property(options DIRECTORY ${PROJECT_SOURCE_DIR} COMPILE_OPTIONS)
  get_target_property(definitions flymc INTERFACE_COMPILE_DEFINITIONS)
  if(definitions)
    list(TRANSFORM definitions PREPEND -D)
    list(APPEND options ${definitions})
  endif()
  list(JOIN options " " words)
  set(${out} "${words}" PARENT_SCOPE)
endfunction()
