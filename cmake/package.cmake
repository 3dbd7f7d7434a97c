# cpack in build-dist (make dist): the program with its man page and completions as a .tar.gz that
# runs where it is unpacked, with the library that the R package's sources are compiled against, and
# as a .deb, which takes zlib from the system as Debian asks.
install(FILES LICENSE README.md CHANGELOG.md DESTINATION ${CMAKE_INSTALL_DATADIR}/doc/flymc
  COMPONENT documents)
if(NOT FLYMC_STATIC)
  return()
endif()
find_library(FLYMC_SHARED_ZLIB NAMES libz.so REQUIRED)
add_executable(flymc_deb apps/cli/main.cpp ${FLYMC_BUILD_INFO})
set_target_properties(flymc_deb PROPERTIES OUTPUT_NAME flymc
  RUNTIME_OUTPUT_DIRECTORY ${CMAKE_BINARY_DIR}/deb)
# Before our library, which names libz.a: what is found here is not looked for there.
target_link_libraries(flymc_deb PRIVATE -Wl,--no-as-needed ${FLYMC_SHARED_ZLIB} -Wl,--as-needed
  flymc_cli flymc_flags ${FLYMC_C_LIBRARY})
add_dependencies(flymc_deb flymc_build_info)
install(TARGETS flymc_deb RUNTIME DESTINATION ${CMAKE_INSTALL_BINDIR} COMPONENT debian
  EXCLUDE_FROM_ALL)
# The program for newer processors (apps/cli/for_processor.hpp), where tools/dist.sh built one.
if(FLYMC_FOR_PROCESSOR)
  install(PROGRAMS ${FLYMC_FOR_PROCESSOR}/flymc DESTINATION ${CMAKE_INSTALL_BINDIR}
    RENAME flymc-x86-64-v3 COMPONENT program)
  install(PROGRAMS ${FLYMC_FOR_PROCESSOR}/deb/flymc DESTINATION ${CMAKE_INSTALL_BINDIR}
    RENAME flymc-x86-64-v3 COMPONENT debian EXCLUDE_FROM_ALL)
endif()

set(CPACK_GENERATOR TGZ DEB)
set(CPACK_PROJECT_CONFIG_FILE ${CMAKE_BINARY_DIR}/package_components.cmake)
file(WRITE ${CPACK_PROJECT_CONFIG_FILE} "if(CPACK_GENERATOR STREQUAL DEB)
  set(program debian)
  set(library)
  # Not dpkg-shlibdeps, which asks for the C library of the building machine: a symbol that has
  # moved within it counts as new there, though its older version is what is asked for.
  execute_process(COMMAND ${PROJECT_SOURCE_DIR}/tools/needed_glibc.sh ${CMAKE_BINARY_DIR}/flymc
    OUTPUT_VARIABLE needed OUTPUT_STRIP_TRAILING_WHITESPACE COMMAND_ERROR_IS_FATAL ANY)
  set(CPACK_DEBIAN_PACKAGE_DEPENDS \"libc6 (>= \${needed}), zlib1g\")
else()
  set(program program)
  set(library ${CMAKE_BINARY_DIR} flymc library /)
endif()
set(CPACK_INSTALL_CMAKE_PROJECTS
  ${CMAKE_BINARY_DIR} flymc \${program} / ${CMAKE_BINARY_DIR} flymc documents / \${library})
")
set(CPACK_PACKAGE_FILE_NAME flymc-${PROJECT_VERSION}-linux-${CMAKE_SYSTEM_PROCESSOR})
set(CPACK_PACKAGE_CONTACT "The flymc authors <flymc@example.org>")
set(CPACK_PACKAGE_DESCRIPTION_SUMMARY "exact Bayesian regression on tall data")
set(CPACK_STRIP_FILES ON)
set(CPACK_DEBIAN_FILE_NAME DEB-DEFAULT)
set(CPACK_DEBIAN_PACKAGE_SECTION math)
set(CPACK_DEBIAN_PACKAGE_DESCRIPTION
  "Samples the posterior of a regression with many rows by Firefly Monte Carlo:
an iteration looks at a few rows, and the posterior is that of all of them.")
set(CPACK_PRE_BUILD_SCRIPTS ${PROJECT_SOURCE_DIR}/cmake/debian_files.cmake)
include(CPack)
