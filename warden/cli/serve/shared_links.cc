#include "warden/cli/serve/shared_links.h"

#include <fmt/format.h>
#include <unistd.h>

#include <cstdlib>
#include <filesystem>

#include "warden/auth/audit_log.h"
#include "warden/client/service_file.h"
#include "warden/net/url.h"
#include "warden/service/data_folder.h"
#include "warden/service/options.h"

namespace warden::cli {
namespace {

namespace fs = std::filesystem;

bool IsSameFolder(const std::string& one, const std::string& other) {
  std::error_code error;
  return fs::equivalent(one, other, error) && !error;
}

}  // namespace

Result<SharedLinks> FindSharedLinks(const std::string& data, const std::string& url) {
  const auto running = client::ReadServiceFile(
      client::ServiceFilePath([](const char* name) { return std::getenv(name); }));
  const std::string of_running =
      running.ok() ? fs::path(running.value().token_file).parent_path().string() : "";
  std::string folder = data.empty() ? of_running : data;
  if (folder.empty()) {
    auto standard = service::StandardDataFolder();
    if (!standard.ok()) return standard.status();
    folder = std::move(standard.value());
  }
  std::error_code error;
  if (!fs::is_directory(folder, error)) {
    return Status(Code::kNotFound,
                  fmt::format("no data folder at {}; start 'warden serve' first, or name it with "
                              "--data",
                              folder));
  }
  SharedLinks links;
  links.file = service::DataLayout(folder).Viewers();
  links.audit = service::DataLayout(folder).Audit();
  links.url = url;
  if (links.url.empty() && !of_running.empty() && IsSameFolder(folder, of_running)) {
    links.url = running.value().url;
  }
  if (links.url.empty()) links.url = "http://" + service::ServiceOptions().listen;
  while (links.url.ends_with('/')) links.url.pop_back();
  const auto parsed = net::ParseUrl(links.url, client::kServiceSchemes);
  if (!parsed.ok()) return parsed.status();
  links.is_local = net::IsLoopback(parsed.value());
  return links;
}

void RecordChange(const SharedLinks& links, const std::string& action, const std::string& name) {
  auth::Identity user;
  user.access_key = fmt::format("user {}", geteuid());
  auth::AuditLog(links.audit).Add(user, {action, name, "ok"});
}

}  // namespace warden::cli
