# The pages of web/ as parts of the program. They are taken from the first of these that is there:
# - web/node_modules with the tools in it (tools/setup.sh fills it): bundled by the build
# - web/dist, bundled before from the same sources (tools/pages.sh; source packages contain it)
# - npm: fills web/node_modules now
# - web/plain: pages that say that there are none, so that the program can be built without Node.js
include(${CMAKE_CURRENT_LIST_DIR}/page_sources.cmake)
set(WARDEN_WEB AUTO CACHE STRING "Dashboard pages: AUTO (if they can be built), ON (required), OFF")
set_property(CACHE WARDEN_WEB PROPERTY STRINGS AUTO ON OFF)
set(WARDEN_WEB_DIR ${PROJECT_SOURCE_DIR}/web)
set(WARDEN_PAGE_FILES
  ReportScript.js ReportStyle.css dashboard/index.html dashboard/app.js dashboard/app.css)

# Whether web/node_modules has what pages are bundled with.
function(warden_has_page_tools result)
  set(${result} TRUE PARENT_SCOPE)
  foreach(tool .bin/esbuild .bin/vite uplot/package.json)
    if(NOT EXISTS ${WARDEN_WEB_DIR}/node_modules/${tool})
      set(${result} FALSE PARENT_SCOPE)
    endif()
  endforeach()
endfunction()

# Whether web/dist has all pages, bundled from the sources as they are.
function(warden_has_built_pages result)
  if(EXISTS ${WARDEN_WEB_DIR}/dist/sources.sha256)
    file(READ ${WARDEN_WEB_DIR}/dist/sources.sha256 built_from)
  endif()
  warden_page_sources(sources ${WARDEN_WEB_DIR})
  if(NOT sources STREQUAL built_from)
    set(${result} FALSE PARENT_SCOPE)
    return()
  endif()
  set(${result} TRUE PARENT_SCOPE)
  foreach(file ${WARDEN_PAGE_FILES})
    if(NOT EXISTS ${WARDEN_WEB_DIR}/dist/${file})
      set(${result} FALSE PARENT_SCOPE)
    endif()
  endforeach()
endfunction()

# Fills web/node_modules with npm; why not, if that fails.
function(warden_install_page_tools reason)
  find_program(npm npm NO_CACHE)
  if(NOT npm)
    set(${reason} "npm is not installed" PARENT_SCOPE)
    return()
  endif()
  message(STATUS "Installing the tools that bundle the dashboard pages, with npm")
  execute_process(
    COMMAND ${npm} ci --omit=dev --ignore-scripts --no-audit --no-fund --loglevel=error
      --fetch-retries=1
    WORKING_DIRECTORY ${WARDEN_WEB_DIR} TIMEOUT 300
    RESULT_VARIABLE result OUTPUT_QUIET ERROR_VARIABLE errors)
  string(REGEX REPLACE "\n.*" "" errors "${errors}")
  warden_has_page_tools(installed)
  if(result EQUAL 0 AND installed)
    set(${reason} "" PARENT_SCOPE)
  else()
    set(${reason} "npm ci failed in web/ (${result}): ${errors}" PARENT_SCOPE)
  endif()
endfunction()

set(WARDEN_HAS_PAGES TRUE)
set(WARDEN_PAGES ${PROJECT_BINARY_DIR}/web)
if(WARDEN_WEB STREQUAL "AUTO" OR WARDEN_WEB)
  warden_has_page_tools(bundle)
  warden_has_built_pages(built)
  if(NOT bundle AND NOT built)
    warden_install_page_tools(reason)
    warden_has_page_tools(bundle)
  endif()
  if(bundle)
    message(STATUS "Dashboard pages: bundled from web/src")
  elseif(built)
    message(STATUS "Dashboard pages: web/dist")
    set(WARDEN_PAGES ${WARDEN_WEB_DIR}/dist)
  elseif(WARDEN_WEB STREQUAL "AUTO")
    message(WARNING "This build will have no dashboard pages: ${reason}.\n"
      "Install Node.js 20 or newer and configure again, or set -DWARDEN_WEB=OFF to hide this.")
    set(WARDEN_HAS_PAGES FALSE)
  else()
    message(FATAL_ERROR "WARDEN_WEB is ON, but the dashboard pages cannot be built: ${reason}.\n"
      "Install Node.js 20 or newer, or set -DWARDEN_WEB=OFF to build without them.")
  endif()
