#include "warden/storage/s3/server_settings.h"

#include <fmt/format.h>

#include <array>
#include <initializer_list>

#include "warden/base/strings.h"
#include "warden/net/url.h"

namespace warden::storage::s3 {
namespace {

constexpr const char* kStyleVariable = "WARDEN_S3_ADDRESSING";
constexpr int kLongestPatience = 1000;
constexpr const char* kEncryptionVariable = "WARDEN_S3_ENCRYPTION";

std::string FirstOf(std::initializer_list<std::string> texts) {
  for (const std::string& text : texts) {
    if (!text.empty()) return text;
  }
  return "";
}

std::string SettingOf(const Profile& profile, std::string_view name) {
  const auto found = profile.find(name);
  return found == profile.end() ? "" : found->second;
}

Status RefuseValue(std::string_view name, std::string_view value, std::string_view expected) {
  return Status(Code::kInvalid, fmt::format("{} is {:?}; expected {}", name, value, expected));
}

Status CheckEndpoint(const std::string& endpoint) {
  static constexpr std::array<std::string_view, 2> kSchemes = {"http", "https"};
  const auto url = net::ParseUrl(endpoint, kSchemes);
  if (!url.ok()) return url.status().WithContext("the endpoint of S3 (AWS_ENDPOINT_URL)");
  if (!url.value().has_user) return Status();
  return Status(Code::kInvalid,
                "the endpoint of S3 (AWS_ENDPOINT_URL) has a user in it; keys have their own "
                "variables: AWS_ACCESS_KEY_ID and AWS_SECRET_ACCESS_KEY");
}

}  // namespace

std::string AmazonEndpoint(std::string_view service, std::string_view region) {
  return fmt::format("https://{}.{}.amazonaws.com{}", service, region,
                     region.starts_with("cn-") ? ".cn" : "");
}

Result<Settings> ReadSettings(const Variables& variables, const ChosenProfile& profile) {
  Settings settings;
  const Profile& file = profile.settings;
  settings.region = FirstOf({variables("AWS_REGION"), variables("AWS_DEFAULT_REGION"),
                             SettingOf(file, "region"), "us-east-1"});
  // It becomes part of a host name and of the signature.
  if (settings.region.find_first_not_of("abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ"
                                        "0123456789-_") != std::string::npos) {
    return RefuseValue("AWS_REGION", settings.region, "a name such as eu-central-1");
  }
  if (LowerAscii(variables("AWS_IGNORE_CONFIGURED_ENDPOINT_URLS")) != "true") {
    settings.endpoint =
        FirstOf({variables("AWS_ENDPOINT_URL_S3"), variables("AWS_ENDPOINT_URL"),
                 SettingOf(file, "services.s3.endpoint_url"), SettingOf(file, "endpoint_url")});
  }
  settings.own_endpoint = !settings.endpoint.empty();
  if (!settings.own_endpoint) settings.endpoint = AmazonEndpoint("s3", settings.region);
  while (settings.endpoint.ends_with('/')) settings.endpoint.pop_back();
  if (Status status = CheckEndpoint(settings.endpoint); !status.ok()) return status;

  const std::string style =
      FirstOf({variables(kStyleVariable), SettingOf(file, "s3.addressing_style"), "auto"});
  if (style == "path") {
    settings.style = Settings::Style::kPath;
  } else if (style == "virtual") {
    settings.style = Settings::Style::kVirtualHost;
  } else if (style != "auto") {
    return RefuseValue(kStyleVariable, style, "auto, path or virtual");
  }
  settings.encryption = variables(kEncryptionVariable);
  settings.kms_key = variables("WARDEN_S3_KMS_KEY");
  if (settings.encryption.empty() && !settings.kms_key.empty()) settings.encryption = "aws:kms";
  if (!settings.encryption.empty() && settings.encryption != "AES256" &&
      settings.encryption != "aws:kms") {
    return RefuseValue(kEncryptionVariable, settings.encryption, "AES256 or aws:kms");
  }
  if (const std::string attempts =
          FirstOf({variables("AWS_MAX_ATTEMPTS"), SettingOf(file, "max_attempts")});
      !attempts.empty()) {
    settings.most_attempts = static_cast<int>(ParseInt(attempts).value_or(0));
    if (settings.most_attempts < 1 || settings.most_attempts > kLongestPatience) {
      return RefuseValue("AWS_MAX_ATTEMPTS", attempts, "a number from 1 to 1000");
    }
  }
  return settings;
}

std::string BucketUrl(const Settings& settings, std::string_view bucket) {
  const bool in_host = settings.style == Settings::Style::kVirtualHost ||
                       (settings.style == Settings::Style::kAuto && !settings.own_endpoint &&
                        bucket.find_first_of("._ABCDEFGHIJKLMNOPQRSTUVWXYZ") == bucket.npos);
  if (!in_host) return fmt::format("{}/{}", settings.endpoint, bucket);
  const size_t host = settings.endpoint.find("://") + 3;
  return fmt::format("{}{}.{}", std::string_view(settings.endpoint).substr(0, host), bucket,
                     std::string_view(settings.endpoint).substr(host));
}

}  // namespace warden::storage::s3
