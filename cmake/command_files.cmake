# Man page and shell completions, made from the program's own --help whenever it is linked, so that
# they cannot go stale; in the folders they have below the prefix when installed.
if(CMAKE_CROSSCOMPILING)
  return()  # the program cannot be asked here
endif()
include(GNUInstallDirs)
set(FLYMC_SHARE ${CMAKE_BINARY_DIR}/share)
set(tool ${CMAKE_CURRENT_SOURCE_DIR}/tools)
add_custom_command(TARGET flymc_main POST_BUILD
  COMMAND ${Python3_EXECUTABLE} ${tool}/command_files.py $<TARGET_FILE:flymc_main> ${FLYMC_SHARE}
  VERBATIM)
set_property(TARGET flymc_main APPEND PROPERTY LINK_DEPENDS
  ${tool}/command_files.py ${tool}/command_help.py ${tool}/completions.py ${tool}/man_page.py
  ${CMAKE_CURRENT_SOURCE_DIR}/docs/folder.md)
install(DIRECTORY ${FLYMC_SHARE}/man/ DESTINATION ${CMAKE_INSTALL_MANDIR} COMPONENT documents)
install(DIRECTORY ${FLYMC_SHARE}/bash-completion ${FLYMC_SHARE}/zsh ${FLYMC_SHARE}/fish
  DESTINATION ${CMAKE_INSTALL_DATADIR} COMPONENT documents)
