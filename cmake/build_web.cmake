# cmake -DNODE=... -DNPM=... -DWEB=<folder> -DFOLDER=<for the pages> -P build_web.cmake
# Fetches the packages of web/package-lock.json if they are not there or others, then bundles. Where they cannot be fetched, says so and
# leaves the rest of the build alone: the next build tries again.
set(installed ${WEB}/node_modules/.package-lock.json)
if(NOT EXISTS ${installed} OR ${WEB}/package-lock.json IS_NEWER_THAN ${installed})
  execute_process(COMMAND ${NPM} ci --no-audit --no-fund --loglevel=error WORKING_DIRECTORY ${WEB}
                  RESULT_VARIABLE failed OUTPUT_VARIABLE log ERROR_VARIABLE log)
  if(failed)
    message("The page of `nsmc view` is not built: npm could not fetch its packages. nsmc itself works.\n${log}")
    return()
  endif()
  file(TOUCH_NOCREATE ${installed})
endif()
execute_process(COMMAND ${NODE} ${WEB}/tools/build.mjs --out ${FOLDER} WORKING_DIRECTORY ${WEB}
                RESULT_VARIABLE failed OUTPUT_VARIABLE log ERROR_VARIABLE log)
if(failed)
  message(FATAL_ERROR "the page of nsmc view could not be bundled:\n${log}")
endif()
