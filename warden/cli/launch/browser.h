#ifndef WARDEN_CLI_LAUNCH_BROWSER_H_
#define WARDEN_CLI_LAUNCH_BROWSER_H_

#include <string>

#include "warden/base/status.h"

namespace warden::cli {

// Shows the link in the user's browser ($BROWSER, else xdg-open), and returns at once. The link may
// hold a token: it goes through a file that only the user can read, since the words of a command
// can be read by everybody. kUnavailable if there is no screen or no browser.
Status OpenInBrowser(const std::string& link);

}  // namespace warden::cli

#endif  // WARDEN_CLI_LAUNCH_BROWSER_H_
