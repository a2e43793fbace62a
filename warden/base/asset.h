#ifndef WARDEN_BASE_ASSET_H_
#define WARDEN_BASE_ASSET_H_

#include <string_view>

namespace warden {

// A file that the build put into the program (cmake/embed.cmake).
struct Asset {
  std::string_view text;
  std::string_view sha256;  // In hexadecimal digits.
};

}  // namespace warden

#endif  // WARDEN_BASE_ASSET_H_
