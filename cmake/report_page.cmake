# The report page as one C++ string: src/report/page/* and uPlot, which draws the traces.
# Included by CMakeLists.txt; the same file, run with `cmake -P`, does the work at build time.
if(NOT CMAKE_SCRIPT_MODE_FILE)
  set(FLYMC_UPLOT ${CMAKE_CURRENT_SOURCE_DIR}/web/node_modules/uplot CACHE PATH
      "Folder of the npm package uplot")
  set(uplot_files ${FLYMC_UPLOT}/dist/uPlot.iife.min.js ${FLYMC_UPLOT}/dist/uPlot.min.css
      ${FLYMC_UPLOT}/LICENSE)
  foreach(file ${uplot_files})
    if(NOT EXISTS ${file})
      message(STATUS "No uPlot in ${FLYMC_UPLOT}: traces of `flymc report` will not zoom "
                     "(run `npm ci` in web/, or give -DFLYMC_UPLOT=DIR)")
      set(uplot_files "")
      break()
    endif()
  endforeach()
  file(GLOB page_files CONFIGURE_DEPENDS ${CMAKE_CURRENT_SOURCE_DIR}/src/report/page/*)
  set(page_source ${CMAKE_CURRENT_BINARY_DIR}/report_page_text.cpp)
  add_custom_command(OUTPUT ${page_source}
    COMMAND ${CMAKE_COMMAND} -DFOLDER=${CMAKE_CURRENT_SOURCE_DIR}/src/report/page
            "-DUPLOT=${uplot_files}" -DOUT=${page_source} -P ${CMAKE_CURRENT_LIST_FILE}
    DEPENDS ${page_files} ${uplot_files} ${CMAKE_CURRENT_LIST_FILE}
    COMMENT "Report page" VERBATIM)
  target_sources(flymc PRIVATE ${page_source})
  return()
endif()

# Everything is quoted: the text is full of semicolons.
file(READ ${FOLDER}/base.css base)
file(READ ${FOLDER}/page.css style)
set(style "${base}${style}")
set(script "")
if(UPLOT)
  list(GET UPLOT 0 uplot_js)
  list(GET UPLOT 1 uplot_css)
  list(GET UPLOT 2 uplot_licence)
  file(READ ${uplot_js} js)
  file(READ ${uplot_css} css)
  file(READ ${uplot_licence} licence)
  set(style "${css}${style}")
  set(script "/*! uPlot\n${licence}\n*/\n${js}")
endif()
foreach(part dom axes table traces detail forest levels data_check rows answers effects main)
  file(READ ${FOLDER}/${part}.js js)
  string(APPEND script "${js}")
endforeach()
file(READ ${FOLDER}/page.html html)
string(REPLACE "@STYLE@" "${style}" html "${html}")
string(REPLACE "@SCRIPT@" "${script}" html "${html}")
file(WRITE ${OUT} "// Made by cmake/report_page.cmake.\n#include \"report/page_text.hpp\"\n\n"
  "namespace flymc {\n\nconst std::string_view kPageText = R\"=page=(${html})=page=\";\n"
  "const std::string_view kBaseStyle = R\"=page=(${base})=page=\";\n\n}  // namespace flymc\n")
