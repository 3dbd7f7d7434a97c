# One small library a kind of MPI that is here, beside the program, which loads the one it needs.
if(FLYMC_STATIC)
  return()  # they link this machine's MPI
endif()
foreach(kind openmpi mpich)
  find_program(FLYMC_MPICXX_${kind} NAMES mpicxx.${kind} mpic++.${kind})
  if(NOT FLYMC_MPICXX_${kind})
    message(STATUS "flymc: no ${kind} here; mpirun of that kind will not work")
    continue()
  endif()
  # The wrapper compiler knows its own flags; it is run in our compiler's place.
  add_custom_command(OUTPUT ${CMAKE_BINARY_DIR}/libflymc-mpi-${kind}.so
    COMMAND ${FLYMC_MPICXX_${kind}} -std=c++20 -O2 -fPIC -shared -Wall -Wextra
            -DOMPI_SKIP_MPICXX -DMPICH_SKIP_MPICXX
            -I${CMAKE_CURRENT_SOURCE_DIR}/src
            ${CMAKE_CURRENT_SOURCE_DIR}/src/ranks/backend/mpi_backend.cpp
            -o ${CMAKE_BINARY_DIR}/libflymc-mpi-${kind}.so
    DEPENDS src/ranks/backend/mpi_backend.cpp src/ranks/mpi_backend.hpp
    COMMENT "Building the ${kind} part")
  add_custom_target(flymc_mpi_${kind} ALL DEPENDS ${CMAKE_BINARY_DIR}/libflymc-mpi-${kind}.so)
  list(APPEND FLYMC_MPI_LIBRARIES ${CMAKE_BINARY_DIR}/libflymc-mpi-${kind}.so)
  add_dependencies(flymc_main flymc_mpi_${kind})
endforeach()
