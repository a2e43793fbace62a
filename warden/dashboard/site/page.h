#ifndef WARDEN_DASHBOARD_SITE_PAGE_H_
#define WARDEN_DASHBOARD_SITE_PAGE_H_

// The dashboard's page: HTML, script and style, compiled into the program. DashboardPage,
// DashboardScript and DashboardStyle are generated when the web part is built. Safe for many
// threads.

#include <optional>
#include <string>
#include <string_view>

#include "warden/base/asset.h"
#include "warden/http/message.h"

namespace warden::dashboard {

Asset DashboardPage();
Asset DashboardScript();
Asset DashboardStyle();

// The text compressed as gzip does; empty if that fails. Below 4 GiB.
std::string Pack(std::string_view text);

// Whether this program was built with the dashboard's pages; otherwise the page only says that it
// was not.
bool HasDashboardPages();

// The page and its two files: "/-/", "/-/app.js", "/-/app.css"; nothing for any other path. Needs
// no authentication: there is no data in them. Compressed for those who accept it, and 304 for
// those who have it; 405 for methods other than GET and HEAD.
std::optional<http::Response> PageFile(const http::RequestHead& head);

}  // namespace warden::dashboard

#endif  // WARDEN_DASHBOARD_SITE_PAGE_H_
