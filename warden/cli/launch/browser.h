#ifndef WARDEN_CLI_LAUNCH_BROWSER_H_
#define WARDEN_CLI_LAUNCH_BROWSER_H_

// Opens the dashboard for `warden run --open` and `warden serve`. A convenience: callers print the
// address in any case.

#include <string>

#include "warden/base/status.h"

namespace warden::cli {

// Shows the link in the user's browser ($BROWSER, else xdg-open), and returns at once. The link may
// contain a token: it is passed in a file that only the user can read, since every user can see the
// arguments of a process. kUnavailable without a screen or a browser. The file is a page that
// redirects, in the temporary folder; it is not removed, since nobody knows when the browser has
// read it. kIo if it cannot be written. Whether the browser shows anything is not known.
Status OpenInBrowser(const std::string& link);

}  // namespace warden::cli

#endif  // WARDEN_CLI_LAUNCH_BROWSER_H_
