# The pages of `nsmc view` and `nsmc studio`: web/ bundled into build/web/, beside the program and installed with it. They are built where npm is
# there; `ninja nsmc` does not wait for it, and without it everything but `view` and `studio` works.
option(NSMC_WEB "build the page of nsmc view where npm is there" ON)
find_program(NSMC_NODE node)
find_program(NSMC_NPM npm)
set(NSMC_PAGE ${CMAKE_BINARY_DIR}/web/view.html)
set(NSMC_STUDIO_PAGE ${CMAKE_BINARY_DIR}/web/studio.html)
if(NSMC_WEB AND NSMC_NODE AND NSMC_NPM)
  file(GLOB_RECURSE sources CONFIGURE_DEPENDS ${CMAKE_SOURCE_DIR}/web/src/* ${CMAKE_SOURCE_DIR}/web/tools/build.mjs
    ${CMAKE_SOURCE_DIR}/editors/vscode/syntaxes/*.json)
  add_custom_command(OUTPUT ${NSMC_PAGE} ${NSMC_STUDIO_PAGE}
    COMMAND ${CMAKE_COMMAND} -DNODE=${NSMC_NODE} -DNPM=${NSMC_NPM} -DWEB=${CMAKE_SOURCE_DIR}/web -DFOLDER=${CMAKE_BINARY_DIR}/web
            -P ${CMAKE_SOURCE_DIR}/cmake/build_web.cmake
    DEPENDS ${sources} ${CMAKE_SOURCE_DIR}/web/package.json ${CMAKE_SOURCE_DIR}/web/package-lock.json
            ${CMAKE_SOURCE_DIR}/cmake/build_web.cmake
    COMMENT "Bundling the page of nsmc view" VERBATIM)
  add_custom_target(web ALL DEPENDS ${NSMC_PAGE} ${NSMC_STUDIO_PAGE})
else()
  message(STATUS "no npm: nsmc is built without the page that `view` and `studio` need; scripts/view installs it")
endif()
include(GNUInstallDirs)
# The studio has the models as examples.
install(DIRECTORY ${CMAKE_SOURCE_DIR}/models DESTINATION ${CMAKE_INSTALL_DATADIR}/nsmc COMPONENT program
  FILES_MATCHING PATTERN "*.nsm")
install(FILES ${NSMC_PAGE} ${NSMC_STUDIO_PAGE} DESTINATION ${CMAKE_INSTALL_DATADIR}/nsmc/web COMPONENT program OPTIONAL)
# Editors find their files below a prefix by these names.
install(DIRECTORY ${CMAKE_SOURCE_DIR}/editors/vim/ DESTINATION share/vim/vimfiles COMPONENT program)
install(FILES ${CMAKE_SOURCE_DIR}/editors/emacs/nsm-mode.el DESTINATION share/emacs/site-lisp COMPONENT program)
install(FILES ${CMAKE_SOURCE_DIR}/editors/vscode/dist/nsmc.vsix DESTINATION share/nsmc/editors COMPONENT program OPTIONAL)
