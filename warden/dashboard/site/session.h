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
// for it. It holds nothing that could be used as the token, and stays good over restarts as long as
// the token does. Safe for many threads.
class Sessions {
 public:
  // authenticator outlives it. secure: the service is reached by https alone. data: the service's
  // folder, since browsers keep cookies by host and would mix up two services on one.
  Sessions(const auth::Authenticator* authenticator, os::Secret token, bool secure,
           std::string_view data);

  // Of a request without a body, or with this one. A request that changes something and comes by
  // cookie must have a header that other sites' pages cannot send.
  auth::Verdict Check(const http::RequestHead& head, std::string_view body) const;

  // "Set-Cookie" for who shows the right token; nothing else is accepted here.
  std::variant<std::string, auth::Refusal> LogIn(const http::RequestHead& head,
                                                 std::string_view token) const;
  std::string LogOut() const;

 private:
  bool HasCookie(const http::RequestHead& head) const;
  auth::Verdict CheckToken(const http::RequestHead& head, std::string_view token) const;
  std::string Cookie(std::string_view value, int64_t seconds) const;

  const auth::Authenticator* const authenticator_;
  const os::Secret token_;
  const os::Secret cookie_;
  const bool secure_;
  const std::string name_;
};

}  // namespace warden::dashboard

#endif  // WARDEN_DASHBOARD_SITE_SESSION_H_
