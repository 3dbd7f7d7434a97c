# Files of one folder that hold no hot loop over data are compiled as one: most of their compile time
# is the same templates of the standard library, fmt and json, again for every file. Kernels, targets,
# searches and engines stay alone: what the compiler may inline there decides the last digit of a
# draw. Preset dev compiles every file alone, which also keeps names apart that only share a folder.
option(FLYMC_UNITY "Compile the files of a folder together where nothing is hot" ON)

# flymc_unite(TARGET FOLDER...): below the source folder.
function(flymc_unite target)
  if(NOT FLYMC_UNITY)
    return()
  endif()
  set_target_properties(${target} PROPERTIES UNITY_BUILD ON UNITY_BUILD_MODE GROUP)
  get_target_property(sources ${target} SOURCES)
  foreach(folder ${ARGN})
    string(REPLACE "/" "_" group ${folder})
    foreach(source ${sources})
      cmake_path(GET source PARENT_PATH parent)
      if(parent STREQUAL "${CMAKE_CURRENT_SOURCE_DIR}/${folder}")
        set_source_files_properties(${source} PROPERTIES UNITY_GROUP ${group})
      endif()
    endforeach()
  endforeach()
endfunction()
