# libtensorwarden: what C and C++ programs record with. Nothing of what it is made of can be seen from
# outside: wd_* is all that it exports, and its headers need nothing else.
target_include_directories(warden_hook PUBLIC ${PROJECT_SOURCE_DIR}/include)
target_compile_definitions(warden_hook PUBLIC WARDEN_VERSION="${PROJECT_VERSION}")

add_library(tensorwarden SHARED $<TARGET_OBJECTS:warden_hook>)
add_library(tensorwarden::hook ALIAS tensorwarden)
target_link_libraries(tensorwarden PRIVATE warden_capture)
target_include_directories(tensorwarden PUBLIC
  $<BUILD_INTERFACE:${PROJECT_SOURCE_DIR}/include> $<INSTALL_INTERFACE:include>)
target_compile_features(tensorwarden INTERFACE cxx_std_17)
set(exports ${PROJECT_SOURCE_DIR}/warden/hook/exports.map)
target_link_options(tensorwarden PRIVATE -Wl,--version-script=${exports})
# The number is raised when a program that was linked with an older library would no longer run.
set_target_properties(tensorwarden PROPERTIES
  VERSION ${PROJECT_VERSION} SOVERSION 0 EXPORT_NAME hook LINK_DEPENDS ${exports})
