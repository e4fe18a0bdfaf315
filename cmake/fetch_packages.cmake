# fetch_packages(NPM FOLDER TROUBLE): the packages of FOLDER/package-lock.json into FOLDER/node_modules, if they are not there or others.
# TROUBLE is empty, or what npm said.
function(fetch_packages npm folder trouble)
  set(${trouble} "" PARENT_SCOPE)
  set(installed ${folder}/node_modules/.package-lock.json)
  if(EXISTS ${installed} AND NOT ${folder}/package-lock.json IS_NEWER_THAN ${installed})
    return()
  endif()
  execute_process(COMMAND ${npm} ci --no-audit --no-fund --loglevel=error WORKING_DIRECTORY ${folder}
                  RESULT_VARIABLE failed OUTPUT_VARIABLE log ERROR_VARIABLE log)
  if(failed)
    set(${trouble} "npm could not fetch the packages of ${folder}\n${log}" PARENT_SCOPE)
  else()
    file(TOUCH_NOCREATE ${installed})
  endif()
endfunction()
