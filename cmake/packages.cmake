# Debian packages by CPack: scripts/package. What goes where is said by the components of install():
#   nsmc          the program, models, pages, manual, completions, files for vim and Emacs     (program, program_papers)
#   libnsmc-dev   the library with its headers and find_package(nsmc)                         (library, library_papers)
#   python3-nsmc  the package of Python, for Debian's python3                                 (python_debian, python_papers)
# Components that only packages have are left out by `cmake --install`.
if(NOT CMAKE_SYSTEM_NAME STREQUAL "Linux" OR NSMC_SANITIZE OR NSMC_SANITIZE_THREAD OR NSMC_FUZZ)
  return()
endif()
find_program(NSMC_GZIP gzip)
if(NOT NSMC_GZIP)
  return()
endif()

set(papers ${CMAKE_SOURCE_DIR}/cmake/debian)
set(NSMC_PACKAGE_MAINTAINER "The nsmc authors <nsmc@nsmc.invalid>" CACHE STRING "who packages are from")
set(share ${CMAKE_BINARY_DIR}/share-debian)
# Debian's tools read changelog.gz: one entry in their format, of the day of this version in CHANGELOG.md, which stands beside it.
string(REPLACE "." "\\." version "${PROJECT_VERSION}")
file(STRINGS ${CMAKE_SOURCE_DIR}/CHANGELOG.md day REGEX "^## \\[${version}\\]")
string(REGEX MATCH "[0-9]+-[0-9]+-[0-9]+" day "${day}")
execute_process(COMMAND date -u -R -d "${day}" OUTPUT_VARIABLE day OUTPUT_STRIP_TRAILING_WHITESPACE)
configure_file(${papers}/changelog.in ${share}/changelog @ONLY)
set(changelog ${share}/changelog.gz ${share}/CHANGELOG.md.gz)
add_custom_command(OUTPUT ${changelog}
  COMMAND ${NSMC_GZIP} -9nc ${share}/changelog > ${share}/changelog.gz
  COMMAND ${NSMC_GZIP} -9nc ${CMAKE_SOURCE_DIR}/CHANGELOG.md > ${share}/CHANGELOG.md.gz
  DEPENDS ${share}/changelog ${CMAKE_SOURCE_DIR}/CHANGELOG.md VERBATIM)
add_custom_target(nsmc_changelog ALL DEPENDS ${changelog})

#   nsmc_papers(PACKAGE COMPONENT): what /usr/share/doc/PACKAGE must have.
function(nsmc_papers package component)
  install(FILES ${papers}/copyright ${changelog} DESTINATION share/doc/${package} COMPONENT ${component} EXCLUDE_FROM_ALL)
endfunction()
nsmc_papers(nsmc program_papers)
nsmc_papers(libnsmc-dev library_papers)
install(FILES ${CMAKE_SOURCE_DIR}/README.md DESTINATION share/doc/nsmc COMPONENT program_papers EXCLUDE_FROM_ALL)
install(DIRECTORY ${CMAKE_SOURCE_DIR}/docs DESTINATION share/doc/nsmc COMPONENT program_papers EXCLUDE_FROM_ALL
  FILES_MATCHING PATTERN "*.md" PATTERN "gallery" EXCLUDE PATTERN "reproduction" EXCLUDE
  PATTERN "tutorial" EXCLUDE PATTERN "site" EXCLUDE)
install(FILES ${CMAKE_BINARY_DIR}/web/licenses.txt DESTINATION share/doc/nsmc COMPONENT program_papers EXCLUDE_FROM_ALL OPTIONAL)

set(CPACK_GENERATOR DEB)
set(CPACK_PACKAGE_NAME nsmc)
set(CPACK_PACKAGE_DESCRIPTION_SUMMARY "modelling language and compiler for non-smooth mechanics")
set(CPACK_PACKAGE_DIRECTORY ${CMAKE_BINARY_DIR}/packages)
set(CPACK_PACKAGING_INSTALL_PREFIX /usr)
set(CPACK_STRIP_FILES ON)
set(CPACK_INSTALL_DEFAULT_DIRECTORY_PERMISSIONS OWNER_READ OWNER_WRITE OWNER_EXECUTE GROUP_READ GROUP_EXECUTE WORLD_READ
  WORLD_EXECUTE)
set(CPACK_VERBATIM_VARIABLES ON)
set(CPACK_COMPONENTS_GROUPING ONE_PER_GROUP)
set(CPACK_COMPONENTS_ALL program program_papers library library_papers)
set(CPACK_COMPONENT_PROGRAM_GROUP nsmc)
set(CPACK_COMPONENT_PROGRAM_PAPERS_GROUP nsmc)
set(CPACK_COMPONENT_LIBRARY_GROUP dev)
set(CPACK_COMPONENT_LIBRARY_PAPERS_GROUP dev)

