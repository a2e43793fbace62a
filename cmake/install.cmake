# cmake --install BUILD --prefix PREFIX [--component runtime|development]: the program, and the library
# with what is needed to build against it. The Python packages are installed by pip.
include(GNUInstallDirs)
include(CMakePackageConfigHelpers)

set(package ${CMAKE_INSTALL_LIBDIR}/cmake/tensorwarden)
# Shared libraries that a package carries are here (cmake/carry_libraries.cmake). As an RPATH, not a
# RUNPATH: what these libraries need in turn is looked for here too.
set_target_properties(warden PROPERTIES
  INSTALL_RPATH $ORIGIN/../${CMAKE_INSTALL_LIBDIR}/tensorwarden)
set_target_properties(tensorwarden PROPERTIES INSTALL_RPATH $ORIGIN/tensorwarden)
foreach(target warden tensorwarden)
  target_link_options(${target} PRIVATE -Wl,--disable-new-dtags)
  # CMake would reserve the space with empty entries in the build folder's program, and an empty entry
  # is the current directory: a library lying there would be loaded.
  set_target_properties(${target} PROPERTIES BUILD_WITH_INSTALL_RPATH ON)
endforeach()
install(TARGETS warden RUNTIME DESTINATION ${CMAKE_INSTALL_BINDIR} COMPONENT runtime)
install(TARGETS tensorwarden EXPORT tensorwardenTargets
  LIBRARY DESTINATION ${CMAKE_INSTALL_LIBDIR}
    COMPONENT runtime NAMELINK_COMPONENT development)
include(cmake/sbom.cmake)
install(FILES LICENSE NOTICE ${PROJECT_BINARY_DIR}/tensorwarden.cdx.json
  DESTINATION ${CMAKE_INSTALL_DOCDIR} COMPONENT runtime)
if(SKBUILD)
  # The licenses themselves are put into the wheel by pyproject.toml.
  install(FILES ${PROJECT_BINARY_DIR}/tensorwarden.cdx.json DESTINATION tensorwarden
    COMPONENT python)
endif()

install(FILES include/warden.h DESTINATION ${CMAKE_INSTALL_INCLUDEDIR} COMPONENT development)
install(FILES include/warden/hook.h
  DESTINATION ${CMAKE_INSTALL_INCLUDEDIR}/warden COMPONENT development)
install(EXPORT tensorwardenTargets NAMESPACE tensorwarden:: DESTINATION ${package}
  COMPONENT development)

configure_package_config_file(cmake/tensorwardenConfig.cmake.in
  ${PROJECT_BINARY_DIR}/tensorwardenConfig.cmake INSTALL_DESTINATION ${package})
# Before 1.0, the second number tells what fits together.
write_basic_package_version_file(${PROJECT_BINARY_DIR}/tensorwardenConfigVersion.cmake
  COMPATIBILITY SameMinorVersion)
configure_file(cmake/tensorwarden.pc.in ${PROJECT_BINARY_DIR}/tensorwarden.pc @ONLY)
install(FILES ${PROJECT_BINARY_DIR}/tensorwardenConfig.cmake
  ${PROJECT_BINARY_DIR}/tensorwardenConfigVersion.cmake
  DESTINATION ${package} COMPONENT development)
install(FILES ${PROJECT_BINARY_DIR}/tensorwarden.pc
  DESTINATION ${CMAKE_INSTALL_LIBDIR}/pkgconfig COMPONENT development)

if(NOT SKBUILD)
  include(cmake/package.cmake)
endif()
