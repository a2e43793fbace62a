#ifndef WARDEN_REPORT_PAGE_ASSETS_H_
#define WARDEN_REPORT_PAGE_ASSETS_H_

#include "warden/base/asset.h"

namespace warden::report {

// The script that draws charts and sorts tables. ToHtml puts it and the style into each page, so
// that a report is one file. Generated from web/ when the program is built (cmake/web.cmake);
// constants.
Asset ReportScript();
// The style of the page, for light and dark displays and for print.
Asset ReportStyle();

}  // namespace warden::report

#endif  // WARDEN_REPORT_PAGE_ASSETS_H_
