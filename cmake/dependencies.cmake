# Libraries of the distribution. Everything that is missing is reported at once, with the commands
# that install it.

# warden_find(DEBIAN package FEDORA package NAME [options]): find_package; if it finds nothing, the
# packages of the distributions go on the list. A macro, because what find_package sets must reach
# the caller.
set(WARDEN_MISSING_DEBIAN "")
set(WARDEN_MISSING_FEDORA "")
macro(warden_find debian_word debian fedora_word fedora name)
  find_package(${name} QUIET ${ARGN})
  if(NOT ${name}_FOUND)
    list(APPEND WARDEN_MISSING_DEBIAN ${debian})
    list(APPEND WARDEN_MISSING_FEDORA ${fedora})
  endif()
endmacro()

# warden_find_module(DEBIAN package FEDORA package PREFIX MODULE): the same for pkg-config modules.
macro(warden_find_module debian_word debian fedora_word fedora prefix module)
  if(PKG_CONFIG_FOUND)
    pkg_check_modules(${prefix} QUIET IMPORTED_TARGET ${module})
  endif()
  if(NOT TARGET PkgConfig::${prefix})
    list(APPEND WARDEN_MISSING_DEBIAN ${debian})
    list(APPEND WARDEN_MISSING_FEDORA ${fedora})
  endif()
endmacro()

find_package(Threads REQUIRED)
warden_find(DEBIAN pkg-config FEDORA pkgconf-pkg-config PkgConfig)
warden_find(DEBIAN libfmt-dev FEDORA fmt-devel fmt)
warden_find(DEBIAN libspdlog-dev FEDORA spdlog-devel spdlog)
warden_find(DEBIAN nlohmann-json3-dev FEDORA json-devel nlohmann_json)
warden_find(DEBIAN libsimdjson-dev FEDORA simdjson-devel simdjson)
warden_find(DEBIAN libeigen3-dev FEDORA eigen3-devel Eigen3)
warden_find(DEBIAN libcli11-dev FEDORA cli11-devel CLI11)
warden_find(DEBIAN libcurl4-openssl-dev FEDORA libcurl-devel CURL)
warden_find(DEBIAN libssl-dev FEDORA openssl-devel OpenSSL COMPONENTS Crypto SSL)
warden_find(DEBIAN libboost-dev FEDORA boost-devel Boost)
warden_find(DEBIAN zlib1g-dev FEDORA zlib-devel ZLIB)
warden_find(DEBIAN libsqlite3-dev FEDORA sqlite-devel SQLite3)
warden_find_module(DEBIAN libpcre2-dev FEDORA pcre2-devel pcre2 libpcre2-8)
warden_find_module(DEBIAN libhwy-dev FEDORA highway-devel highway libhwy)
if(WARDEN_TESTS)
  warden_find(DEBIAN libgtest-dev FEDORA gtest-devel GTest)
endif()

set(WARDEN_MISSING_PIP "")
if(WARDEN_PYTHON)
  warden_find(DEBIAN python3-dev FEDORA python3-devel
    Python 3.9 COMPONENTS Interpreter Development.Module)
  if(SKBUILD_SABI_VERSION AND NOT TARGET Python::SABIModule)
    # nanobind looks for this target, which FindPython has since CMake 3.26 only. On Linux, modules
    # for the stable interface need only the headers.
    add_library(Python::SABIModule INTERFACE IMPORTED)
    target_include_directories(Python::SABIModule INTERFACE ${Python_INCLUDE_DIRS})
  endif()
  if(Python_Interpreter_FOUND)
    execute_process(COMMAND ${Python_EXECUTABLE} -m nanobind --cmake_dir
      OUTPUT_STRIP_TRAILING_WHITESPACE OUTPUT_VARIABLE nanobind_ROOT
      RESULT_VARIABLE result ERROR_QUIET)
    if(NOT result EQUAL 0)
      set(WARDEN_MISSING_PIP "nanobind>=2.2")
    endif()
  endif()
endif()

if(WARDEN_MISSING_DEBIAN OR WARDEN_MISSING_PIP)
  set(report "Missing: ${WARDEN_MISSING_DEBIAN}")
  if(WARDEN_MISSING_DEBIAN)
    string(APPEND report "\nDebian, Ubuntu:\n  sudo apt-get install ${WARDEN_MISSING_DEBIAN}"
      "\nFedora:\n  sudo dnf install ${WARDEN_MISSING_FEDORA}")
  endif()
  if(WARDEN_MISSING_PIP)
    string(REPLACE "Missing: " "Missing: ${WARDEN_MISSING_PIP};" report "${report}")
    string(APPEND report "\nPython:\n  ${Python_EXECUTABLE} -m pip install '${WARDEN_MISSING_PIP}'")
  endif()
  string(REPLACE ";" " " report "${report}")
  message(FATAL_ERROR "${report}\nThen configure again.")
endif()
