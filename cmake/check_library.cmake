# Installs the library in a place of its own, and builds and runs a program outside of the tree against it.
#   cmake -DBUILD=... -DEXAMPLE=... -DWORK=... -DCOMPILER=... -P check_library.cmake
file(REMOVE_RECURSE ${WORK})
file(MAKE_DIRECTORY ${WORK})
file(COPY ${EXAMPLE}/ DESTINATION ${WORK}/example)
execute_process(COMMAND ${CMAKE_COMMAND} --install ${BUILD} --component library --prefix ${WORK}/first OUTPUT_QUIET
  COMMAND_ERROR_IS_FATAL ANY)
# Moved once more, so that no path of the installation can matter.
file(RENAME ${WORK}/first ${WORK}/prefix)
execute_process(COMMAND ${CMAKE_COMMAND} -S ${WORK}/example -B ${WORK}/build -G Ninja -DCMAKE_PREFIX_PATH=${WORK}/prefix
  -DCMAKE_CXX_COMPILER=${COMPILER} -DCMAKE_CXX_FLAGS=${FLAGS} OUTPUT_QUIET COMMAND_ERROR_IS_FATAL ANY)
execute_process(COMMAND ${CMAKE_COMMAND} --build ${WORK}/build OUTPUT_QUIET COMMAND_ERROR_IS_FATAL ANY)
execute_process(COMMAND ${WORK}/build/example OUTPUT_VARIABLE printed COMMAND_ERROR_IS_FATAL ANY)
file(READ ${EXAMPLE}/expected.txt expected)
if(NOT printed STREQUAL expected)
  message(FATAL_ERROR "the program printed\n${printed}\nexpected\n${expected}")
endif()
file(REMOVE_RECURSE ${WORK})
