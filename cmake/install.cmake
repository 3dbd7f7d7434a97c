# cmake --install, and find_package(flymc) for programs that use the library.
include(GNUInstallDirs)
include(CMakePackageConfigHelpers)
set(FLYMC_CMAKE_DIR ${CMAKE_INSTALL_LIBDIR}/cmake/flymc)
install(TARGETS flymc flymc_flags EXPORT flymcTargets
  ARCHIVE DESTINATION ${CMAKE_INSTALL_LIBDIR} COMPONENT library
  LIBRARY DESTINATION ${CMAKE_INSTALL_LIBDIR} COMPONENT library)
install(TARGETS flymc_main RUNTIME DESTINATION ${CMAKE_INSTALL_BINDIR} COMPONENT program)
install(FILES ${FLYMC_MPI_LIBRARIES} DESTINATION ${CMAKE_INSTALL_LIBDIR}/flymc)
install(DIRECTORY include/flymc DESTINATION ${CMAKE_INSTALL_INCLUDEDIR} COMPONENT library)
install(EXPORT flymcTargets NAMESPACE flymc:: DESTINATION ${FLYMC_CMAKE_DIR} COMPONENT library)
configure_package_config_file(cmake/flymcConfig.cmake.in ${CMAKE_CURRENT_BINARY_DIR}/flymcConfig.cmake
  INSTALL_DESTINATION ${FLYMC_CMAKE_DIR})
write_basic_package_version_file(${CMAKE_CURRENT_BINARY_DIR}/flymcConfigVersion.cmake
  COMPATIBILITY SameMinorVersion)
install(FILES ${CMAKE_CURRENT_BINARY_DIR}/flymcConfig.cmake
  ${CMAKE_CURRENT_BINARY_DIR}/flymcConfigVersion.cmake DESTINATION ${FLYMC_CMAKE_DIR}
  COMPONENT library)
# For other build systems.
flymc_consumer_flags(FLYMC_PC_OPTIONS)
file(RELATIVE_PATH FLYMC_PC_UP /${CMAKE_INSTALL_LIBDIR} /)
configure_file(cmake/flymc.pc.in ${CMAKE_CURRENT_BINARY_DIR}/flymc.pc @ONLY)
install(FILES ${CMAKE_CURRENT_BINARY_DIR}/flymc.pc DESTINATION ${CMAKE_INSTALL_LIBDIR}/pkgconfig
  COMPONENT library)
