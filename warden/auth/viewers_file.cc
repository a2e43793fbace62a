#include "warden/auth/viewers_file.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <fmt/ranges.h>
#include <sys/file.h>

#include <algorithm>
#include <cerrno>
#include <utility>

#include "warden/base/json.h"
#include "warden/base/json_members.h"
#include "warden/net/digest.h"
#include "warden/os/posix.h"
#include "warden/os/random.h"
#include "warden/os/replace_file.h"

namespace warden::auth {
namespace {

constexpr size_t kViewerIdDigits = 12;
constexpr size_t kViewerSecretDigits = 64;
constexpr size_t kDigestDigits = 64;
constexpr size_t kLongestViewerName = 64;

std::chrono::sys_seconds MomentIn(const Json& viewer, const char* name) {
  // Within what the clock can count.
  return std::chrono::sys_seconds(std::chrono::seconds(
      std::clamp<int64_t>(IntegerOf(MemberOf(viewer, name)), 0, 4'000'000'000)));
}

Status NotViewers(const std::string& path) {
  return Status(Code::kInvalid,
                fmt::format("{} is not a file of 'warden keys'; remove it to revoke "
                            "all view-only links",
                            path));
}

Status WriteViewers(const std::string& path, const std::vector<Viewer>& viewers) {
  Json list = Json::array();
  for (const Viewer& viewer : viewers) {
    list.push_back({{"id", viewer.id},
                    {"name", viewer.name},
                    {"digest", viewer.digest},
                    {"created", viewer.created.time_since_epoch().count()},
                    {"expires", viewer.expires.time_since_epoch().count()}});
  }
  const Json all = {{"viewers", std::move(list)}};
  return os::ReplaceFile(path, all.dump(1) + "\n", 0600);
}

// Held while the file is read and replaced.
Result<os::UniqueFd> LockViewers(const std::string& path) {
  const std::string lock = path + ".lock";
  os::UniqueFd file(open(lock.c_str(), O_RDWR | O_CREAT | O_CLOEXEC | O_NOFOLLOW, 0600));
  if (!file.ok()) return os::IoError("open", lock, errno);
  while (flock(file.get(), LOCK_EX) != 0) {
    if (errno != EINTR) return os::IoError("lock", lock, errno);
  }
  return file;
}

Status CheckViewerName(const std::string& name) {
  const auto is_control = [](char c) { return static_cast<unsigned char>(c) < 0x20 || c == 0x7F; };
  if (!name.empty() && name.size() <= kLongestViewerName &&
      !std::ranges::any_of(name, is_control)) {
    return Status();
  }
  return Status(Code::kInvalid, fmt::format("the name has {} bytes; expected 1 to {}, without "
                                            "control characters",
                                            name.size(), kLongestViewerName));
}

}  // namespace

Result<std::vector<Viewer>> ReadViewers(const std::string& path) {
  const auto file = os::ReadPrivateText(path);
  if (file.status().code() == Code::kNotFound) return std::vector<Viewer>();
  if (!file.ok()) return file.status();
  if (!file.value().is_private) return os::NotPrivate(path);
  const auto json = ParseJson(file.value().text);
  const Json* list = json.ok() ? MemberOf(json.value(), "viewers") : nullptr;
  if (list == nullptr || !list->is_array()) return NotViewers(path);
  std::vector<Viewer> viewers;
  for (const Json& one : *list) {
    Viewer viewer{TextOf(MemberOf(one, "id")), TextOf(MemberOf(one, "name")),
                  TextOf(MemberOf(one, "digest")), MomentIn(one, "created"),
                  MomentIn(one, "expires")};
    if (viewer.id.size() != kViewerIdDigits || viewer.digest.size() != kDigestDigits) {
      return NotViewers(path);
    }
    viewers.push_back(std::move(viewer));
  }
  return viewers;
}

Result<NewViewer> AddViewer(const std::string& path, const std::string& name,
                            std::chrono::sys_seconds now, std::chrono::seconds lifetime) {
  if (Status status = CheckViewerName(name); !status.ok()) return status;
  const auto lock = LockViewers(path);
  if (!lock.ok()) return lock.status();
  auto viewers = ReadViewers(path);
  if (!viewers.ok()) return viewers.status();
  std::erase_if(viewers.value(), [now](const Viewer& viewer) { return viewer.expires <= now; });
  if (std::ranges::find(viewers.value(), name, &Viewer::name) != viewers.value().end()) {
    return Status(Code::kExists,
                  fmt::format("'{}' has a view-only link; revoke it, or choose another name with "
                              "--name",
                              name));
  }
  NewViewer added;
  added.viewer.id = os::RandomHex(kViewerIdDigits);
  added.token = os::Secret(
      fmt::format("{}{}-{}", kViewerPrefix, added.viewer.id, os::RandomHex(kViewerSecretDigits)));
  added.viewer.name = name;
  added.viewer.digest = net::Hex(net::Sha256(added.token.Reveal()));
  added.viewer.created = now;
  added.viewer.expires = now + lifetime;
  viewers.value().push_back(added.viewer);
  if (Status status = WriteViewers(path, viewers.value()); !status.ok()) return status;
  return added;
}

Status RemoveViewer(const std::string& path, const std::string& name) {
  const auto lock = LockViewers(path);
  if (!lock.ok()) return lock.status();
  auto viewers = ReadViewers(path);
  if (!viewers.ok()) return viewers.status();
  const auto is_it = [&name](const Viewer& viewer) {
    return viewer.name == name || viewer.id == name;
  };
  if (std::erase_if(viewers.value(), is_it) > 0) return WriteViewers(path, viewers.value());
  if (viewers.value().empty()) {
    return Status(Code::kNotFound, fmt::format("unknown viewer '{}'; there are none", name));
  }
  std::vector<std::string> names;
  for (const Viewer& viewer : viewers.value()) names.push_back(viewer.name);
  return Status(Code::kNotFound, fmt::format("unknown viewer '{}'; expected one of: {}", name,
                                             fmt::join(names, ", ")));
}

std::string_view ViewerIdOf(std::string_view token) {
  if (!token.starts_with(kViewerPrefix)) return {};
  token.remove_prefix(kViewerPrefix.size());
  const size_t dash = token.find('-');
  return dash == kViewerIdDigits ? token.substr(0, dash) : std::string_view();
}

}  // namespace warden::auth
