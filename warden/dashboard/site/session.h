#ifndef WARDEN_DASHBOARD_SITE_SESSION_H_
#define WARDEN_DASHBOARD_SITE_SESSION_H_

// How a browser proves who it is. Programs sign their requests (auth); a person follows a link with
// the token once, and the page has the key of a session from then on.

#include <memory>
#include <mutex>
#include <optional>
#include <string>
#include <string_view>
#include <variant>

#include "warden/auth/authenticator.h"
#include "warden/dashboard/site/session_store.h"
#include "warden/dashboard/site/sign_in_limit.h"
#include "warden/http/message.h"
#include "warden/os/secret.h"

namespace warden::dashboard {

// Lets browsers in, which cannot sign requests: whoever shows the token gets the key of a session
// that stands for it. The page keeps the key and sends it as the header X-Warden-Session. It is not
// a cookie: browsers send those to every port of a host, where another user's server could pick
// them up, and with requests that other pages make. Storage and headers of a page belong to its
// origin alone.
//
// For links and frames, to which pages can add no headers, there are tickets: ?ticket=... opens one
// path for reading (SessionStore::TicketFor).
//
// Move-only. Safe for many threads.
class Sessions {
 public:
  // authenticator outlives it and is not owned. token: empty if there are no sessions, only signed
  // requests.
  Sessions(const auth::Authenticator* authenticator, os::Secret token, SessionRules rules);

  // Who sends the request, or why it is refused. Signed requests and bearer tokens go to the
  // authenticator; a session counts as the token that it began with, also a view-only one, which
  // may be a bearer token here. body: the whole body, which a signature covers.
  auth::Verdict Check(const http::RequestHead& head, std::string_view body) const;
  // Why a request is refused whatever its body will be: its head has no key, an unknown one, or one
  // that has expired. Nothing: Check decides.
  std::optional<auth::Refusal> CheckHead(const http::RequestHead& head) const;

  // A new session for who shows the right token or a view-only one; nothing else is accepted here.
  // The audit log gets the address that it came from. Refusal "ThrottlingException", whatever the
  // token is, if the sender has been wrong too often; refusals are not in the audit log, which
  // anybody could fill with them.
  std::variant<std::string, auth::Refusal> LogIn(const http::RequestHead& head,
                                                 std::string_view token) const;
  // Ends the session of the request, also for all others who have its key.
  void LogOut(const http::RequestHead& head) const;
  // What opens this path (encoded or not) in the name of the request's session; empty if it has
  // none.
  std::string TicketFor(const http::RequestHead& head, std::string_view path) const;

 private:
  // Who began the session of the request: the ID of a viewer, empty for the token. Nothing: it has
  // none.
  std::optional<std::string> SessionOf(const http::RequestHead& head) const;
  auth::Verdict CheckToken(const http::RequestHead& head, std::string_view token) const;
  void RecordSignIn(const http::RequestHead& head, const auth::Identity& identity) const;

  os::Secret Token() const;
  // Whether a token that is not ours is that of the authenticator by now, which reads its files
  // again when they change. Then the sessions of the old one are over.
  bool IsNewToken(const http::RequestHead& head, std::string_view token) const;

  struct Current {
    std::mutex mutex;
    os::Secret token;
  };

  const auth::Authenticator* authenticator_;
  std::unique_ptr<Current> current_;
  std::unique_ptr<SessionStore> store_;
  std::unique_ptr<SignInLimit> limit_;
};

}  // namespace warden::dashboard

#endif  // WARDEN_DASHBOARD_SITE_SESSION_H_
