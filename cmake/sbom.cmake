# What is compiled into the program or carried with it, as a software bill of materials (CycloneDX):
# tensorwarden.cdx.json in the build folder. NOTICE has the licenses of the same components.

set(WARDEN_SBOM_COMPONENTS "[]")

# warden_component(NAME version license purl-prefix): one row.
function(warden_component name version license purl)
  string(JSON count LENGTH "${WARDEN_SBOM_COMPONENTS}")
  set(component "{\"type\": \"library\", \"name\": \"${name}\",
    \"licenses\": [{\"license\": {\"id\": \"${license}\"}}]}")
  if(version)
    string(JSON component SET "${component}" version "\"${version}\"")
    string(JSON component SET "${component}" purl "\"${purl}@${version}\"")
  endif()
  string(JSON list SET "${WARDEN_SBOM_COMPONENTS}" ${count} "${component}")
  set(WARDEN_SBOM_COMPONENTS "${list}" PARENT_SCOPE)
endfunction()

warden_component(fmt "${fmt_VERSION}" MIT pkg:github/fmtlib/fmt)
warden_component(spdlog "${spdlog_VERSION}" MIT pkg:github/gabime/spdlog)
warden_component(nlohmann-json "${nlohmann_json_VERSION}" MIT pkg:github/nlohmann/json)
warden_component(simdjson "${simdjson_VERSION}" Apache-2.0 pkg:github/simdjson/simdjson)
warden_component(Eigen "${Eigen3_VERSION}" MPL-2.0 pkg:gitlab/libeigen/eigen)
warden_component(CLI11 "${CLI11_VERSION}" BSD-3-Clause pkg:github/CLIUtils/CLI11)
warden_component(curl "${CURL_VERSION_STRING}" curl pkg:github/curl/curl)
warden_component(OpenSSL "${OPENSSL_VERSION}" Apache-2.0 pkg:github/openssl/openssl)
warden_component(Boost "${Boost_VERSION}" BSL-1.0 pkg:github/boostorg/boost)
warden_component(zlib "${ZLIB_VERSION_STRING}" Zlib pkg:github/madler/zlib)
warden_component(SQLite "${SQLite3_VERSION}" blessing pkg:github/sqlite/sqlite)
warden_component(PCRE2 "${pcre2_VERSION}" BSD-3-Clause pkg:github/PCRE2Project/pcre2)
warden_component(Highway "${highway_VERSION}" Apache-2.0 pkg:github/google/highway)
if(WARDEN_PYTHON)
  execute_process(COMMAND ${Python_EXECUTABLE} -m nanobind --version
    OUTPUT_VARIABLE nanobind_version OUTPUT_STRIP_TRAILING_WHITESPACE ERROR_QUIET)
  warden_component(nanobind "${nanobind_version}" BSD-3-Clause pkg:pypi/nanobind)
  # Part of nanobind, whose sources do not name its version.
  warden_component(robin-map "" MIT pkg:github/Tessil/robin-map)
endif()
# What the pages are made with is not in them, but for this.
file(READ ${PROJECT_SOURCE_DIR}/web/package-lock.json packages)
string(JSON uplot_version GET "${packages}" packages node_modules/uplot version)
warden_component(uPlot "${uplot_version}" MIT pkg:npm/uplot)

file(CONFIGURE OUTPUT tensorwarden.cdx.json @ONLY CONTENT "{
  \"bomFormat\": \"CycloneDX\",
  \"specVersion\": \"1.5\",
  \"version\": 1,
  \"metadata\": {
    \"component\": {
      \"type\": \"application\",
      \"name\": \"tensorwarden\",
      \"version\": \"@PROJECT_VERSION@\",
      \"licenses\": [{\"license\": {\"id\": \"Apache-2.0\"}}]
    }
  },
  \"components\": @WARDEN_SBOM_COMPONENTS@
}
")
