#ifndef WARDEN_BASE_ASSET_H_
#define WARDEN_BASE_ASSET_H_

#include <string_view>

namespace warden {

// A file that the build embeds into the binary (cmake/embed.cmake). Used for the dashboard's files,
// the report's script and style, and the model of the SageMaker API: the binary needs no data files
// next to it. A header declares one function for each file, the build generates its body:
//
//   Asset ReportScript();
//   html += ReportScript().text;
//
// Both views point to static memory: they are valid for the life of the process.
struct Asset {
  std::string_view text;    // The bytes of the file, unchanged; may be binary.
  std::string_view sha256;  // Of the bytes: 64 lowercase hexadecimal digits.
};

}  // namespace warden

#endif  // WARDEN_BASE_ASSET_H_