set(CPACK_DEB_COMPONENT_INSTALL ON)
set(CPACK_DEBIAN_FILE_NAME DEB-DEFAULT)
set(CPACK_DEBIAN_PACKAGE_MAINTAINER "${NSMC_PACKAGE_MAINTAINER}")
set(CPACK_DEBIAN_PACKAGE_SECTION science)
set(CPACK_DEBIAN_PACKAGE_PRIORITY optional)
set(CPACK_DEBIAN_PACKAGE_CONTROL_STRICT_PERMISSION ON)
set(CPACK_DEBIAN_COMPRESSION_TYPE xz)
set(CPACK_DEBIAN_PACKAGE_SHLIBDEPS ON)
# nsmc_mpi.so is loaded under mpirun alone, and whoever has mpirun has its library.
set(CPACK_PROJECT_CONFIG_FILE ${CMAKE_BINARY_DIR}/share-debian/cpack.cmake)
file(WRITE ${CMAKE_BINARY_DIR}/share-debian/shlibdeps "#!/bin/sh\nexec dpkg-shlibdeps -xlibopenmpi3 -xlibmpich12 \"$@\"\n")
file(CHMOD ${CMAKE_BINARY_DIR}/share-debian/shlibdeps PERMISSIONS OWNER_READ OWNER_WRITE OWNER_EXECUTE)
file(WRITE ${CPACK_PROJECT_CONFIG_FILE} "set(SHLIBDEPS_EXECUTABLE ${CMAKE_BINARY_DIR}/share-debian/shlibdeps)\n")

set(CPACK_DEBIAN_NSMC_PACKAGE_NAME nsmc)
set(CPACK_DEBIAN_NSMC_PACKAGE_SUGGESTS "gnuplot-nox | gnuplot, openmpi-bin, python3-nsmc, libnsmc-dev, xdg-utils")
set(CPACK_COMPONENT_NSMC_DESCRIPTION
  "A model file says what a mechanical system is: coordinates or bodies,\nenergies, contacts, and force laws written as normal cone inclusions.\nnsmc derives the equations of motion, compiles them to machine code and\nsimulates impacts, unilateral contacts and dry friction.")

set(CPACK_DEBIAN_DEV_PACKAGE_NAME libnsmc-dev)
set(CPACK_DEBIAN_DEV_PACKAGE_SECTION libdevel)
# What find_package(nsmc) asks for. nsmc/step_numbers.hpp has Eigen's matrices.
set(CPACK_DEBIAN_DEV_PACKAGE_DEPENDS
  "libantlr4-runtime-dev, libeigen3-dev, libfmt-dev, libsundials-dev, llvm-${LLVM_VERSION_MAJOR}-dev")
set(CPACK_DEBIAN_DEV_PACKAGE_RECOMMENDS "cmake, g++")
set(CPACK_COMPONENT_DEV_DESCRIPTION
  "The library of nsmc for C++20: models from files or from memory, runs and\nstudies as values. find_package(nsmc) gives nsmc::nsmc.")

if(TARGET nsmc_python)
  set(site lib/python3/dist-packages/nsmc)
  install(TARGETS nsmc_python LIBRARY DESTINATION ${site} COMPONENT python_debian EXCLUDE_FROM_ALL)
  install(FILES ${NSMC_PYTHON_FILES} DESTINATION ${site} COMPONENT python_debian EXCLUDE_FROM_ALL)
  nsmc_papers(python3-nsmc python_papers)
  list(APPEND CPACK_COMPONENTS_ALL python_debian python_papers)
  set(CPACK_COMPONENT_PYTHON_DEBIAN_GROUP python)
  set(CPACK_COMPONENT_PYTHON_PAPERS_GROUP python)
  set(CPACK_DEBIAN_PYTHON_PACKAGE_NAME python3-nsmc)
  set(CPACK_DEBIAN_PYTHON_PACKAGE_SECTION python)
  math(EXPR next "${Python3_VERSION_MINOR} + 1")
  set(CPACK_DEBIAN_PYTHON_PACKAGE_DEPENDS "python3 (>= 3.${Python3_VERSION_MINOR}), python3 (<< 3.${next})")
  set(CPACK_DEBIAN_PYTHON_PACKAGE_RECOMMENDS "python3-numpy, nsmc")
  set(CPACK_DEBIAN_PYTHON_PACKAGE_SUGGESTS "python3-matplotlib, python3-pandas, python3-scipy, jupyter-notebook")
  set(CPACK_DEBIAN_PYTHON_PACKAGE_CONTROL_EXTRA "${papers}/python/postinst;${papers}/python/prerm")
  set(CPACK_COMPONENT_PYTHON_DESCRIPTION
    "Models of nsmc in Python: runs with arrays of numpy that look at the memory\nof the run, runs step by step, sweeps on all cores, pages in notebooks.")
endif()
include(CPack)
cpack_add_component_group(nsmc DESCRIPTION "${CPACK_COMPONENT_NSMC_DESCRIPTION}")
cpack_add_component_group(dev DESCRIPTION "${CPACK_COMPONENT_DEV_DESCRIPTION}")
cpack_add_component_group(python DESCRIPTION "${CPACK_COMPONENT_PYTHON_DESCRIPTION}")
