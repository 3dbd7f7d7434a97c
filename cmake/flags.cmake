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
  # Sources that are included by a united one are no headers.
  target_compile_options(flymc_flags INTERFACE -Wno-subobject-linkage)
  # A compiler that collects its garbage before half a gigabyte takes a twentieth longer.
  target_compile_options(flymc_flags INTERFACE "SHELL:--param ggc-min-heapsize=524288")
endif()
# Words, options and tests have no hot loop of their own: a fifth less to compile.
add_library(flymc_cold_flags INTERFACE)
target_compile_options(flymc_cold_flags INTERFACE $<$<CONFIG:Release>:-O1>)
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
