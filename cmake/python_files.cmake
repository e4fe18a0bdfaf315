# cmake -DBUILD=<tree> -DPLACE=<folder> -P python_files.cmake
# The module of the package, and the page of `nsmc view` if it was built, into a folder that becomes a wheel.
file(GLOB modules ${BUILD}/python/nsmc/_nsmc.*)
if(NOT modules)
  message(FATAL_ERROR "${BUILD} has no module of Python: are pybind11-dev and python3-dev there?")
endif()
file(COPY ${modules} DESTINATION ${PLACE})
if(EXISTS ${BUILD}/web/view.html)
  file(COPY ${BUILD}/web/view.html DESTINATION ${PLACE}/web)
endif()
