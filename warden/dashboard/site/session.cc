#include "warden/dashboard/site/session.h"

#include <fmt/format.h>

#include "warden/auth/sigv4.h"
#include "warden/base/strings.h"
#include "warden/net/digest.h"

namespace warden::dashboard {
namespace {

constexpr int64_t kSeconds = 30 * 24 * 3600;

}  // namespace

Sessions::Sessions(const auth::Authenticator* authenticator, os::Secret token, bool secure,
                   std::string_view data)
    : authenticator_(authenticator),
      token_(std::move(token)),
      cookie_(net::HmacSha256Hex(token_.Reveal(), "a browser's session")),
      secure_(secure),
      name_("warden-" + net::Hex(net::Sha256(data)).substr(0, 8)) {}

bool Sessions::HasCookie(const http::RequestHead& head) const {
  if (token_.empty()) return false;
  for (const auto& [name, value] : head.headers) {
    if (LowerAscii(name) != "cookie") continue;
    for (const std::string& pair : SplitTrimmed(value, ';')) {
      const size_t equals = pair.find('=');
      if (equals == std::string::npos || pair.substr(0, equals) != name_) continue;
      if (auth::IsSameSecret(pair.substr(equals + 1), cookie_.Reveal())) return true;
    }
  }
  return false;
}

auth::Verdict Sessions::CheckToken(const http::RequestHead& head, std::string_view token) const {
  http::RequestHead shown;
  shown.method = head.method;
  shown.path = head.path;
  shown.peer = head.peer;
  shown.headers = {{"Authorization", fmt::format("Bearer {}", token)}};
  return authenticator_->Check(shown, net::Hex(net::Sha256("")));
}

auth::Verdict Sessions::Check(const http::RequestHead& head, std::string_view body) const {
  if (!head.Header("authorization").empty() || !HasCookie(head)) {
    return authenticator_->Check(head, net::Hex(net::Sha256(body)));
  }
  const bool changes = head.method != "GET" && head.method != "HEAD";
  if (changes && head.Header("x-warden-request") != "1") {
    return auth::Refusal{"MissingHeader",
                         "changes authorized by a cookie need the header X-Warden-Request: 1"};
  }
  return CheckToken(head, token_.Reveal());
}

std::variant<std::string, auth::Refusal> Sessions::LogIn(const http::RequestHead& head,
                                                         std::string_view token) const {
  if (token_.empty() || !auth::IsSameSecret(token, token_.Reveal())) {
    return auth::Refusal{"UnrecognizedClientException", "wrong token for this service"};
  }
  const auth::Verdict verdict = CheckToken(head, token);
  if (const auto* refusal = std::get_if<auth::Refusal>(&verdict)) return *refusal;
  return Cookie(cookie_.Reveal(), kSeconds);
}

std::string Sessions::LogOut() const { return Cookie("", 0); }

std::string Sessions::Cookie(std::string_view value, int64_t seconds) const {
  return fmt::format("{}={}; Path=/-/; Max-Age={}; HttpOnly; SameSite=Strict{}", name_, value,
                     seconds, secure_ ? "; Secure" : "");
}

}  // namespace warden::dashboard
