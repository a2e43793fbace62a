#ifndef WARDEN_NET_URL_H_
#define WARDEN_NET_URL_H_

#include <span>
#include <string>
#include <string_view>

#include "warden/base/status.h"

namespace warden::net {

// The parts of a URL that we look at ourselves.
struct Url {
  std::string scheme;  // In lower case.
  std::string host;    // Without the brackets of an IPv6 address.
  std::string port;    // Empty: the scheme's own.
  bool has_user = false;
};

// Read by the library that will send to it, so that both see the same host. kInvalid, naming what
// is accepted, if it is none or has another scheme. The message does not repeat the URL, which may
// hold a secret.
Result<Url> ParseUrl(const std::string& text, std::span<const std::string_view> schemes);

// "https://host:port": what may be shown of it. Path and query are often the key to a service.
std::string Shown(const Url& url);
// The same of a text; "a URL" if it is none.
std::string ShownUrl(const std::string& text);

// Whether what is sent there stays on this machine.
bool IsLoopback(const Url& url);

}  // namespace warden::net

#endif  // WARDEN_NET_URL_H_
