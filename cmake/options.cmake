# How everything is compiled.
set(CMAKE_CXX_STANDARD 20)
set(CMAKE_CXX_STANDARD_REQUIRED ON)
set(CMAKE_CXX_EXTENSIONS OFF)
set(CMAKE_POSITION_INDEPENDENT_CODE ON)
set(CMAKE_EXPORT_COMPILE_COMMANDS ON)
set(CMAKE_RUNTIME_OUTPUT_DIRECTORY ${CMAKE_BINARY_DIR}/bin CACHE PATH "Where programs go")
if(NOT CMAKE_BUILD_TYPE)
  set(CMAKE_BUILD_TYPE RelWithDebInfo)
endif()
# Debug information would take a tenth of the compiler's time; -DCMAKE_BUILD_TYPE=Debug has it.
set(CMAKE_CXX_FLAGS_RELWITHDEBINFO "-O2")

find_program(CCACHE ccache)
if(CCACHE)
  set(CMAKE_CXX_COMPILER_LAUNCHER ${CCACHE})
endif()

add_library(warden_options INTERFACE)
target_include_directories(warden_options INTERFACE ${PROJECT_SOURCE_DIR})
target_compile_options(warden_options INTERFACE
  -Wall -Wextra -Wpedantic -Wshadow -Wnon-virtual-dtor -Woverloaded-virtual -Wimplicit-fallthrough
  -Werror)
if(CMAKE_CXX_COMPILER_ID STREQUAL "GNU")
  # gcc 12 warns of these inside the standard library's and Highway's own headers.
  target_compile_options(warden_options INTERFACE -Wno-maybe-uninitialized -Wno-restrict)
  # Its own garbage collection, less often: a tenth of the time for a third more memory.
  target_compile_options(warden_options INTERFACE
    "SHELL:--param ggc-min-expand=1000" "SHELL:--param ggc-min-heapsize=1000000")
endif()

if(WARDEN_SANITIZE)
  # Compiled once to run a test, code need not be fast; what the sanitizers see stays the same.
  set(CMAKE_CXX_FLAGS_RELWITHDEBINFO "${WARDEN_SANITIZE_LEVEL} -g1")
  add_compile_options(-fsanitize=${WARDEN_SANITIZE} -fno-omit-frame-pointer
    -fno-sanitize-recover=all)
  # A quarter of the time of the usual linker, with programs of this size.
  add_link_options(-fsanitize=${WARDEN_SANITIZE} -fuse-ld=lld)
  if(WARDEN_SANITIZE MATCHES "undefined")
    # Its check of dynamic types opens descriptors, which some tests take away.
    add_compile_options(-fno-sanitize=vptr)
  endif()
else()
  # What makes a fault in memory hard to exploit. tests/install/hardening_test.py looks for it.
  add_compile_options(-fstack-protector-strong -fstack-clash-protection)
  if(CMAKE_SYSTEM_PROCESSOR MATCHES "x86_64|AMD64")
    add_compile_options(-fcf-protection=full)
  endif()
  # Checked calls need an optimizing compiler; some distributions define it themselves.
  add_compile_options($<$<NOT:$<CONFIG:Debug>>:-U_FORTIFY_SOURCE>
    $<$<NOT:$<CONFIG:Debug>>:-D_FORTIFY_SOURCE=2>)
  add_link_options(LINKER:-z,relro,-z,now,-z,noexecstack)
endif()
include(CheckPIESupported)
check_pie_supported(LANGUAGES CXX)
