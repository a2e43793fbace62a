#include "warden/storage/s3/credentials.h"

#include <fmt/format.h>

#include <chrono>
#include <stop_token>
#include <utility>
#include <vector>

#include "warden/base/strings.h"
#include "warden/base/text/uri.h"
#include "warden/net/transfer.h"
#include "warden/os/whole_file.h"
#include "warden/storage/s3/credential_answers.h"
#include "warden/storage/s3/server_settings.h"

namespace warden::storage::s3 {
namespace {

using Found = Result<std::optional<Credentials>>;

constexpr std::chrono::minutes kBeforeTheyExpire{5};
constexpr size_t kMostTokenBytes = 1 << 16;
constexpr size_t kMostAnswerBytes = 1 << 20;
constexpr const char* kMetadataAddress = "http://169.254.169.254";
constexpr const char* kContainerAddress = "http://169.254.170.2";

size_t AppendAnswer(char* data, size_t size, size_t count, void* out) {
  auto* text = static_cast<std::string*>(out);
  if (text->size() + size * count > kMostAnswerBytes) return 0;
  text->append(data, size * count);
  return size * count;
}

// One request to a service that gives credentials. The answer with status 200; kUnavailable or
// kInvalid, with the status, for every other.
struct Question {
  std::string url;
  std::vector<std::string> headers = {};
  const char* method = nullptr;  // Null: GET, or POST with a form.
  std::string form = {};
  // In milliseconds. The metadata service of an instance answers at once or is not there.
  long connect_timeout = 10'000;
};
Result<std::string> Ask(const Question& question, std::string_view who) {
  net::Transfer transfer(question.url, "http,https");
  for (const std::string& header : question.headers) transfer.AddHeader(header);
  if (question.method != nullptr) transfer.Set(CURLOPT_CUSTOMREQUEST, question.method);
  if (!question.form.empty()) transfer.Set(CURLOPT_POSTFIELDS, question.form.c_str());
  transfer.Set(CURLOPT_CONNECTTIMEOUT_MS, question.connect_timeout);
  std::string answer;
  transfer.Set(CURLOPT_WRITEFUNCTION, &AppendAnswer);
  transfer.Set(CURLOPT_WRITEDATA, &answer);
  if (Status status = transfer.Perform(std::stop_token()); !status.ok()) {
    return status.WithContext(who);
  }
  const long code = transfer.response_code();
  if (code == 200) return answer;
  return Status(code >= 500 || code == 429 ? Code::kUnavailable : Code::kInvalid,
                fmt::format("{} answered with HTTP status {}", who, code));
}

std::string ValueIn(const Profile& profile, std::string_view name) {
  const auto found = profile.find(name);
  return found == profile.end() ? "" : found->second;
}

// A token in a file, which others replace from time to time.
Result<std::string> TokenIn(const std::string& path) {
  const auto text = os::ReadPlainFile(path, kMostTokenBytes);
  if (text && !Trim(*text).empty()) return std::string(Trim(*text));
  return Status(Code::kInvalid, fmt::format("cannot read a token from {}", path));
}

Found InOptional(Result<Credentials> found) {
  if (!found.ok()) return found.status();
  return std::optional(std::move(found).value());
}

}  // namespace

Result<Credentials> CredentialSource::Get() {
  const std::lock_guard lock(mutex_);
  if (known_ && (!known_->expires || Now() + kBeforeTheyExpire < *known_->expires)) return *known_;
  Result<Credentials> found = Find();
  if (found.ok()) {
    known_ = found.value();
  } else if (known_ && Now() < known_->expires.value_or(Time::max())) {
    return *known_;  // Good for a few minutes more.
  }
  return found;
}

void CredentialSource::Forget() {
  const std::lock_guard lock(mutex_);
  known_.reset();
}

Result<Credentials> CredentialSource::Find() const {
  const std::string access_key = variables_("AWS_ACCESS_KEY_ID");
  const std::string secret_key = variables_("AWS_SECRET_ACCESS_KEY");
  if (!access_key.empty() && !secret_key.empty()) {
    return Credentials{access_key, secret_key, variables_("AWS_SESSION_TOKEN"), std::nullopt,
                       "AWS_ACCESS_KEY_ID"};
  }
  if (profile_.by_name && !profile_.found) {
    return Status(Code::kInvalid,
                  fmt::format("AWS_PROFILE is {:?}; there is no such profile in ~/.aws/credentials "
                              "or ~/.aws/config",
                              profile_.name));
  }
  using Way = Found (CredentialSource::*)() const;
  for (const Way way : {&CredentialSource::FromWebIdentity, &CredentialSource::FromProfile,
                        &CredentialSource::FromContainer, &CredentialSource::FromInstance}) {
    Found found = (this->*way)();
    if (!found.ok()) return found.status();
    if (found.value()) return std::move(*found.value());
  }
  return Status(
      Code::kInvalid,
      "no credentials for S3: set AWS_ACCESS_KEY_ID and AWS_SECRET_ACCESS_KEY, or AWS_PROFILE to a "
      "profile of ~/.aws/credentials; nor is there a web identity, a container's or an instance's "
      "role");
}

Found CredentialSource::FromProfile() const {
  for (const Profile* profile : {&profile_.keys, &profile_.settings}) {
    const std::string access_key = ValueIn(*profile, "aws_access_key_id");
    const std::string secret_key = ValueIn(*profile, "aws_secret_access_key");
    if (access_key.empty() || secret_key.empty()) continue;
    return std::optional(Credentials{access_key, secret_key, ValueIn(*profile, "aws_session_token"),
                                     std::nullopt, fmt::format("profile {}", profile_.name)});
  }
  for (const char* setting : {"credential_process", "sso_session", "sso_start_url", "role_arn"}) {
    if (ValueIn(profile_.settings, setting).empty()) continue;
    return Status(Code::kInvalid,
                  fmt::format("profile {} uses {}, which is not supported; run 'eval \"$(aws "
                              "configure export-credentials --format env)\"' first",
                              profile_.name, setting));
  }
  return std::optional<Credentials>();
}

Found CredentialSource::FromWebIdentity() const {
  std::string file = variables_("AWS_WEB_IDENTITY_TOKEN_FILE");
  std::string role = variables_("AWS_ROLE_ARN");
  if (file.empty()) {
    file = ValueIn(profile_.settings, "web_identity_token_file");
    role = ValueIn(profile_.settings, "role_arn");
  }
  if (file.empty()) return std::optional<Credentials>();
  if (role.empty()) {
    return Status(Code::kInvalid, "AWS_WEB_IDENTITY_TOKEN_FILE is set, AWS_ROLE_ARN is not");
  }
  const Result<std::string> token = TokenIn(file);
  if (!token.ok()) return token.status();
  std::string session = variables_("AWS_ROLE_SESSION_NAME");
  if (session.empty()) session = "tensorwarden";
  std::string sts = variables_("AWS_ENDPOINT_URL_STS");
  if (sts.empty()) sts = variables_("AWS_ENDPOINT_URL");
  if (sts.empty()) sts = AmazonEndpoint("sts", region_);
  const Question question{
      .url = sts + "/",
      .form = fmt::format("Action=AssumeRoleWithWebIdentity&Version=2011-06-15&RoleArn={}"
                          "&RoleSessionName={}&WebIdentityToken={}",
                          UriEncode(role, true), UriEncode(session, true),
                          UriEncode(token.value(), true))};
  const std::string who = fmt::format("STS, asked for role {}", role);
  const Result<std::string> answer = Ask(question, who);
  if (!answer.ok()) return answer.status();
  return InOptional(CredentialsInXml(answer.value(), who));
}

Found CredentialSource::FromContainer() const {
  std::string url = variables_("AWS_CONTAINER_CREDENTIALS_FULL_URI");
  if (const std::string path = variables_("AWS_CONTAINER_CREDENTIALS_RELATIVE_URI");
      !path.empty()) {
    url = kContainerAddress + path;
  }
  if (url.empty()) return std::optional<Credentials>();
  std::string token = variables_("AWS_CONTAINER_AUTHORIZATION_TOKEN");
  if (const std::string file = variables_("AWS_CONTAINER_AUTHORIZATION_TOKEN_FILE");
      !file.empty()) {
    Result<std::string> read = TokenIn(file);
    if (!read.ok()) return read.status();
    token = std::move(read).value();
  }
  Question question{.url = url};
  if (token.find_first_of("\r\n") != token.npos) {
    return Status(Code::kInvalid, "AWS_CONTAINER_AUTHORIZATION_TOKEN has a line end in it");
  }
  if (!token.empty()) question.headers.push_back("Authorization: " + token);
  const std::string who = "the container's credentials";
  const Result<std::string> answer = Ask(question, who);
  if (!answer.ok()) return answer.status();
  return InOptional(CredentialsInJson(answer.value(), who));
}

Found CredentialSource::FromInstance() const {
  if (LowerAscii(variables_("AWS_EC2_METADATA_DISABLED")) == "true") {
    return std::optional<Credentials>();
  }
  std::string address = variables_("AWS_EC2_METADATA_SERVICE_ENDPOINT");
  if (address.empty()) address = kMetadataAddress;
  while (address.ends_with('/')) address.pop_back();
  const std::string who = "the instance's metadata";
  // Without a token there is no metadata service: not an EC2 instance.
  const Result<std::string> session = Ask({.url = address + "/latest/api/token",
                                           .headers = {"X-aws-ec2-metadata-token-ttl-seconds: 300"},
                                           .method = "PUT",
                                           .connect_timeout = 1000},
                                          who);
  if (!session.ok()) return std::optional<Credentials>();
  const std::string roles = address + "/latest/meta-data/iam/security-credentials/";
  const std::vector<std::string> headers = {
      fmt::format("X-aws-ec2-metadata-token: {}", Trim(session.value()))};
  const Result<std::string> role = Ask({.url = roles, .headers = headers}, who);
  if (!role.ok()) return std::optional<Credentials>();  // An instance without a role.
  const std::string name(Trim(std::string_view(role.value()).substr(0, role.value().find('\n'))));
  const Result<std::string> answer =
      Ask({.url = roles + UriEncode(name, true), .headers = headers}, who);
  if (!answer.ok()) return answer.status();
  return InOptional(
      CredentialsInJson(answer.value(), fmt::format("role {} of the instance", name)));
}

}  // namespace warden::storage::s3
