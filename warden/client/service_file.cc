#include "warden/client/service_file.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <cstdio>
#include <filesystem>
#include <string_view>

#include "warden/base/json.h"
#include "warden/base/json_members.h"
#include "warden/net/url.h"
#include "warden/os/posix.h"
#include "warden/os/whole_file.h"

namespace warden::client {
namespace {

std::string ValueOf(const Environment& environment, const char* name) {
  const char* value = environment(name);
  return value == nullptr ? "" : value;
}

Status NoService() {
  return Status(Code::kNotFound,
                "no service found; start one with 'warden serve', or set --endpoint and "
                "--token-file ($WARDEN_ENDPOINT, $WARDEN_TOKEN_FILE)");
}

Result<Endpoint> Opened(ServiceNotice notice) {
  while (notice.url.ends_with('/')) notice.url.pop_back();
  const auto url = net::ParseUrl(notice.url, kServiceSchemes);
  if (!url.ok()) return url.status().WithContext("the address of the service");
  if (notice.token_file.empty()) {
    return Status(
        Code::kInvalid,
        "no token: set --token-file or $WARDEN_TOKEN_FILE to the service's file DATA/token");
  }
  auto token = os::ReadSecretFile(notice.token_file);
  if (!token.ok()) return token.status().WithContext("the token");
  return Endpoint{notice.url, std::move(token.value()), notice.certificate};
}

}  // namespace

std::string ServiceFilePath(const Environment& environment) {
  std::string config = ValueOf(environment, "XDG_CONFIG_HOME");
  if (!config.starts_with('/')) {
    const std::string home = ValueOf(environment, "HOME");
    if (home.empty()) return "";
    config = home + "/.config";
  }
  return config + "/tensorwarden/service.json";
}

Status WriteServiceFile(const std::string& path, const ServiceNotice& notice) {
  std::error_code error;
  std::filesystem::create_directories(std::filesystem::path(path).parent_path(), error);
  const std::string text = DumpLikePython({{"endpoint", notice.url},
                                           {"token_file", notice.token_file},
                                           {"certificate", notice.certificate},
                                           {"pid", notice.pid}}) +
                           "\n";
  const std::string temporary = fmt::format("{}.{}.tmp", path, getpid());
  unlink(temporary.c_str());
  const os::UniqueFd file(
      open(temporary.c_str(), O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC | O_NOFOLLOW, 0600));
  if (!file.ok()) return os::IoError("write", temporary, errno);
  if (write(file.get(), text.data(), text.size()) != static_cast<ssize_t>(text.size()) ||
      rename(temporary.c_str(), path.c_str()) != 0) {
    const Status status = os::IoError("write", path, errno);
    unlink(temporary.c_str());
    return status;
  }
  return Status();
}

void RemoveServiceFile(const std::string& path, int64_t pid) {
  const auto notice = ReadServiceFile(path);
  if (notice.ok() && notice.value().pid == pid) unlink(path.c_str());
}

Result<ServiceNotice> ReadServiceFile(const std::string& path) {
  const auto text = os::ReadWholeFile(path);
  if (!text) return Status(Code::kNotFound, fmt::format("cannot open {}: no such file", path));
  const auto json = ParseJson(*text);
  if (!json.ok()) return json.status().WithContext(path);
  if (!json.value().is_object() || TextOf(MemberOf(json.value(), "endpoint")).empty()) {
    return Status(Code::kCorrupt, fmt::format("{} has no endpoint", path));
  }
  const auto pid = json.value().find("pid");
  return ServiceNotice{
      TextOf(MemberOf(json.value(), "endpoint")), TextOf(MemberOf(json.value(), "token_file")),
      TextOf(MemberOf(json.value(), "certificate")),
      pid != json.value().end() && pid->is_number_integer() ? pid->get<int64_t>() : 0};
}

Result<Endpoint> FindService(const EndpointFlags& flags, const Environment& environment) {
  ServiceNotice notice{flags.endpoint, flags.token_file, ValueOf(environment, "WARDEN_CA_FILE"), 0};
  if (notice.url.empty()) notice.url = ValueOf(environment, "WARDEN_ENDPOINT");
  if (notice.token_file.empty()) notice.token_file = ValueOf(environment, "WARDEN_TOKEN_FILE");
  const auto left = ReadServiceFile(ServiceFilePath(environment));
  if (!left.ok()) {
    if (notice.url.empty()) {
      return left.status().code() == Code::kNotFound ? NoService() : left.status();
    }
    return Opened(notice);
  }
  if (notice.url.empty()) notice.url = left.value().url;
  // What the file says of one service is not told to another.
  if (notice.url == left.value().url) {
    if (notice.token_file.empty()) notice.token_file = left.value().token_file;
    if (notice.certificate.empty()) notice.certificate = left.value().certificate;
  }
  return Opened(notice);
}

}  // namespace warden::client
