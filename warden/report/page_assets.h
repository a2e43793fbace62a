#ifndef WARDEN_REPORT_PAGE_ASSETS_H_
#define WARDEN_REPORT_PAGE_ASSETS_H_

#include <string_view>

namespace warden::report {

// A file that the build made of web/ and put into the program (cmake/embed.cmake).
struct Asset {
  std::string_view text;
  std::string_view sha256;  // In hexadecimal digits.
};

Asset ReportScript();
Asset ReportStyle();

}  // namespace warden::report

#endif  // WARDEN_REPORT_PAGE_ASSETS_H_
