# cmake -DOUT=folder -P bundle_pages.cmake: bundles the pages of web/ into the folder: what the
# program carries of the dashboard and of reports. Needs web/node_modules.
get_filename_component(web ${CMAKE_CURRENT_LIST_DIR}/../web ABSOLUTE)
get_filename_component(OUT ${OUT} ABSOLUTE)

include(${CMAKE_CURRENT_LIST_DIR}/page_sources.cmake)

function(run)
  execute_process(COMMAND ${ARGN} WORKING_DIRECTORY ${web} COMMAND_ERROR_IS_FATAL ANY)
endfunction()

run(${CMAKE_COMMAND} -E env WARDEN_WEB_OUT=${OUT}/dashboard
  ${web}/node_modules/.bin/vite build --logLevel warn ${web})
# Reports are files that people keep and open with older browsers.
foreach(asset "ReportScript.js src/report/main.ts" "ReportStyle.css src/report/report.css")
  separate_arguments(asset)
  list(GET asset 0 file)
  list(GET asset 1 entry)
  run(${web}/node_modules/.bin/esbuild ${web}/${entry} --bundle --minify --target=es2020
    --log-level=warning --outfile=${OUT}/${file})
endforeach()
warden_page_sources(hash ${web})
file(WRITE ${OUT}/sources.sha256 ${hash})
