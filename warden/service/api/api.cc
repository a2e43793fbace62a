#include "warden/service/api/api.h"

#include <fmt/format.h>

#include <mutex>

#include "warden/actions/digest.h"
#include "warden/base/json.h"
#include "warden/base/strings.h"
#include "warden/service/api/error.h"
#include "warden/service/api/logs.h"
#include "warden/service/api/operations/operations.h"
#include "warden/service/api/perform.h"
#include "warden/service/api/sts.h"

namespace warden::service {
namespace {

constexpr size_t kLongestBody = 1 << 20;

// What X-Amz-Target says: "SageMaker.CreateTrainingJob".
struct Target {
  std::string_view service;
  std::string_view operation;
};

Target TargetOf(const RequestHead& head) {
  const std::string_view text = head.Header("x-amz-target");
  const size_t dot = text.rfind('.');
  if (dot == std::string_view::npos) return {text, ""};
  return {text.substr(0, dot), text.substr(dot + 1)};
}

// STS and IAM, whose operations are in the body.
bool IsForm(const RequestHead& head) {
  return head.Header("x-amz-target").empty() &&
         LowerAscii(head.Header("content-type")).starts_with("application/x-www-form-urlencoded");
}

ApiError UnknownOperation(const RequestHead& head) {
  return {"UnknownOperationException",
          fmt::format("Unknown operation '{}'", head.Header("x-amz-target"))};
}

class Api : public Handler {
 public:
  explicit Api(const ApiParts& parts) : parts_(parts) {}

  std::unique_ptr<Exchange> Begin(const RequestHead& head) override {
    const ApiError too_large{"RequestTooLargeException",
                             fmt::format("The body exceeds the limit of {} bytes", kLongestBody),
                             413};
    return GatherBody(kLongestBody, ToResponse(too_large, head.id),
                      [this, head](const std::string& body) { return Answer(head, body); });
  }

 private:
  Response Answer(const RequestHead& head, const std::string& body) {
    const Verdict verdict = parts_.authenticator->Check(head, actions::Hex(actions::Sha256(body)));
    const bool is_form = IsForm(head);
    if (const auto* refusal = std::get_if<Refusal>(&verdict)) {
      if (is_form) return ToFormResponse({refusal->code, refusal->message, 403}, head.id);
      return ToResponse(ApiError{refusal->code, refusal->message}, head.id);
    }
    const auto& identity = std::get<Identity>(verdict);
    return is_form ? AnswerForm(body, identity, head) : AnswerJson(head, body, identity);
  }

  Response AnswerJson(const RequestHead& head, const std::string& text, const Identity& identity) {
    auto body = text.empty() ? Result<Json>(Json::object()) : ParseJson(text);
    if (!body.ok() || !body.value().is_object()) {
      const std::string why = body.ok() ? "expected an object" : body.status().message();
      return ToResponse(ApiError{"SerializationException", "Cannot parse the body: " + why},
                        head.id);
    }
    const Target target = TargetOf(head);
    if (target.service == "Logs_20140328") {
      if (!identity.May(Scope::kRead)) {
        return ToResponse(AccessDenied(identity, "logs", target.operation, "*"), head.id);
      }
      return AnswerLogs(target.operation, body.value(), parts_, head);
    }
    const operations::Operation* operation =
        target.service == "SageMaker" ? operations::FindOperation(target.operation) : nullptr;
    if (operation == nullptr) return ToResponse(UnknownOperation(head), head.id);
    const operations::Outcome outcome =
        Perform(parts_, *operation, identity, body.value(),
                std::string(head.Header("amz-sdk-invocation-id")), &deleting_);
    if (const auto* error = std::get_if<ApiError>(&outcome)) return ToResponse(*error, head.id);
    return ToResponse(std::get<Json>(outcome), head.id);
  }

  const ApiParts parts_;
  std::mutex deleting_;
};

}  // namespace

std::unique_ptr<Handler> MakeApi(const ApiParts& parts) { return std::make_unique<Api>(parts); }

}  // namespace warden::service
