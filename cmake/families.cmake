# From the list of families to sources: the run-time list, the engines by family, and one file a
# family that instantiates its engine, so that families compile side by side. Half of what they
# instantiate is the same; but compiled as one, regular MCMC takes a twentieth longer.
#   flymc_families(VARIABLE FOLDER LIST...)  writes them into FOLDER and puts their paths into
#   VARIABLE. A list with one more family needs these files and no other compiled again: linked
#   before the library they stand in for its own.
set(FLYMC_FAMILY_TEMPLATES ${CMAKE_CURRENT_LIST_DIR}/families)
set(FLYMC_FAMILY_SOURCES_FOLDER ${CMAKE_CURRENT_LIST_DIR}/../src/family)

# NegativeBinomial -> negative_binomial
function(flymc_file_name class variable)
  string(REGEX REPLACE "([a-z0-9])([A-Z])" "\\1_\\2" name ${class})
  string(TOLOWER ${name} name)
  set(${variable} ${name} PARENT_SCOPE)
endfunction()

function(flymc_families variable folder)
  set(types "")
  foreach(list ${ARGN})
    set_property(DIRECTORY APPEND PROPERTY CMAKE_CONFIGURE_DEPENDS ${list})
    file(STRINGS ${list} listed REGEX "^[A-Z]")
    list(APPEND types ${listed})
  endforeach()
  set(sources ${folder}/families.cpp ${folder}/family_engines.cpp)
  set(FAMILY_INCLUDES "")
  set(FAMILY_TYPES "")
  set(FAMILY_ENGINES "")
  if(FLYMC_UNITY)  # together, and apart from engines: a longer list stands in for both
    set_source_files_properties(${sources} PROPERTIES UNITY_GROUP family_list)
  endif()
  foreach(line ${types})
    string(REGEX MATCH "^([A-Za-z]+)( of ([A-Za-z]+))?" matched ${line})
    set(FAMILY ${CMAKE_MATCH_1})
    set(base ${CMAKE_MATCH_3})
    flymc_file_name(${FAMILY} name)
    if(base)
      flymc_file_name(${base} file)
    else()
      set(file ${name})
      string(APPEND FAMILY_TYPES "      &kFamilyType<${FAMILY}>,\n")
    endif()
    set(FAMILY_HEADER flymc/family/${file}.hpp)
    if(EXISTS ${FLYMC_FAMILY_SOURCES_FOLDER}/${file}.hpp)
      set(FAMILY_HEADER family/${file}.hpp)
    endif()
    string(APPEND FAMILY_INCLUDES "#include \"${FAMILY_HEADER}\"\n")
    string(APPEND FAMILY_ENGINES "      {&kFamilyType<${FAMILY}>, &family_engine<${FAMILY}>()},\n")
    configure_file(${FLYMC_FAMILY_TEMPLATES}/engine.cpp.in ${folder}/engine_${name}.cpp @ONLY)
    if(FLYMC_UNITY AND FAMILY_HEADER MATCHES "^family/")  # no engine of their own: one for all
      set_source_files_properties(${folder}/engine_${name}.cpp PROPERTIES UNITY_GROUP families)
    endif()
    list(APPEND sources ${folder}/engine_${name}.cpp)
  endforeach()
  configure_file(${FLYMC_FAMILY_TEMPLATES}/families.cpp.in ${folder}/families.cpp @ONLY)
  configure_file(${FLYMC_FAMILY_TEMPLATES}/family_engines.cpp.in ${folder}/family_engines.cpp @ONLY)
  set(${variable} ${sources} PARENT_SCOPE)
endfunction()
