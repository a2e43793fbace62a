#ifndef WARDEN_CLI_SERVE_SHARED_LINKS_H_
#define WARDEN_CLI_SERVE_SHARED_LINKS_H_

// Where `warden keys` finds a service and its view-only links.

#include <string>

#include "warden/base/status.h"

namespace warden::cli {

struct SharedLinks {
  std::string file;       // DATA/viewers.json (auth/viewers_file.h).
  std::string audit;      // DATA/audit.log (auth/audit_log.h).
  std::string url;        // Of the service, without a '/' at the end.
  bool is_local = false;  // Whether the URL works on this machine only.
};

// data: the service's folder; empty: that of the running service, else the standard one. url: as
// given; empty: that of the running service if it uses this folder, else the default address.
// kInvalid: a malformed URL, or no home folder. kNotFound: there is no such folder.
Result<SharedLinks> FindSharedLinks(const std::string& data, const std::string& url);

// Adds a line to the audit log that this user of the machine, who needs no key, has done it to the
// link with this name or ID. action: "keys:Share", "keys:Revoke".
void RecordChange(const SharedLinks& links, const std::string& action, const std::string& name);

}  // namespace warden::cli

#endif  // WARDEN_CLI_SERVE_SHARED_LINKS_H_
