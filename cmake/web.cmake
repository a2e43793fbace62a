# The pages of web/ as parts of the program. web/node_modules has the tools; tools/setup.sh fills it.
set(WARDEN_WEB ${PROJECT_SOURCE_DIR}/web)
find_program(ESBUILD esbuild HINTS ${WARDEN_WEB}/node_modules/.bin NO_DEFAULT_PATH)
find_program(VITE vite HINTS ${WARDEN_WEB}/node_modules/.bin NO_DEFAULT_PATH)
if(NOT ESBUILD OR NOT VITE)
  message(FATAL_ERROR "web/node_modules is missing: run 'make setup', or 'npm ci' in web/")
endif()
file(GLOB_RECURSE WARDEN_WEB_SOURCES CONFIGURE_DEPENDS
  ${WARDEN_WEB}/src/*.ts ${WARDEN_WEB}/src/*.css)

# warden_embed(TARGET FUNCTION file NAMESPACE namespace HEADER header): the file as the function that
# the header declares.
function(warden_embed target function file)
  cmake_parse_arguments(ARG "" "NAMESPACE;HEADER" "" ${ARGN})
  set(embedded ${PROJECT_BINARY_DIR}/embedded/${function}.cc)
  add_custom_command(OUTPUT ${embedded}
    COMMAND ${CMAKE_COMMAND} -DINPUT=${file} -DOUTPUT=${embedded} -DHEADER=${ARG_HEADER}
      -DNAME=${function} -DNAMESPACE=${ARG_NAMESPACE} -P ${PROJECT_SOURCE_DIR}/cmake/embed.cmake
    DEPENDS ${file} ${PROJECT_SOURCE_DIR}/cmake/embed.cmake)
  target_sources(${target} PRIVATE ${embedded})
endfunction()

# warden_report_asset(FUNCTION entry): bundles web/entry for the pages of reports, which carry it.
function(warden_report_asset function entry)
  get_filename_component(extension ${entry} LAST_EXT)
  string(REPLACE ".ts" ".js" extension ${extension})
  set(bundle ${PROJECT_BINARY_DIR}/web/${function}${extension})
  add_custom_command(OUTPUT ${bundle}
    COMMAND ${ESBUILD} ${WARDEN_WEB}/${entry} --bundle --minify --target=es2020
      --log-level=warning --outfile=${bundle}
    DEPENDS ${WARDEN_WEB_SOURCES}
    COMMENT "Bundling web/${entry}")
  warden_embed(warden_report ${function} ${bundle}
    NAMESPACE warden::report HEADER warden/report/page_assets.h)
endfunction()

# warden_dashboard_assets(TARGET): bundles the dashboard: a page, a script, a style.
function(warden_dashboard_assets target)
  set(out ${PROJECT_BINARY_DIR}/web/dashboard)
  add_custom_command(OUTPUT ${out}/index.html ${out}/app.js ${out}/app.css
    COMMAND ${CMAKE_COMMAND} -E env WARDEN_WEB_OUT=${out}
      ${VITE} build --logLevel warn ${WARDEN_WEB}
    DEPENDS ${WARDEN_WEB_SOURCES} ${WARDEN_WEB}/index.html ${WARDEN_WEB}/vite.config.ts
      ${WARDEN_WEB}/package-lock.json
    COMMENT "Bundling the dashboard")
  foreach(asset "Page index.html" "Script app.js" "Style app.css")
    separate_arguments(asset)
    list(GET asset 0 name)
    list(GET asset 1 file)
    warden_embed(${target} Dashboard${name} ${out}/${file}
      NAMESPACE warden::service HEADER warden/service/dashboard/site/page.h)
  endforeach()
endfunction()