else()
  message(STATUS "Dashboard pages: none (WARDEN_WEB is OFF)")
  set(bundle FALSE)
  set(WARDEN_HAS_PAGES FALSE)
endif()
if(NOT WARDEN_HAS_PAGES)
  set(WARDEN_PAGES ${WARDEN_WEB_DIR}/plain)
endif()

# The choice is made again when what it rests on disappears, or when something new is in web/.
if(bundle)
  set_property(DIRECTORY APPEND PROPERTY CMAKE_CONFIGURE_DEPENDS
    ${WARDEN_WEB_DIR}/node_modules/.bin/vite)
  file(GLOB_RECURSE sources CONFIGURE_DEPENDS
    ${WARDEN_WEB_DIR}/src/*.ts ${WARDEN_WEB_DIR}/src/*.css)
  list(FILTER sources EXCLUDE REGEX "${WARDEN_PAGE_TESTS}")
  set(outputs ${WARDEN_PAGE_FILES})
  list(TRANSFORM outputs PREPEND ${WARDEN_PAGES}/)
  add_custom_command(OUTPUT ${outputs}
    COMMAND ${CMAKE_COMMAND} -DOUT=${WARDEN_PAGES} -P ${PROJECT_SOURCE_DIR}/cmake/bundle_pages.cmake
    DEPENDS ${sources} ${WARDEN_WEB_DIR}/index.html ${WARDEN_WEB_DIR}/vite.config.ts
      ${WARDEN_WEB_DIR}/package-lock.json ${PROJECT_SOURCE_DIR}/cmake/bundle_pages.cmake
    COMMENT "Bundling the dashboard pages")
  # Several parts carry some of them; this target has them bundled once, before all of those.
  add_custom_target(warden_pages DEPENDS ${outputs})
else()
  set_property(DIRECTORY APPEND PROPERTY CMAKE_CONFIGURE_DEPENDS ${WARDEN_WEB_DIR})
endif()

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

# warden_embed_page(TARGET FUNCTION file NAMESPACE namespace HEADER header): the same for one of the
# pages' files.
function(warden_embed_page target function file)
  warden_embed(${target} ${function} ${WARDEN_PAGES}/${file} ${ARGN})
  if(TARGET warden_pages)
    add_dependencies(${target} warden_pages)
  endif()
endfunction()

# warden_report_asset(FUNCTION entry): what the pages of reports carry of web/entry.
function(warden_report_asset function entry)
  get_filename_component(extension ${entry} LAST_EXT)
  string(REPLACE ".ts" ".js" extension ${extension})
  warden_embed_page(warden_report ${function} ${function}${extension}
    NAMESPACE warden::report HEADER warden/report/page_assets.h)
endfunction()

# warden_dashboard_assets(TARGET): the dashboard: a page, a script, a style.
function(warden_dashboard_assets target)
  foreach(asset "Page index.html" "Script app.js" "Style app.css")
    separate_arguments(asset)
    list(GET asset 0 name)
    list(GET asset 1 file)
    warden_embed_page(${target} Dashboard${name} dashboard/${file}
      NAMESPACE warden::dashboard HEADER warden/dashboard/site/page.h)
  endforeach()
  target_compile_definitions(${target} PRIVATE WARDEN_HAS_PAGES=$<BOOL:${WARDEN_HAS_PAGES}>)
endfunction()
