#include "warden/cli/serve/service_call.h"

#include <array>
#include <cstdlib>
#include <string_view>
#include <utility>

#include "warden/base/json.h"
#include "warden/net/url.h"

namespace warden::cli {
namespace {

constexpr std::array<std::string_view, 2> kSchemes = {"http", "https"};

}  // namespace

void DefineServiceFlags(Command* command, client::EndpointFlags* flags) {
  command->Text("--endpoint", &flags->endpoint,
                "Address of the service (default: $WARDEN_ENDPOINT, or the one on this machine)");
  command->Text("--token-file", &flags->token_file,
                "File with the service's token (default: $WARDEN_TOKEN_FILE)");
}

Result<ServiceCall> ServiceCall::Open(const client::EndpointFlags& flags, Output* out) {
  auto found = client::FindService(flags, [](const char* name) { return std::getenv(name); });
  if (!found.ok()) return found.status();
  const auto url = net::ParseUrl(found.value().url, kSchemes);
  if (url.ok() && url.value().scheme == "http" && !net::IsLoopback(url.value())) {
    out->Tell("sending the token to " + net::Shown(url.value()) + " without encryption");
  }
  ServiceCall call;
  call.endpoint_ = std::make_unique<client::Endpoint>(std::move(found.value()));
  call.client_ = client::MakeApiClient(call.endpoint_.get());
  return call;
}

Result<Json> ServiceCall::Call(const std::string& operation, const Json& request) {
  const bool whole = operation.find('.') != std::string::npos;
  return client_->Call(whole ? operation : "SageMaker." + operation, request);
}

Result<Json> ServiceCall::Describe(const std::string& job) {
  auto described = Call("DescribeTrainingJob", {{"TrainingJobName", job}});
  if (!described.ok() && described.status().code() == Code::kNotFound) {
    return Status(Code::kNotFound, "no such job: " + job);
  }
  return described;
}

Result<Json> ServiceCall::Page(const std::string& job) {
  return client_->Get("/-/api/runs/" + job);
}

}  // namespace warden::cli
