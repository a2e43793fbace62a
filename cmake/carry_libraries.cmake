# Run by cpack before it packs: puts the shared libraries that the staged program and library need
# into lib/tensorwarden, where both look first. Those of the C and C++ runtime stay with the system:
# they belong together with its loader, and with the programs that use our library.
file(GLOB_RECURSE programs ${CPACK_TEMPORARY_DIRECTORY}/*/bin/warden
  ${CPACK_TEMPORARY_DIRECTORY}/bin/warden)
foreach(program ${programs})
  get_filename_component(prefix ${program} DIRECTORY)
  get_filename_component(prefix ${prefix} DIRECTORY)
  file(GLOB libraries ${prefix}/lib*/libtensorwarden.so)
  get_filename_component(folder ${libraries} DIRECTORY)
  file(GET_RUNTIME_DEPENDENCIES EXECUTABLES ${program} LIBRARIES ${libraries}
    RESOLVED_DEPENDENCIES_VAR needed
    PRE_EXCLUDE_REGEXES "^(ld-linux.*|lib(c|m|dl|rt|pthread|resolv|stdc\\+\\+|gcc_s)\\.so.*)$")
  file(MAKE_DIRECTORY ${folder}/tensorwarden)
  foreach(library ${needed})
    get_filename_component(name ${library} NAME)
    get_filename_component(real ${library} REALPATH)
    file(COPY_FILE ${real} ${folder}/tensorwarden/${name})
  endforeach()
endforeach()
