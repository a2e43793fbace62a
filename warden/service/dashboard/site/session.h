#ifndef WARDEN_SERVICE_DASHBOARD_SITE_SESSION_H_
#define WARDEN_SERVICE_DASHBOARD_SITE_SESSION_H_

#include <string>
#include <string_view>
#include <variant>

#include "warden/actions/secret.h"
#include "warden/service/auth/authenticator.h"
#include "warden/service/http/message.h"

namespace warden::service {

// Lets browsers in, which cannot sign requests: whoever shows the token gets a cookie that stands
// for it. It holds nothing that could be used as the token, and stays good over restarts as long as
// the token does. Safe for many threads.
class Sessions {
 public:
  // authenticator outlives it. secure: the service is reached by https alone. data: the service's
  // folder, since browsers keep cookies by host and would mix up two services on one.
  Sessions(const Authenticator* authenticator, actions::Secret token, bool secure,
           std::string_view data);

  // Of a request without a body, or with this one. A request that changes something and comes by
  // cookie must have a header that other sites' pages cannot send.
  Verdict Check(const RequestHead& head, std::string_view body) const;

  // "Set-Cookie" for who shows the right token; nothing else is accepted here.
  std::variant<std::string, Refusal> LogIn(const RequestHead& head, std::string_view token) const;
  std::string LogOut() const;

 private:
  bool HasCookie(const RequestHead& head) const;
  Verdict CheckToken(const RequestHead& head, std::string_view token) const;
  std::string Cookie(std::string_view value, int64_t seconds) const;

  const Authenticator* const authenticator_;
  const actions::Secret token_;
  const actions::Secret cookie_;
  const bool secure_;
  const std::string name_;
};

}  // namespace warden::service

#endif  // WARDEN_SERVICE_DASHBOARD_SITE_SESSION_H_
