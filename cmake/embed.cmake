# cmake -DINPUT=file -DOUTPUT=file.cc -DHEADER=header -DNAME=Function -DNAMESPACE=warden::part
# -P embed.cmake: a C++ source in which NAME() gives the bytes of the file and their SHA-256, as the
# header declares.
file(READ ${INPUT} digits HEX)
file(SHA256 ${INPUT} hash)
string(REGEX REPLACE "([0-9a-f][0-9a-f])" "0x\\1," bytes "${digits}")
# Lines that an editor can show.
string(REGEX REPLACE "(0x..,0x..,0x..,0x..,0x..,0x..,0x..,0x..,0x..,0x..,0x..,0x..,0x..,0x..,0x..,0x..,)"
  "\\1\n" bytes "${bytes}")
file(WRITE ${OUTPUT} "// Made by cmake/embed.cmake.\n#include \"${HEADER}\"\n
namespace ${NAMESPACE} {
namespace {
// A terminating zero, so that an empty file is an array too.
const unsigned char k${NAME}Bytes[] = {\n${bytes}0};
}  // namespace
Asset ${NAME}() {
  return {{reinterpret_cast<const char*>(k${NAME}Bytes), sizeof(k${NAME}Bytes) - 1}, \"${hash}\"};
}
}  // namespace ${NAMESPACE}\n")
