#ifndef WARDEN_DASHBOARD_SITE_EXPORT_PAGE_H_
#define WARDEN_DASHBOARD_SITE_EXPORT_PAGE_H_

// The HTML around an exported run. Used by ExportRun alone.

#include <string>
#include <string_view>

#include "warden/base/status.h"

namespace warden::dashboard {

// One HTML file: script and style of the dashboard, and the data that its script reads in place of
// a server's answers (web/src/api/exported.ts). index: JSON that names what is in `bytes`. Both are
// compressed and written in base64, so that no name or log line in them can be markup. Its policy
// allows this script and style and no request at all. kIo: cannot be compressed.
Result<std::string> OfflinePage(std::string_view title, std::string_view index,
                                std::string_view bytes);

}  // namespace warden::dashboard

#endif  // WARDEN_DASHBOARD_SITE_EXPORT_PAGE_H_
