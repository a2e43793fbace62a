#include "warden/service/dashboard/site/session.h"

#include <fmt/format.h>

#include "warden/actions/digest.h"
#include "warden/base/strings.h"
#include "warden/service/auth/sigv4.h"

namespace warden::service {
namespace {

constexpr int64_t kSeconds = 30 * 24 * 3600;

}  // namespace

Sessions::Sessions(const Authenticator* authenticator, actions::Secret token, bool secure,
                   std::string_view data)
    : authenticator_(authenticator),
      token_(std::move(token)),
      cookie_(actions::HmacSha256Hex(token_.Reveal(), "a browser's session")),
      secure_(secure),
      name_("warden-" + actions::Hex(actions::Sha256(data)).substr(0, 8)) {}

bool Sessions::HasCookie(const RequestHead& head) const {
  if (token_.empty()) return false;
  for (const auto& [name, value] : head.headers) {
    if (LowerAscii(name) != "cookie") continue;
    for (const std::string& pair : SplitTrimmed(value, ';')) {
      const size_t equals = pair.find('=');
      if (equals == std::string::npos || pair.substr(0, equals) != name_) continue;
      if (IsSameSecret(pair.substr(equals + 1), cookie_.Reveal())) return true;
    }
  }
  return false;
}

Verdict Sessions::CheckToken(const RequestHead& head, std::string_view token) const {
  RequestHead shown;
  shown.method = head.method;
  shown.path = head.path;
  shown.peer = head.peer;
  shown.headers = {{"Authorization", fmt::format("Bearer {}", token)}};
  return authenticator_->Check(shown, actions::Hex(actions::Sha256("")));
}

Verdict Sessions::Check(const RequestHead& head, std::string_view body) const {
  if (!head.Header("authorization").empty() || !HasCookie(head)) {
    return authenticator_->Check(head, actions::Hex(actions::Sha256(body)));
  }
  const bool changes = head.method != "GET" && head.method != "HEAD";
  if (changes && head.Header("x-warden-request") != "1") {
    return Refusal{"MissingHeader",
                   "changes authorized by a cookie need the header X-Warden-Request: 1"};
  }
  return CheckToken(head, token_.Reveal());
}

std::variant<std::string, Refusal> Sessions::LogIn(const RequestHead& head,
                                                   std::string_view token) const {
  if (token_.empty() || !IsSameSecret(token, token_.Reveal())) {
    return Refusal{"UnrecognizedClientException", "wrong token for this service"};
  }
  const Verdict verdict = CheckToken(head, token);
  if (const auto* refusal = std::get_if<Refusal>(&verdict)) return *refusal;
  return Cookie(cookie_.Reveal(), kSeconds);
}

std::string Sessions::LogOut() const { return Cookie("", 0); }

std::string Sessions::Cookie(std::string_view value, int64_t seconds) const {
  return fmt::format("{}={}; Path=/-/; Max-Age={}; HttpOnly; SameSite=Strict{}", name_, value,
                     seconds, secure_ ? "; Secure" : "");
}

}  // namespace warden::service
