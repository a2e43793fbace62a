#ifndef WARDEN_DASHBOARD_SITE_KNOWN_HOST_H_
#define WARDEN_DASHBOARD_SITE_KNOWN_HOST_H_

// Whether a browser means us. A hostile site can let its own name lead to our address (DNS
// rebinding); its page is then, for the browser, of the same origin as what we answer. Such
// requests have the site's name in their Host header.

#include <string>
#include <string_view>
#include <vector>

namespace warden::dashboard {

// Whether a Host header names us: an IP address (no name leads there), localhost or a name below
// it, a name of this machine, or one of `names`. A port is ignored, as is the case of letters.
bool IsKnownHost(std::string_view host, const std::vector<std::string>& names);

// What this machine is called: its host name, also with ".local", and, if the resolver knows a
// longer form, that. Asks the resolver once, on the first call.
const std::vector<std::string>& MachineNames();

}  // namespace warden::dashboard

#endif  // WARDEN_DASHBOARD_SITE_KNOWN_HOST_H_
