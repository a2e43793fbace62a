#include "warden/client/api_client.h"

#include <fmt/format.h>

#include <functional>
#include <string_view>
#include <utility>

#include "warden/base/json.h"
#include "warden/base/json_members.h"
#include "warden/net/transfer.h"
#include "warden/net/url.h"

namespace warden::client {
namespace {

// More than any answer of ours; another's is not to fill the memory.
constexpr size_t kMostAnswerBytes = 64 << 20;

size_t Keep(char* data, size_t size, size_t count, void* out) {
  auto* body = static_cast<std::string*>(out);
  if (body->size() + size * count > kMostAnswerBytes) return 0;
  body->append(data, size * count);
  return size * count;
}

Code CodeOf(long status, std::string_view code, std::string_view message) {
  if (code == "ResourceNotFound" || code == "ResourceNotFoundException" ||
      message.starts_with("Requested resource not found")) {
    return Code::kNotFound;
  }
  if (code == "ResourceInUse") return Code::kExists;
  return status >= 500 ? Code::kUnavailable : Code::kInvalid;
}

class CurlApiClient final : public ApiClient {
 public:
  CurlApiClient(const Endpoint* endpoint, std::stop_token stop)
      : endpoint_(endpoint), stop_(std::move(stop)) {}

  Result<Json> Call(const std::string& target, const Json& request) override {
    const std::string body = request.dump(-1, ' ', true, Json::error_handler_t::replace);
    return Send("/", [&](net::Transfer* transfer) {
      transfer->AddHeader("Content-Type: application/x-amz-json-1.1");
      transfer->AddHeader("X-Amz-Target: " + target);
      transfer->AddHeader("Expect:");
      transfer->Set(CURLOPT_POST, 1L);
      transfer->Set(CURLOPT_POSTFIELDSIZE_LARGE, static_cast<curl_off_t>(body.size()));
      transfer->Set(CURLOPT_POSTFIELDS, body.c_str());
    });
  }

  Result<Json> Get(const std::string& path) override {
    return Send(path, [](net::Transfer*) {});
  }

 private:
  Result<Json> Send(const std::string& path, const std::function<void(net::Transfer*)>& prepare) {
    const std::string url = endpoint_->url + path;
    std::string answer;
    net::Transfer transfer(url, "http,https");
    prepare(&transfer);
    transfer.AddHeader("Authorization: Bearer " + endpoint_->token.Reveal());
    transfer.Set(CURLOPT_WRITEFUNCTION, &Keep);
    transfer.Set(CURLOPT_WRITEDATA, &answer);
    if (!endpoint_->ca_file.empty()) transfer.Set(CURLOPT_CAINFO, endpoint_->ca_file.c_str());
    // The token would be read by whatever stands in between.
    if (url.starts_with("http://")) transfer.Set(CURLOPT_NOPROXY, "*");
    if (const Status status = transfer.Perform(stop_); !status.ok()) {
      return Status(Code::kUnavailable,
                    fmt::format("cannot connect to the service at {}: {}",
                                net::ShownUrl(endpoint_->url), status.message()));
    }
    return ReadAnswer(transfer.response_code(), answer);
  }

  const Endpoint* endpoint_;
  const std::stop_token stop_;
};

}  // namespace

std::unique_ptr<ApiClient> MakeApiClient(const Endpoint* endpoint, std::stop_token stop) {
  return std::make_unique<CurlApiClient>(endpoint, std::move(stop));
}

Result<Json> ReadAnswer(long status, const std::string& body) {
  const bool good = status >= 200 && status < 300;
  if (good && body.empty()) return Json::object();
  auto json = ParseJson(body);
  if (!json.ok() || !json.value().is_object()) {
    return Status(Code::kUnavailable,
                  fmt::format("the server is not a Tensorwarden service: HTTP {}", status));
  }
  if (good) return std::move(json.value());
  std::string code = TextOf(MemberOf(json.value(), "__type"));
  code.erase(0, code.find('#') + 1);  // "namespace#Code"; nothing goes if there is none.
  std::string message = TextOf(MemberOf(json.value(), "message"));
  if (message.empty()) message = TextOf(MemberOf(json.value(), "Message"));
  if (code.empty()) code = fmt::format("HTTP {}", status);
  return Status(CodeOf(status, code, message), fmt::format("{}: {}", code, message));
}

}  // namespace warden::client
