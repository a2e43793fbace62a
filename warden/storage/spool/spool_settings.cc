#include "warden/storage/spool/spool_settings.h"

#include <fmt/format.h>

#include <algorithm>
#include <cstdlib>
#include <filesystem>
#include <string_view>

#include "warden/base/strings.h"

namespace warden::storage::spool {
namespace {

namespace fs = std::filesystem;

constexpr int64_t kUsualMegabytes = 50 << 10;

constexpr const char* kServerVariables[] = {"AWS_ENDPOINT_URL_S3",
                                            "AWS_ENDPOINT_URL",
                                            "AWS_ENDPOINT_URL_STS",
                                            "AWS_REGION",
                                            "AWS_DEFAULT_REGION",
                                            "AWS_PROFILE",
                                            "AWS_DEFAULT_PROFILE",
                                            "AWS_CONFIG_FILE",
                                            "AWS_SHARED_CREDENTIALS_FILE",
                                            "AWS_WEB_IDENTITY_TOKEN_FILE",
                                            "AWS_ROLE_ARN",
                                            "AWS_ROLE_SESSION_NAME",
                                            "AWS_CONTAINER_CREDENTIALS_RELATIVE_URI",
                                            "AWS_CONTAINER_CREDENTIALS_FULL_URI",
                                            "AWS_CONTAINER_AUTHORIZATION_TOKEN_FILE",
                                            "AWS_EC2_METADATA_DISABLED",
                                            "AWS_EC2_METADATA_SERVICE_ENDPOINT",
                                            "WARDEN_S3_ADDRESSING",
                                            "WARDEN_S3_ENCRYPTION",
                                            "WARDEN_S3_KMS_KEY"};

std::string Variable(const char* name) {
  const char* value = std::getenv(name);
  return value == nullptr ? "" : value;
}

// The nearest folder above that is there.
fs::path Existing(fs::path path) {
  std::error_code error;
  while (!fs::exists(path, error) && path.has_relative_path()) path = path.parent_path();
  return path;
}

}  // namespace

Result<Settings> ReadSettings() {
  Settings settings;
  settings.folder = Variable("WARDEN_S3_SPOOL");
  if (settings.folder.empty()) {
    std::string parent = Variable("XDG_CACHE_HOME");
    if (parent.empty() && !Variable("HOME").empty()) parent = Variable("HOME") + "/.cache";
    if (parent.empty()) {
      return Status(Code::kInvalid,
                    "no folder for files on their way to S3: HOME is not set; set WARDEN_S3_SPOOL");
    }
    settings.folder = parent + "/tensorwarden/spool";
  }
  std::error_code error;
  settings.folder = fs::absolute(settings.folder, error).lexically_normal();
  int64_t megabytes = kUsualMegabytes;
  if (const std::string text = Variable("WARDEN_S3_SPOOL_MB"); !text.empty()) {
    megabytes = ParseInt(text).value_or(-1);
    if (megabytes < 1 || megabytes > int64_t{1} << 30) {
      return Status(
          Code::kInvalid,
          fmt::format("WARDEN_S3_SPOOL_MB is {:?}; expected a number of megabytes from 1 on",
                      text));
    }
  }
  settings.most_bytes = static_cast<uint64_t>(megabytes) << 20;
  const fs::space_info space = fs::space(Existing(settings.folder), error);
  if (!error) {
    const uint64_t room = space.available + BytesIn(settings.folder);
    settings.most_bytes = std::min<uint64_t>(settings.most_bytes, room - room / 10);
  }
  return settings;
}

bool IsServerVariable(const std::string& name) {
  return std::find(std::begin(kServerVariables), std::end(kServerVariables), name) !=
         std::end(kServerVariables);
}

std::map<std::string, std::string> ServerVariables() {
  std::map<std::string, std::string> variables;
  for (const char* name : kServerVariables) {
    if (std::string value = Variable(name); !value.empty()) variables.emplace(name, value);
  }
  return variables;
}

uint64_t BytesIn(const std::string& folder) {
  uint64_t sum = 0;
  std::error_code error;
  for (fs::recursive_directory_iterator at(folder, error), end; !error && at != end;
       at.increment(error)) {
    std::error_code gone;
    if (!at->is_regular_file(gone)) continue;
    const uint64_t size = at->file_size(gone);
    if (!gone) sum += size;
  }
  return sum;
}

}  // namespace warden::storage::spool
