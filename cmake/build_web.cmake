# cmake -DNODE=... -DNPM=... -DWEB=<folder> -DFOLDER=<for the pages> -P build_web.cmake
# Fetches the packages of web/package-lock.json if they are not there or others, then bundles. Where they cannot be fetched, says so and
# leaves the rest of the build alone: the next build tries again.
include(${CMAKE_CURRENT_LIST_DIR}/fetch_packages.cmake)
fetch_packages(${NPM} ${WEB} trouble)
if(trouble)
  message("The page of `nsmc view` is not built: ${trouble}nsmc itself works.")
  return()
endif()
execute_process(COMMAND ${NODE} ${WEB}/tools/build.mjs --out ${FOLDER} WORKING_DIRECTORY ${WEB}
                RESULT_VARIABLE failed OUTPUT_VARIABLE log ERROR_VARIABLE log)
if(failed)
  message(FATAL_ERROR "the page of nsmc view could not be bundled:\n${log}")
endif()
