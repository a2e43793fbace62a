// The folders are given by cmake/parts.cmake.
#include "warden/base/checkout_for_test.h"

namespace warden {

std::string SourceFile(std::string_view path) {
  return std::string(WARDEN_SOURCE_DIR "/").append(path);
}

// Presets build into folders of build/.
std::string BuiltFile(std::string_view path) {
  return std::string(WARDEN_BINARY_DIR "/../").append(path);
}

}  // namespace warden
