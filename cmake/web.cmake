# warden_page_asset(PART FUNCTION entry HEADER header): bundles web/entry with esbuild and puts the
# result into the part, as the function that the header declares.
find_program(ESBUILD esbuild REQUIRED)
function(warden_page_asset part function entry header)
  file(GLOB_RECURSE sources CONFIGURE_DEPENDS
    ${PROJECT_SOURCE_DIR}/web/src/*.ts ${PROJECT_SOURCE_DIR}/web/src/*.css)
  get_filename_component(extension ${entry} LAST_EXT)
  string(REPLACE ".ts" ".js" extension ${extension})
  set(bundle ${PROJECT_BINARY_DIR}/web/${function}${extension})
  set(embedded ${PROJECT_BINARY_DIR}/web/${function}.cc)
  add_custom_command(OUTPUT ${embedded}
    COMMAND ${ESBUILD} ${PROJECT_SOURCE_DIR}/web/${entry} --bundle --minify --target=es2020
      --log-level=warning --outfile=${bundle}
    COMMAND ${CMAKE_COMMAND} -DINPUT=${bundle} -DOUTPUT=${embedded} -DHEADER=${header}
      -DNAME=${function} -P ${PROJECT_SOURCE_DIR}/cmake/embed.cmake
    DEPENDS ${sources} ${PROJECT_SOURCE_DIR}/cmake/embed.cmake
    COMMENT "Bundling web/${entry}")
  target_sources(warden_${part} PRIVATE ${embedded})
endfunction()
