#include "warden/storage/s3/client.h"

#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <map>
#include <random>
#include <stop_token>
#include <thread>
#include <utility>

#include "warden/base/strings.h"
#include "warden/base/text/utf8.h"
#include "warden/net/digest.h"
#include "warden/os/random.h"

namespace warden::storage::s3 {
namespace {

using std::chrono::milliseconds;

constexpr milliseconds kFirstPause{200};
constexpr milliseconds kLongestPause{5000};
constexpr long kMostRetryAfter = 10;  // Seconds.
// Less than a byte a second for so long: the connection is dead.
constexpr long kSilentSeconds = 30;

// Random between half and all of what doubles each time, so that many clients of a server that
// restarts do not come at the same moment.
milliseconds PauseBefore(int attempt) {
  static thread_local std::minstd_rand random{std::random_device()()};
  const milliseconds pause = std::min(kFirstPause * (1 << std::min(attempt, 10)), kLongestPause);
  return milliseconds(
      std::uniform_int_distribution<long>(pause.count() / 2, pause.count())(random));
}

bool IsBusy(const Answer& answer) {
  return answer.status == 429 || answer.status == 408 || answer.status == 500 ||
         answer.status == 502 || answer.status == 503 || answer.status == 504;
}

bool HasExpired(const Answer& answer) {
  if (answer.status != 400 && answer.status != 403) return false;
  const std::string code = ErrorIn(answer).code;
  return code == "ExpiredToken" || code == "TokenRefreshRequired";
}

// "a=1&b=" with names in order, as signatures have it.
std::string SortedQuery(const QueryPairs& query) {
  std::vector<std::string> pairs;
  for (const auto& [name, value] : query) {
    pairs.push_back(fmt::format("{}={}", UriEncode(name, true), UriEncode(value, true)));
  }
  std::sort(pairs.begin(), pairs.end());
  return fmt::format("{}", fmt::join(pairs, "&"));
}

size_t KeepBody(char* data, size_t size, size_t count, void* out) {
  auto* body = static_cast<std::vector<std::byte>*>(out);
  const auto* bytes = reinterpret_cast<const std::byte*>(data);
  body->insert(body->end(), bytes, bytes + size * count);
  return size * count;
}

size_t KeepHeader(char* data, size_t size, size_t count, void* out) {
  auto* headers = static_cast<std::map<std::string, std::string, std::less<>>*>(out);
  const std::string_view line(data, size * count);
  if (line.starts_with("HTTP/")) headers->clear();  // Of the answer before: 100 Continue.
  if (const size_t colon = line.find(':'); colon != line.npos) {
    headers->insert_or_assign(LowerAscii(Trim(line.substr(0, colon))),
                              std::string(Trim(line.substr(colon + 1))));
  }
  return size * count;
}

std::string WhatToDo(const Answer& answer, const S3Error& error) {
  if (error.code == "NoSuchBucket") return "; check the bucket's name and AWS_ENDPOINT_URL";
  if (error.code == "SignatureDoesNotMatch" || error.code == "InvalidAccessKeyId") {
    return "; check the keys and the region (AWS_REGION)";
  }
  if (error.code == "RequestTimeTooSkewed") return "; set the clock of this machine";
  if (answer.status == 403 || answer.status == 401) {
    return "; check the credentials and their permissions for the bucket";
  }
  if (answer.status >= 300 && answer.status < 400) return "; check AWS_REGION and AWS_ENDPOINT_URL";
  return "";
}

}  // namespace

std::string Client::Locate(std::string_view key) const {
  return fmt::format("s3://{}/{}", bucket_, key);
}

std::vector<std::string> Client::EncryptionHeaders() const {
  const Settings settings = CurrentSettings();
  std::vector<std::string> headers;
  if (!settings.encryption.empty()) {
    headers.push_back("x-amz-server-side-encryption: " + settings.encryption);
  }
  if (!settings.kms_key.empty()) {
    headers.push_back("x-amz-server-side-encryption-aws-kms-key-id: " + settings.kms_key);
  }
  return headers;
}

Settings Client::CurrentSettings() const {
  const std::lock_guard lock(mutex_);
  return settings_;
}

bool Client::LearnRegion(const Answer& answer) {
  if (answer.status != 301 && answer.status != 307 && answer.status != 400) return false;
  const std::string region(answer.Header("x-amz-bucket-region"));
  const std::lock_guard lock(mutex_);
  if (region.empty() || region == settings_.region ||
      region.find_first_not_of("abcdefghijklmnopqrstuvwxyz0123456789-") != region.npos) {
    return false;
  }
  settings_.region = region;
  if (!settings_.own_endpoint) settings_.endpoint = AmazonEndpoint("s3", region);
  return true;
}

Result<Answer> Client::Send(const Call& call) {
  const std::string what = fmt::format("{} {}", call.method, Locate(call.key));
  bool forgot = false;
  for (int attempt = 1;; ++attempt) {
    const Settings settings = CurrentSettings();
    const Result<Credentials> keys = credentials_->Get();
    Result<Answer> answer = keys.ok() ? SendOnce(call, settings, keys.value()) : keys.status();
    long wanted_pause = 0;
    if (answer.ok()) {
      if (LearnRegion(answer.value())) continue;  // At most once: it is then no news.
      if (HasExpired(answer.value()) && !std::exchange(forgot, true)) {
        credentials_->Forget();
        continue;
      }
      if (!IsBusy(answer.value()) || attempt >= settings.most_attempts) return answer;
      wanted_pause = ParseInt(answer.value().Header("retry-after")).value_or(0);
    } else if (answer.status().code() != Code::kUnavailable) {
      return answer.status().WithContext(what);
    } else if (attempt >= settings.most_attempts) {
      return Status(Code::kUnavailable,
                    fmt::format("{}: {} does not answer after {} attempts: {}; check "
                                "AWS_ENDPOINT_URL and that the server is up",
                                what, settings.endpoint, attempt, answer.status().message()));
    }
    std::this_thread::sleep_for(std::max<milliseconds>(
        PauseBefore(attempt - 1),
        std::chrono::seconds(std::clamp(wanted_pause, 0L, kMostRetryAfter))));
  }
}

Result<Answer> Client::SendOnce(const Call& call, const Settings& settings,
                                const Credentials& keys) {
  ++requests_;
  std::string url = fmt::format("{}/{}", BucketUrl(settings, bucket_), UriEncode(call.key, false));
  if (!call.query.empty()) url += "?" + SortedQuery(call.query);
  const bool encrypted = settings.endpoint.starts_with("https://");
  net::Transfer transfer(url, "http,https", &connections_);
  transfer.Set(CURLOPT_PATH_AS_IS, 1L);
  transfer.Set(CURLOPT_TIMEOUT, 0L);
  transfer.Set(CURLOPT_LOW_SPEED_LIMIT, 1L);
  transfer.Set(CURLOPT_LOW_SPEED_TIME, kSilentSeconds);
  const std::string signature = fmt::format("aws:amz:{}:s3", settings.region);
  transfer.Set(CURLOPT_AWS_SIGV4, signature.c_str());
  transfer.Set(CURLOPT_USERNAME, keys.access_key.c_str());
  transfer.Set(CURLOPT_PASSWORD, keys.secret_key.c_str());
  if (!keys.session_token.empty())
    transfer.AddHeader("x-amz-security-token: " + keys.session_token);
  // Where others on the way could change it, the body is signed too.
  transfer.AddHeader("x-amz-content-sha256: " + (encrypted
                                                     ? std::string("UNSIGNED-PAYLOAD")
                                                     : net::Hex(net::Sha256(AsText(call.body)))));
  // Signed with the rest, so that no two requests have the same signature: servers refuse to be
  // told the same twice.
  transfer.AddHeader("amz-sdk-invocation-id: " + os::RandomUuid());
  for (const std::string& header : call.headers) transfer.AddHeader(header);
  if (call.method == "HEAD") {
    transfer.Set(CURLOPT_NOBODY, 1L);
  } else if (call.method == "PUT" || call.method == "POST") {
    transfer.AddHeader("Content-Type: application/octet-stream");
    transfer.Set(CURLOPT_POSTFIELDSIZE_LARGE, static_cast<curl_off_t>(call.body.size()));
    transfer.Set(CURLOPT_POSTFIELDS, reinterpret_cast<const char*>(call.body.data()));
    transfer.Set(CURLOPT_CUSTOMREQUEST, call.method.c_str());
  } else if (call.method != "GET") {
    transfer.Set(CURLOPT_CUSTOMREQUEST, call.method.c_str());
  }
  Answer answer;
  transfer.Set(CURLOPT_WRITEFUNCTION, &KeepBody);
  transfer.Set(CURLOPT_WRITEDATA, &answer.body);
  transfer.Set(CURLOPT_HEADERFUNCTION, &KeepHeader);
  transfer.Set(CURLOPT_HEADERDATA, &answer.headers);
  if (Status status = transfer.Perform(std::stop_token()); !status.ok()) return status;
  answer.status = transfer.response_code();
  return answer;
}

Status Client::Refusal(const Call& call, const Answer& answer) const {
  const S3Error error = ErrorIn(answer);
  const Code code = IsBusy(answer)                                         ? Code::kUnavailable
                    : answer.status == 404 && error.code != "NoSuchBucket" ? Code::kNotFound
                    : answer.status == 412                                 ? Code::kExists
                                                                           : Code::kIo;
  std::string said = fmt::format("HTTP status {}", answer.status);
  if (!error.code.empty()) said += " " + error.code;
  if (!error.message.empty()) said += fmt::format(" ({})", error.message);
  return Status(code, fmt::format("{} {}: {}{}", call.method, Locate(call.key), OneLine(said),
                                  WhatToDo(answer, error)));
}

Result<std::vector<ListedObject>> Client::List(const std::string& prefix,
                                               const std::string& start_after) {
  QueryPairs query;
  if (!start_after.empty()) query.emplace_back("start-after", start_after);
  auto listed = ListAll(prefix, query);
  if (!listed.ok()) return listed.status();
  return std::move(listed.value().objects);
}

Result<Client::Listed> Client::ListFolder(const std::string& prefix) {
  return ListAll(prefix, {{"delimiter", "/"}});
}

Result<Client::Listed> Client::ListAll(const std::string& prefix, const QueryPairs& query) {
  Listed listed;
  std::string next;
  do {
    Call call{.method = "GET", .key = ""};
    call.query = {{"list-type", "2"}, {"encoding-type", "url"}, {"prefix", prefix}};
    call.query.insert(call.query.end(), query.begin(), query.end());
    if (!next.empty()) call.query.emplace_back("continuation-token", next);
    const Result<Answer> answer = Send(call);
    if (!answer.ok()) return answer.status();
    if (!answer.value().ok()) return Refusal(call, answer.value());
    Result<ListedPage> page = PageIn(answer.value());
    if (!page.ok()) return page.status().WithContext(Locate(prefix));
    // Nobody asked for what is elsewhere, and nobody expects it.
    for (ListedObject& object : page.value().objects) {
      if (object.key.starts_with(prefix)) listed.objects.push_back(std::move(object));
    }
    for (std::string& folder : page.value().folders) {
      if (folder.starts_with(prefix)) listed.folders.push_back(std::move(folder));
    }
    next = std::move(page.value().next);
  } while (!next.empty());
  return listed;
}

}  // namespace warden::storage::s3
