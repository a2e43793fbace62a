# warden_part(NAME [COLD] LINK libraries... [SEPARATE regex] [EXCEPT regex]): the folder warden/NAME as
# a library warden_NAME, and every *_test.cc in it as the test program NAME_test; for jobs/db they
# are warden_jobs_db and jobs_db_test. Files are found by their names, so that no test can be left
# out of the build.
# COLD: it waits for people, processes and the network and loops over no data, so it is optimized
# less and compiles in two thirds of the time.
# SEPARATE: a regular expression of files that are never compiled together with others.
# EXCEPT: files that belong to a part of their own.
function(warden_part folder)
  cmake_parse_arguments(ARG "COLD" "SEPARATE;EXCEPT" "LINK" ${ARGN})
  string(REPLACE "/" "_" name ${folder})
  file(GLOB_RECURSE sources CONFIGURE_DEPENDS ${PROJECT_SOURCE_DIR}/warden/${folder}/*.cc)
  if(ARG_EXCEPT)
    list(FILTER sources EXCLUDE REGEX ${ARG_EXCEPT})
  endif()
  set(tests ${sources})
  list(FILTER sources EXCLUDE REGEX "(_test|/main)\\.cc$")
  list(FILTER tests INCLUDE REGEX "_test\\.cc$")
  add_library(warden_${name} STATIC ${sources})
  target_link_libraries(warden_${name} PUBLIC warden_options Threads::Threads ${ARG_LINK})
  warden_precompile(warden_${name} warden_base)
  warden_unity(warden_${name} 40 ${ARG_SEPARATE})
  # Sanitized builds choose their own level, and their precompiled header must match it.
  if(ARG_COLD AND NOT WARDEN_SANITIZE)
    target_compile_options(warden_${name} PRIVATE $<$<CONFIG:RelWithDebInfo>:-O1>)
  endif()
  warden_test(${name}_test SOURCES ${tests} LINK warden_${name})
endfunction()

# warden_program(NAME PART part LINK libraries...): as warden_part, with part's program/main.cc.
function(warden_program name)
  cmake_parse_arguments(ARG "" "PART" "LINK" ${ARGN})
  warden_part(${ARG_PART} COLD LINK ${ARG_LINK})
  add_executable(${name} ${PROJECT_SOURCE_DIR}/warden/${ARG_PART}/program/main.cc)
  target_link_libraries(${name} PRIVATE warden_${ARG_PART})
  target_compile_definitions(warden_${ARG_PART} PUBLIC WARDEN_VERSION="${PROJECT_VERSION}")
endfunction()

# warden_test(NAME SOURCES files... LINK libraries...): a test program that ctest runs case by case.
function(warden_test name)
  cmake_parse_arguments(ARG "" "" "SOURCES;LINK" ${ARGN})
  if(NOT WARDEN_TESTS OR NOT ARG_SOURCES)
    return()
  endif()
  add_executable(${name} ${ARG_SOURCES})
  target_link_libraries(${name} PRIVATE
    ${ARG_LINK} warden_checkout_for_test GTest::gtest GTest::gtest_main)
  warden_precompile(${name} base_test <gtest/gtest.h>)
  warden_unity(${name} 40)
  # Tests need not be fast, but to be there soon.
  target_compile_options(${name} PRIVATE -O0)
  # Asked for its tests when ctest runs, not whenever it is built.
  gtest_discover_tests(${name}
    DISCOVERY_MODE PRE_TEST DISCOVERY_TIMEOUT 60 PROPERTIES TIMEOUT 600)
endfunction()

# Where tests find this checkout and what was built in it.
if(WARDEN_TESTS)
  add_library(warden_checkout_for_test STATIC ${PROJECT_SOURCE_DIR}/tests/support/checkout.cc)
  target_link_libraries(warden_checkout_for_test PRIVATE warden_options)
  target_compile_definitions(warden_checkout_for_test PRIVATE
    WARDEN_SOURCE_DIR="${PROJECT_SOURCE_DIR}" WARDEN_BINARY_DIR="${PROJECT_BINARY_DIR}")
endif()

# warden_unity(TARGET COUNT [SEPARATE]): headers and the templates in them take most of a compiler's
# time; files that are compiled together, COUNT at a time, have them once. Names in unnamed namespaces
# must then differ within a part. SEPARATE: a regular expression of files that are left alone.
# CMake's own UNITY_BUILD names the files by absolute paths, so that the compiler cache would not
# serve other checkouts.
function(warden_unity target count)
  if(NOT WARDEN_UNITY)
    return()
  endif()
  get_target_property(together ${target} SOURCES)
  set(separate)
  if(ARGN)
    set(separate ${together})
    list(FILTER separate INCLUDE REGEX ${ARGN})
    list(FILTER together EXCLUDE REGEX ${ARGN})
  endif()
  set(batches)
  set(number 0)
  list(LENGTH together left)
  while(left GREATER 0)
    list(SUBLIST together 0 ${count} batch)
    list(REMOVE_ITEM together ${batch})
    list(LENGTH together left)
    set(text)
    foreach(source ${batch})
      cmake_path(ABSOLUTE_PATH source)
      cmake_path(RELATIVE_PATH source BASE_DIRECTORY ${PROJECT_SOURCE_DIR})
      string(APPEND text "#include \"${source}\"\n")
    endforeach()
    set(file ${CMAKE_CURRENT_BINARY_DIR}/together/${target}_${number}.cc)
    file(CONFIGURE OUTPUT ${file} CONTENT "${text}" @ONLY)
    list(APPEND batches ${file})
    math(EXPR number "${number} + 1")
  endwhile()
  set_target_properties(${target} PROPERTIES SOURCES "${batches};${separate}")
endfunction()

# warden_precompile(TARGET OWNER more...): common headers are compiled once, by OWNER, the first
# target of its kind, and used by all that name it. gcc gains nothing by it; clang halves its time,
# most of it because their templates are made only once.
function(warden_precompile target owner)
  if(NOT WARDEN_PRECOMPILE)
    return()
  endif()
  if(target STREQUAL owner)
    target_precompile_headers(${target} PRIVATE
      <cmake/common_headers.h> ${ARGN})
  else()
    target_precompile_headers(${target} REUSE_FROM ${owner})
  endif()
  # So that the compiler cache can tell that it is the same.
  target_compile_options(${target} PRIVATE "SHELL:-Xclang -fno-pch-timestamp")
endfunction()
