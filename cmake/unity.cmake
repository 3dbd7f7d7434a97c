# Files of one folder are compiled as one: most of their compile time is the same headers and the
# same templates of the standard library, fmt, json and Eigen, again for every file. Preset dev
# compiles every file alone, which also keeps names apart that only share a folder. What the compiler
# may inline can decide the last digit of a draw: after a change of these groups compare
# tools/golden_runs.py.
option(FLYMC_UNITY "Compile the files of a folder together" ON)

# flymc_unite(TARGET FOLDER...): the target's files in these folders of the project, as one.
function(flymc_unite target)
  if(NOT FLYMC_UNITY)
    return()
  endif()
  set_target_properties(${target} PROPERTIES UNITY_BUILD ON UNITY_BUILD_MODE GROUP)
  get_target_property(sources ${target} SOURCES)
  list(TRANSFORM ARGN PREPEND ${PROJECT_SOURCE_DIR}/ OUTPUT_VARIABLE folders)
  string(REPLACE "/" "_" group ${ARGV1})
  foreach(source ${sources})
    cmake_path(GET source PARENT_PATH parent)
    if(parent IN_LIST folders)
      set_source_files_properties(${source} PROPERTIES UNITY_GROUP ${group})
    endif()
  endforeach()
endfunction()
