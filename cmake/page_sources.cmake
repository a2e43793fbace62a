# Files of web/src that are not in the pages.
set(WARDEN_PAGE_TESTS "(\\.test|_for_test)\\.ts$")

# warden_page_sources(RESULT web): a hash of what the pages are bundled from. Pages in web/dist that
# were bundled from other sources are not used.
function(warden_page_sources result web)
  file(GLOB_RECURSE sources RELATIVE ${web} ${web}/src/*.ts ${web}/src/*.css)
  list(FILTER sources EXCLUDE REGEX "${WARDEN_PAGE_TESTS}")
  list(APPEND sources index.html vite.config.ts package-lock.json)
  set(hashes "")
  foreach(source ${sources})
    file(SHA256 ${web}/${source} hash)
    string(APPEND hashes "${source} ${hash}\n")
  endforeach()
  string(SHA256 hash "${hashes}")
  set(${result} ${hash} PARENT_SCOPE)
endfunction()
