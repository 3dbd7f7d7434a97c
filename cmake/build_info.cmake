# What `flymc --version` says of this build: the commit it is of, asked anew at every build, and the
# compiler with its flags. One small source of the program alone: no test is linked anew by a commit.
set(FLYMC_COMMIT "" CACHE STRING "The commit, where the sources are in no repository")
set(FLYMC_BUILD_INFO ${CMAKE_BINARY_DIR}/generated/build_info.cpp)
string(TOUPPER "${CMAKE_BUILD_TYPE}" build_type)
get_directory_property(build_options COMPILE_OPTIONS)
list(JOIN build_options " " build_options)
string(STRIP "${CMAKE_CXX_FLAGS} ${CMAKE_CXX_FLAGS_${build_type}} ${build_options}" build_flags)
add_custom_target(flymc_build_info
  COMMAND ${CMAKE_COMMAND} -DSOURCE=${CMAKE_CURRENT_SOURCE_DIR} -DOUTPUT=${FLYMC_BUILD_INFO}
    -DCOMMIT=${FLYMC_COMMIT} "-DCOMPILER=${CMAKE_CXX_COMPILER_ID} ${CMAKE_CXX_COMPILER_VERSION}"
    "-DFLAGS=${build_flags}" -P ${CMAKE_CURRENT_SOURCE_DIR}/cmake/write_build_info.cmake
  BYPRODUCTS ${FLYMC_BUILD_INFO} VERBATIM)
set_source_files_properties(${FLYMC_BUILD_INFO} PROPERTIES GENERATED ON)
