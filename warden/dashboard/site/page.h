#ifndef WARDEN_DASHBOARD_SITE_PAGE_H_
#define WARDEN_DASHBOARD_SITE_PAGE_H_

#include <optional>

#include "warden/base/asset.h"
#include "warden/http/message.h"

namespace warden::dashboard {

Asset DashboardPage();
Asset DashboardScript();
Asset DashboardStyle();

// Whether this program was built with the dashboard's pages; else the page only says that it
// was not.
bool HasDashboardPages();

// The page and its two files: "/-/", "/-/app.js", "/-/app.css"; nothing for any other path. Packed
// for those who take it, and not sent again to those who have it.
std::optional<http::Response> PageFile(const http::RequestHead& head);

}  // namespace warden::dashboard

#endif  // WARDEN_DASHBOARD_SITE_PAGE_H_
