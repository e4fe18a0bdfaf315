# The library for programs outside of this tree: the objects of all rooms in one archive, the public headers, and what
# find_package(nsmc) reads. Inside, the target is nsmc::nsmc as well.
get_property(rooms GLOBAL PROPERTY NSMC_ROOMS)  # those of the runtime
list(PREPEND rooms support grammar syntax model symbolic mechanics codegen api)
set(objects "")
foreach(room IN LISTS rooms)
  list(APPEND objects $<TARGET_OBJECTS:nsmc_${room}>)
endforeach()
add_library(nsmc_library STATIC ${objects})
set_target_properties(nsmc_library PROPERTIES OUTPUT_NAME nsmc LINKER_LANGUAGE CXX)
add_library(nsmc::nsmc ALIAS nsmc_api)

include(GNUInstallDirs)
include(CMakePackageConfigHelpers)
set(NSMC_LIBRARY_FILE ${CMAKE_INSTALL_LIBDIR}/libnsmc.a)
set(NSMC_INCLUDE_FOLDER ${CMAKE_INSTALL_INCLUDEDIR})
set(package ${CMAKE_INSTALL_LIBDIR}/cmake/nsmc)
configure_package_config_file(${CMAKE_SOURCE_DIR}/cmake/nsmcConfig.cmake.in ${CMAKE_BINARY_DIR}/nsmcConfig.cmake
  INSTALL_DESTINATION ${package} PATH_VARS NSMC_LIBRARY_FILE NSMC_INCLUDE_FOLDER)
write_basic_package_version_file(${CMAKE_BINARY_DIR}/nsmcConfigVersion.cmake COMPATIBILITY SameMinorVersion)
install(TARGETS nsmc_library ARCHIVE DESTINATION ${CMAKE_INSTALL_LIBDIR} COMPONENT library)
install(DIRECTORY ${CMAKE_SOURCE_DIR}/compiler/api/include/nsmc DESTINATION ${CMAKE_INSTALL_INCLUDEDIR} COMPONENT library)
install(FILES ${CMAKE_BINARY_DIR}/nsmcConfig.cmake ${CMAKE_BINARY_DIR}/nsmcConfigVersion.cmake DESTINATION ${package}
  COMPONENT library)
