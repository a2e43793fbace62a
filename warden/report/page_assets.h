#ifndef WARDEN_REPORT_PAGE_ASSETS_H_
#define WARDEN_REPORT_PAGE_ASSETS_H_

#include "warden/base/asset.h"

namespace warden::report {

Asset ReportScript();
Asset ReportStyle();

}  // namespace warden::report

#endif  // WARDEN_REPORT_PAGE_ASSETS_H_
