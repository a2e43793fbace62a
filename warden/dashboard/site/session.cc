#include "warden/dashboard/site/session.h"

#include <fmt/format.h>

#include <utility>

#include "warden/auth/sigv4.h"
#include "warden/auth/viewers_file.h"
#include "warden/base/strings.h"
#include "warden/base/text/uri.h"
#include "warden/net/digest.h"

namespace warden::dashboard {
namespace {

constexpr std::string_view kHeader = "x-warden-session";

bool IsReading(const http::RequestHead& head) {
  return head.method == "GET" || head.method == "HEAD";
}

// The token of "Bearer TOKEN"; empty if it is something else.
std::string_view BearerIn(std::string_view authorization) {
  constexpr std::string_view kScheme = "bearer ";
  if (LowerAscii(authorization.substr(0, kScheme.size())) != kScheme) return {};
  return Trim(authorization.substr(kScheme.size()));
}

auth::Verdict Verdict(std::optional<auth::Identity> viewer) {
  if (viewer) return std::move(*viewer);
  return auth::Refusal{"UnrecognizedClientException",
                       "this view-only link has expired or was revoked"};
}

}  // namespace

Sessions::Sessions(const auth::Authenticator* authenticator, os::Secret token, SessionRules rules)
    : authenticator_(authenticator),
      current_(std::make_unique<Current>()),
      store_(std::make_unique<SessionStore>(std::move(rules), token.Reveal())),
      limit_(std::make_unique<SignInLimit>()) {
  current_->token = std::move(token);
}

os::Secret Sessions::Token() const {
  const std::lock_guard lock(current_->mutex);
  return current_->token;
}

bool Sessions::IsNewToken(const http::RequestHead& head, std::string_view token) const {
  const auth::Verdict verdict = CheckToken(head, token);
  const auto* identity = std::get_if<auth::Identity>(&verdict);
  if (identity == nullptr || identity->access_key != "token") return false;
  const std::lock_guard lock(current_->mutex);
  current_->token = os::Secret(std::string(token));
  store_->ChangeOwner(token);
  return true;
}

std::optional<std::string> Sessions::SessionOf(const http::RequestHead& head) const {
  if (const std::string_view key = head.Header(kHeader); !key.empty()) {
    return store_->ViewerIn(key);
  }
  if (!IsReading(head)) return std::nullopt;
  for (const auto& [name, value] : ParseQuery(head.query)) {
    if (name == "ticket") return store_->ViewerWith(value, UriDecode(head.path));
  }
  return std::nullopt;
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
  if (const std::string_view shown = head.Header("authorization"); !shown.empty()) {
    if (const std::string_view token = BearerIn(shown); token.starts_with(auth::kViewerPrefix)) {
      return Verdict(authenticator_->ViewerWith(token));
    }
    return authenticator_->Check(head, net::Hex(net::Sha256(body)));
  }
  const std::optional<std::string> viewer = SessionOf(head);
  if (!viewer) return authenticator_->Check(head, net::Hex(net::Sha256(body)));
  if (!viewer->empty()) return Verdict(authenticator_->ViewerOf(*viewer));
  return CheckToken(head, Token().Reveal());
}

std::optional<auth::Refusal> Sessions::CheckHead(const http::RequestHead& head) const {
  const std::string_view shown = head.Header("authorization");
  const bool is_viewer = BearerIn(shown).starts_with(auth::kViewerPrefix);
  if (!is_viewer && (!shown.empty() || !SessionOf(head))) return authenticator_->CheckHead(head);
  // Neither a session nor a view-only token depends on the body.
  const auth::Verdict verdict = Check(head, "");
  const auto* refusal = std::get_if<auth::Refusal>(&verdict);
  return refusal == nullptr ? std::nullopt : std::optional(*refusal);
}

std::variant<std::string, auth::Refusal> Sessions::LogIn(const http::RequestHead& head,
                                                         std::string_view token) const {
  if (const auto wait = limit_->WaitOf(head.peer); wait.count() > 0) {
    return auth::Refusal{
        "ThrottlingException",
        fmt::format("too many wrong tokens from {}; try again in {} s", head.peer, wait.count())};
  }
  if (token.starts_with(auth::kViewerPrefix)) {
    if (const auto viewer = authenticator_->ViewerWith(token)) {
      RecordSignIn(head, *viewer);
      return store_->Begin(std::string(auth::ViewerIdOf(token)));
    }
  }
  const os::Secret ours = Token();
  const bool is_ours = !ours.empty() && auth::IsSameSecret(token, ours.Reveal());
  if (!is_ours && !IsNewToken(head, token)) {
    limit_->Failed(head.peer);
    return auth::Refusal{"UnrecognizedClientException", "wrong token for this service"};
  }
  const auth::Verdict verdict = CheckToken(head, token);
  if (const auto* refusal = std::get_if<auth::Refusal>(&verdict)) return *refusal;
  RecordSignIn(head, std::get<auth::Identity>(verdict));
  return store_->Begin();
}

void Sessions::RecordSignIn(const http::RequestHead& head, const auth::Identity& identity) const {
  authenticator_->Record(identity, {"dashboard:SignIn", head.peer, "ok"});
}

void Sessions::LogOut(const http::RequestHead& head) const { store_->End(head.Header(kHeader)); }

std::string Sessions::TicketFor(const http::RequestHead& head, std::string_view path) const {
  return store_->TicketFor(head.Header(kHeader), UriDecode(path));
}

}  // namespace warden::dashboard
