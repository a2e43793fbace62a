#include "warden/dashboard/site/known_host.h"

#include <arpa/inet.h>
#include <limits.h>
#include <netdb.h>
#include <netinet/in.h>
#include <sys/socket.h>
#include <unistd.h>

#include <algorithm>

#include "warden/base/strings.h"

namespace warden::dashboard {
namespace {

// "[::1]" of "[::1]:8080", "localhost" of "localhost.:8080".
std::string WithoutPort(std::string_view host) {
  const size_t bracket = host.find(']');
  if (host.starts_with('[') && bracket != std::string_view::npos) {
    host = host.substr(0, bracket + 1);
  } else {
    host = host.substr(0, host.find(':'));
  }
  if (host.ends_with('.')) host.remove_suffix(1);
  return LowerAscii(host);
}

bool IsAddress(const std::string& host) {
  in_addr v4;
  in6_addr v6;
  if (host.starts_with('[') && host.ends_with(']')) {
    return inet_pton(AF_INET6, host.substr(1, host.size() - 2).c_str(), &v6) == 1;
  }
  return inet_pton(AF_INET, host.c_str(), &v4) == 1;
}

std::vector<std::string> AskForNames() {
  char name[HOST_NAME_MAX + 1] = {};
  if (gethostname(name, sizeof(name) - 1) != 0 || name[0] == '\0') return {};
  // And as others in the local network find it (mDNS).
  const std::string own = LowerAscii(name);
  std::vector<std::string> names = {own, own + ".local"};
  addrinfo wanted{};
  wanted.ai_flags = AI_CANONNAME;
  wanted.ai_socktype = SOCK_STREAM;
  addrinfo* found = nullptr;
  if (getaddrinfo(name, nullptr, &wanted, &found) != 0) return names;
  if (found->ai_canonname != nullptr) names.push_back(LowerAscii(found->ai_canonname));
  freeaddrinfo(found);
  return names;
}

}  // namespace

const std::vector<std::string>& MachineNames() {
  static const std::vector<std::string> names = AskForNames();
  return names;
}

bool IsKnownHost(std::string_view host, const std::vector<std::string>& names) {
  const std::string name = WithoutPort(host);
  if (name == "localhost" || name.ends_with(".localhost") || IsAddress(name)) return true;
  const auto is_it = [&name](const std::string& known) { return LowerAscii(known) == name; };
  return !name.empty() &&
         (std::ranges::any_of(names, is_it) || std::ranges::any_of(MachineNames(), is_it));
}

}  // namespace warden::dashboard
