# cpack, in the build folder: -G TGZ packs a folder that runs where it is unpacked, with the shared
# libraries that it needs; -G DEB a package with the Python packages for the system's Python too. See
# tools/package.sh.
set(CPACK_PACKAGE_NAME tensorwarden)
set(CPACK_PACKAGE_VENDOR "The Tensorwarden authors")
set(CPACK_PACKAGE_CONTACT "The Tensorwarden authors <maintainers@tensorwarden.invalid>")
set(CPACK_PACKAGE_DESCRIPTION_SUMMARY "Watches trainings of machine learning models")
set(CPACK_PACKAGE_DESCRIPTION "Captures tensors and profiles while a model trains, checks them with
rules, and explains what is wrong: on the command line, in a dashboard and in
reports. Contains the program, the library for C and C++, and the Python packages.")
set(CPACK_RESOURCE_FILE_LICENSE ${PROJECT_SOURCE_DIR}/LICENSE)
set(CPACK_PACKAGE_FILE_NAME
  tensorwarden-${PROJECT_VERSION}-${CMAKE_SYSTEM_NAME}-${CMAKE_SYSTEM_PROCESSOR})
set(CPACK_STRIP_FILES ON)
set(CPACK_VERBATIM_VARIABLES ON)
set(CPACK_GENERATOR TGZ)
set(CPACK_SOURCE_GENERATOR "")

set(CPACK_DEBIAN_FILE_NAME DEB-DEFAULT)
set(CPACK_DEBIAN_PACKAGE_SECTION science)
set(CPACK_DEBIAN_PACKAGE_SHLIBDEPS ON)
if(WARDEN_PYTHON)
  # The module fits this version of Python alone.
  math(EXPR next "${Python_VERSION_MINOR} + 1")
  set(CPACK_DEBIAN_PACKAGE_DEPENDS
    "python3 (>= 3.${Python_VERSION_MINOR}), python3 (<< 3.${next}), python3-numpy")
  # What goes into an environment otherwise (python/CMakeLists.txt) is the system's here.
  set(packages lib/python3/dist-packages)
  foreach(component python python_sources)
    install(CODE "execute_process(
      COMMAND \"${CMAKE_COMMAND}\" --install \"${PROJECT_BINARY_DIR}\" --component ${component}
        --strip --prefix \"\${CMAKE_INSTALL_PREFIX}/${packages}\"
      OUTPUT_QUIET COMMAND_ERROR_IS_FATAL ANY)" COMPONENT python_system EXCLUDE_FROM_ALL)
  endforeach()
  # pip and importlib.metadata know a package by this.
  file(CONFIGURE OUTPUT dist-info/METADATA CONTENT
    "Metadata-Version: 2.1\nName: tensorwarden\nVersion: @PROJECT_VERSION@\n" @ONLY)
  install(FILES ${PROJECT_BINARY_DIR}/dist-info/METADATA
    DESTINATION ${packages}/tensorwarden-${PROJECT_VERSION}.dist-info
    COMPONENT python_system EXCLUDE_FROM_ALL)
endif()
set(CPACK_DEBIAN_PACKAGE_RECOMMENDS ca-certificates)
set(CPACK_DEBIAN_PACKAGE_CONTROL_EXTRA
  ${PROJECT_SOURCE_DIR}/packaging/debian/postinst ${PROJECT_SOURCE_DIR}/packaging/debian/prerm)

# Which components go where depends on the kind of package.
configure_file(${PROJECT_SOURCE_DIR}/cmake/package_kind.cmake.in
  ${PROJECT_BINARY_DIR}/package_kind.cmake @ONLY)
set(CPACK_PROJECT_CONFIG_FILE ${PROJECT_BINARY_DIR}/package_kind.cmake)
include(CPack)
