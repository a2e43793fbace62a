#include "warden/auth/rotating_authenticator.h"

#include <fmt/format.h>
#include <sys/stat.h>

#include <utility>

#include "warden/base/log.h"

namespace warden::auth {
namespace {

constexpr std::chrono::seconds kLookEvery{1};

}  // namespace

RotatingAuthenticator::RotatingAuthenticator(std::vector<std::string> files, Read read,
                                             std::string audit)
    : files_(std::move(files)), read_(std::move(read)), audit_(std::move(audit)) {}

Result<std::unique_ptr<Authenticator>> RotatingAuthenticator::Open(std::vector<std::string> files,
                                                                   Read read, std::string audit) {
  std::unique_ptr<RotatingAuthenticator> rotating(
      new RotatingAuthenticator(std::move(files), std::move(read), std::move(audit)));
  auto first = rotating->read_();
  if (!first.ok()) return first.status();
  rotating->current_ = std::move(first.value());
  // A change between reading and this is noticed at the next one only; files are not replaced at
  // the moment that a service starts.
  rotating->versions_ = rotating->Versions();
  return std::unique_ptr<Authenticator>(std::move(rotating));
}

Verdict RotatingAuthenticator::Check(const http::RequestHead& head,
                                     std::string_view payload_hash) const {
  return Current()->Check(head, payload_hash);
}

std::optional<Refusal> RotatingAuthenticator::CheckHead(const http::RequestHead& head) const {
  return Current()->CheckHead(head);
}

Verdict RotatingAuthenticator::CheckForm(const QueryPairs& fields) const {
  return Current()->CheckForm(fields);
}

std::optional<Identity> RotatingAuthenticator::ViewerWith(std::string_view token) const {
  if (auto viewer = Current()->ViewerWith(token)) return viewer;
  // The link may have been made a moment ago.
  {
    const std::lock_guard lock(mutex_);
    next_look_ = {};
  }
  return Current()->ViewerWith(token);
}

std::optional<Identity> RotatingAuthenticator::ViewerOf(std::string_view id) const {
  return Current()->ViewerOf(id);
}

void RotatingAuthenticator::Record(const Identity& identity, const Deed& deed) const {
  audit_.Add(identity, deed);
}

std::shared_ptr<const Authenticator> RotatingAuthenticator::Current() const {
  const std::lock_guard lock(mutex_);
  const auto now = std::chrono::steady_clock::now();
  if (now < next_look_) return current_;
  next_look_ = now + kLookEvery;
  std::string versions = Versions();
  if (versions == versions_) return current_;
  auto read = read_();
  // Not tried again before the next change; then also the log has only one line for each.
  versions_ = std::move(versions);
  if (read.ok()) {
    current_ = std::move(read.value());
    LogInfo("read the access keys again after a change");
  } else {
    LogError("the access keys have changed but cannot be used; the old ones stay valid: {}",
             read.status().message());
  }
  return current_;
}

std::string RotatingAuthenticator::Versions() const {
  std::string versions;
  for (const std::string& file : files_) {
    struct stat info{};
    if (stat(file.c_str(), &info) != 0) {
      versions += "-;";
      continue;
    }
    versions += fmt::format("{},{},{},{}.{},{};", info.st_dev, info.st_ino, info.st_size,
                            info.st_mtim.tv_sec, info.st_mtim.tv_nsec, info.st_mode);
  }
  return versions;
}

}  // namespace warden::auth
