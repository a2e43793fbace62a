#ifndef WARDEN_DASHBOARD_SITE_SESSION_H_
#define WARDEN_DASHBOARD_SITE_SESSION_H_

#include <string>
#include <string_view>
#include <variant>

#include "warden/auth/authenticator.h"
#include "warden/http/message.h"
#include "warden/os/secret.h"

namespace warden::dashboard {

// Lets browsers in, which cannot sign requests: whoever shows the token gets a cookie that stands
// for it. The cookie cannot be used as the token, lasts 30 days, and stays valid over restarts as
// long as the token does. Copyable; keeps no list of sessions. Safe for many threads.
class Sessions {
 public:
  // authenticator outlives it and is not owned. token: empty if there are no cookies, only signed
  // requests. secure: the service is reached by https only. data: the service's folder, since
  // browsers keep cookies by host and would mix up two services on one.
  Sessions(const auth::Authenticator* authenticator, os::Secret token, bool secure,
           std::string_view data);

  // Who sends the request, or why it is refused. Signed requests and bearer tokens go to the
  // authenticator; a cookie counts as the token. A request that changes something and comes by
  // cookie must have the header X-Warden-Request, which other sites' pages cannot send: Refusal
  // "MissingHeader". body: the whole body, which a signature covers.
  auth::Verdict Check(const http::RequestHead& head, std::string_view body) const;

  // The value of "Set-Cookie" for who shows the right token; nothing else is accepted here. Wrong
  // tokens are compared in constant time.
  std::variant<std::string, auth::Refusal> LogIn(const http::RequestHead& head,
                                                 std::string_view token) const;
  // The value of "Set-Cookie" that removes the cookie from this browser. Others stay logged in.
  std::string LogOut() const;

 private:
  bool HasCookie(const http::RequestHead& head) const;
  auth::Verdict CheckToken(const http::RequestHead& head, std::string_view token) const;
  std::string Cookie(std::string_view value, int64_t seconds) const;

  const auth::Authenticator* const authenticator_;
  const os::Secret token_;
  // Derived from the token, so that it needs no storage.
  const os::Secret cookie_;
  const bool secure_;
  const std::string name_;
};

}  // namespace warden::dashboard

#endif  // WARDEN_DASHBOARD_SITE_SESSION_H_
