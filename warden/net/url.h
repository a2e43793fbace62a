#ifndef WARDEN_NET_URL_H_
#define WARDEN_NET_URL_H_

// URLs that users configure: webhooks, mail servers, the address of a service. Checks them before
// they are used, and shows them without what may be secret. Pure functions, safe for many threads.

#include <span>
#include <string>
#include <string_view>

#include "warden/base/status.h"

namespace warden::net {

// The parts of a URL that we look at ourselves.
struct Url {
  std::string scheme;  // In lower case.
  std::string host;    // Without the brackets of an IPv6 address.
  // As it is written, not checked to be open; empty: the scheme's own.
  std::string port;
  // "user@" or "user:password@" stands before the host. Callers refuse it where a password has its
  // own setting.
  bool has_user = false;
};

// Read by the library that will send to it, so that both see the same host. kInvalid, naming what
// is accepted, if it is none or has another scheme. The message does not repeat the URL, which may
// hold a secret. schemes: in lower case, {"http", "https"}. Spaces and control characters are
// refused, so that a URL cannot smuggle a header.
Result<Url> ParseUrl(const std::string& text, std::span<const std::string_view> schemes);

// "https://host:port": what may be shown of it. Path and query are often the key to a service.
std::string Shown(const Url& url);
// The same of a text; "a URL" if it is none.
std::string ShownUrl(const std::string& text);

// Whether what is sent there stays on this machine: "localhost", "::1" or an IPv4 address that
// begins with "127."; other names are not resolved. Callers refuse, or warn, when a secret would
// leave the machine unencrypted.
bool IsLoopback(const Url& url);

}  // namespace warden::net

#endif  // WARDEN_NET_URL_H_
