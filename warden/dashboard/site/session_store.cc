#include "warden/dashboard/site/session_store.h"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

#include "warden/auth/sigv4.h"
#include "warden/base/json.h"
#include "warden/base/json_members.h"
#include "warden/base/log.h"
#include "warden/net/digest.h"
#include "warden/os/random.h"
#include "warden/os/replace_file.h"
#include "warden/os/secret.h"

namespace warden::dashboard {
namespace {

constexpr size_t kIdDigits = 16;
constexpr size_t kSecretDigits = 64;
// A session that is used all the time need not be written all the time.
constexpr std::chrono::hours kWriteEvery{1};

std::string DigestOf(std::string_view text) { return net::Hex(net::Sha256(text)); }

std::string OwnerDigest(std::string_view owner) {
  return DigestOf(fmt::format("sessions of {}", owner));
}

// "ID.rest" as both; the rest is empty if there is no dot.
std::pair<std::string_view, std::string_view> CutKey(std::string_view text) {
  const size_t dot = text.find('.');
  if (dot == std::string_view::npos) return {text, {}};
  return {text.substr(0, dot), text.substr(dot + 1)};
}

int64_t SecondsOf(std::chrono::system_clock::time_point time) {
  return std::chrono::duration_cast<std::chrono::seconds>(time.time_since_epoch()).count();
}

std::chrono::system_clock::time_point TimeIn(const Json& session, const char* name) {
  // Within what the clock can count.
  const int64_t seconds = std::clamp<int64_t>(IntegerOf(MemberOf(session, name)), 0, 4'000'000'000);
  return std::chrono::system_clock::time_point(std::chrono::seconds(seconds));
}

std::string SignedPath(const std::string& digest, std::string_view path) {
  return net::HmacSha256Hex(digest, fmt::format("ticket {}", path));
}

}  // namespace

SessionStore::SessionStore(SessionRules rules, std::string_view owner)
    : rules_(std::move(rules)), owner_(OwnerDigest(owner)) {
  Read();
}

void SessionStore::ChangeOwner(std::string_view owner) {
  const std::lock_guard lock(mutex_);
  owner_ = OwnerDigest(owner);
  sessions_.clear();
  Write();
}

std::string SessionStore::Begin(const std::string& viewer) {
  const std::string id = os::RandomHex(kIdDigits), secret = os::RandomHex(kSecretDigits);
  const std::lock_guard lock(mutex_);
  Drop(/*room=*/1);
  const auto now = rules_.now();
  sessions_[id] = {DigestOf(secret), now, now, viewer};
  Write();
  return id + "." + secret;
}

std::optional<std::string> SessionStore::ViewerIn(std::string_view key) {
  const std::lock_guard lock(mutex_);
  const Found found = Find(key);
  if (found == sessions_.end()) return std::nullopt;
  Touch(&found->second);
  return found->second.viewer;
}

bool SessionStore::End(std::string_view key) {
  const std::lock_guard lock(mutex_);
  const Found found = Find(key);
  if (found == sessions_.end()) return false;
  sessions_.erase(found);
  Write();
  return true;
}

std::string SessionStore::TicketFor(std::string_view key, std::string_view path) {
  const std::lock_guard lock(mutex_);
  const Found found = Find(key);
  if (found == sessions_.end()) return "";
  return fmt::format("{}.{}", found->first, SignedPath(found->second.digest, path));
}

std::optional<std::string> SessionStore::ViewerWith(std::string_view ticket,
                                                    std::string_view path) {
  const auto [id, signature] = CutKey(ticket);
  const std::lock_guard lock(mutex_);
  const auto found = sessions_.find(id);
  if (found == sessions_.end() || IsOver(found->second)) return std::nullopt;
  if (!auth::IsSameSecret(signature, SignedPath(found->second.digest, path))) return std::nullopt;
  Touch(&found->second);
  return found->second.viewer;
}

SessionStore::Found SessionStore::Find(std::string_view key) {
  const auto [id, secret] = CutKey(key);
  const auto found = sessions_.find(id);
  if (found == sessions_.end() || IsOver(found->second)) return sessions_.end();
  const bool is_right = auth::IsSameSecret(DigestOf(secret), found->second.digest);
  return is_right ? found : sessions_.end();
}

void SessionStore::Touch(Session* session) {
  const auto now = rules_.now();
  session->used = std::max(session->used, now);
  if (now - written_ >= kWriteEvery) Write();
}

bool SessionStore::IsOver(const Session& session) const {
  const auto now = rules_.now();
  return now - session.begun >= rules_.longest || now - session.used >= rules_.idle;
}

void SessionStore::Drop(size_t room) {
  std::erase_if(sessions_, [this](const auto& entry) { return IsOver(entry.second); });
  while (!sessions_.empty() && sessions_.size() + room > rules_.most) {
    sessions_.erase(std::ranges::min_element(sessions_, {},
                                             [](const auto& entry) { return entry.second.used; }));
  }
}

void SessionStore::Read() {
  if (rules_.file.empty()) return;
  const auto file = os::ReadPrivateText(rules_.file);
  if (file.status().code() == Code::kNotFound) return;
  const Status refused = !file.ok()                 ? file.status()
                         : !file.value().is_private ? os::NotPrivate(rules_.file)
                                                    : Status();
  const auto json = refused.ok() ? ParseJson(file.value().text) : Result<Json>(refused);
  if (!json.ok() || !json.value().is_object()) {
    LogWarning("cannot read the dashboard's sessions; browsers must sign in again: {}",
               json.ok() ? rules_.file + " is not a JSON object" : json.status().message());
    return;
  }
  if (!auth::IsSameSecret(TextOf(MemberOf(json.value(), "owner")), owner_)) return;
  const Json* list = MemberOf(json.value(), "sessions");
  if (list == nullptr || !list->is_array()) return;
  for (const Json& one : *list) {
    if (!one.is_object()) continue;
    const std::string id = TextOf(MemberOf(one, "id")), digest = TextOf(MemberOf(one, "digest"));
    if (id.size() != kIdDigits || digest.size() != kSecretDigits) continue;
    sessions_[id] = {digest, TimeIn(one, "begun"), TimeIn(one, "used"),
                     TextOf(MemberOf(one, "viewer"))};
  }
  Drop(/*room=*/0);
}

void SessionStore::Write() {
  written_ = rules_.now();
  if (rules_.file.empty()) return;
  Json list = Json::array();
  for (const auto& [id, session] : sessions_) {
    list.push_back({{"id", id},
                    {"digest", session.digest},
                    {"begun", SecondsOf(session.begun)},
                    {"used", SecondsOf(session.used)},
                    {"viewer", session.viewer}});
  }
  const Json all = {{"owner", owner_}, {"sessions", std::move(list)}};
  const Status status = os::ReplaceFile(rules_.file, all.dump() + "\n", 0600);
  if (!status.ok()) {
    LogWarning(
        "cannot save the dashboard's sessions; browsers must sign in again after a restart: "
        "{}",
        status.message());
  }
}

}  // namespace warden::dashboard
