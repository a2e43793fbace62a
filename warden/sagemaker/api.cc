#include "warden/sagemaker/api.h"

#include <fmt/format.h>

#include <mutex>

#include "warden/base/json.h"
#include "warden/base/strings.h"
#include "warden/jobs/db/limited_store.h"
#include "warden/net/digest.h"
#include "warden/sagemaker/cloudwatch.h"
#include "warden/sagemaker/cloudwatch_wire.h"
#include "warden/sagemaker/logs.h"
#include "warden/sagemaker/metrics/job_metrics.h"
#include "warden/sagemaker/model/api_error.h"
#include "warden/sagemaker/operations/operations.h"
#include "warden/sagemaker/perform.h"
#include "warden/sagemaker/replaced_services.h"
#include "warden/sagemaker/sts.h"

namespace warden::sagemaker {
namespace {

constexpr size_t kLongestBody = 1 << 20;

// What X-Amz-Target says: "SageMaker.CreateTrainingJob".
struct Target {
  std::string_view service;
  std::string_view operation;
};

Target TargetOf(const http::RequestHead& head) {
  const std::string_view text = head.Header("x-amz-target");
  const size_t dot = text.rfind('.');
  if (dot == std::string_view::npos) return {text, ""};
  return {text.substr(0, dot), text.substr(dot + 1)};
}

// STS and IAM, whose operations are in the body.
bool IsForm(const http::RequestHead& head) {
  return head.Header("x-amz-target").empty() &&
         LowerAscii(head.Header("content-type")).starts_with("application/x-www-form-urlencoded");
}

ApiError UnknownOperation(const http::RequestHead& head) {
  return {"UnknownOperationException",
          fmt::format("Unknown operation '{}'", head.Header("x-amz-target"))};
}

class Api : public http::Handler {
 public:
  explicit Api(const ApiParts& parts) : metrics_(parts.options), parts_(WithMetrics(parts)) {}

  std::unique_ptr<http::Exchange> Begin(const http::RequestHead& head) override {
    // Before the body: nobody without a key may have us wait for one.
    if (const auto refusal = parts_.authenticator->CheckHead(head)) {
      return http::AnswerAtOnce(Refused(*refusal, head));
    }
    const ApiError too_large{"RequestTooLargeException",
                             fmt::format("The body exceeds the limit of {} bytes", kLongestBody),
                             413};
    return http::GatherBody(kLongestBody, ToResponse(too_large, head.id),
                            [this, head](const std::string& body) { return Answer(head, body); });
  }

 private:
  static http::Response Refused(const auth::Refusal& refusal, const http::RequestHead& head) {
    if (IsCloudWatchCall(head)) {
      return ToCborResponse(ApiError{refusal.code, refusal.message, 403}, head.id);
    }
    if (IsForm(head)) return ToFormResponse({refusal.code, refusal.message, 403}, head.id);
    return ToResponse(ApiError{refusal.code, refusal.message}, head.id);
  }

  http::Response Answer(const http::RequestHead& head, const std::string& body) {
    const auth::Verdict verdict = parts_.authenticator->Check(head, net::Hex(net::Sha256(body)));
    if (const auto* refusal = std::get_if<auth::Refusal>(&verdict)) return Refused(*refusal, head);
    const auto& identity = std::get<auth::Identity>(verdict);
    if (identity.limits.jobs.empty()) return Answer(head, body, identity, parts_);
    // Other jobs do not exist for a limited key, whatever it asks for.
    jobs::LimitedStore own(parts_.store, identity.limits.jobs);
    ApiParts parts = parts_;
    parts.store = &own;
    return Answer(head, body, identity, parts);
  }

  http::Response Answer(const http::RequestHead& head, const std::string& body,
                        const auth::Identity& identity, const ApiParts& parts) {
    const bool is_form = IsForm(head);
    const bool may_read = identity.May(auth::Scope::kRead);
    if (IsCloudWatchCall(head)) {
      if (may_read) return AnswerCloudWatchCbor(body, parts, head);
      return ToCborResponse(AccessDenied(identity, "cloudwatch", "GetMetricData", "*"), head.id);
    }
    if (is_form && IsCloudWatchForm(body)) {
      if (may_read) return AnswerCloudWatchForm(body, parts, head);
      return ToFormResponse(AccessDenied(identity, "cloudwatch", "GetMetricData", "*"), head.id);
    }
    if (!is_form) return AnswerJson(head, body, identity, parts);
    if (const auto replaced = ReplacedForm(body)) return ToFormResponse(*replaced, head.id);
    return AnswerForm(body, identity, head);
  }

  http::Response AnswerJson(const http::RequestHead& head, const std::string& text,
                            const auth::Identity& identity, const ApiParts& parts) {
    auto body = text.empty() ? Result<Json>(Json::object()) : ParseJson(text);
    if (!body.ok() || !body.value().is_object()) {
      const std::string why = body.ok() ? "expected an object" : body.status().message();
      return ToResponse(ApiError{"SerializationException", "Cannot parse the body: " + why},
                        head.id);
    }
    const Target target = TargetOf(head);
    if (target.service == "Logs_20140328") {
      if (!identity.May(auth::Scope::kRead)) {
        return ToResponse(AccessDenied(identity, "logs", target.operation, "*"), head.id);
      }
      return AnswerLogs(target.operation, body.value(), identity, parts, head);
    }
    if (target.service == kCloudWatchTarget) {
      if (!identity.May(auth::Scope::kRead)) {
        return ToResponse(AccessDenied(identity, "cloudwatch", target.operation, "*"), head.id);
      }
      return AnswerCloudWatch(target.operation, body.value(), parts, head);
    }
    if (const auto replaced = ReplacedTarget(target.service, target.operation, body.value())) {
      return ToResponse(*replaced, head.id);
    }
    const operations::Operation* operation =
        target.service == "SageMaker" ? operations::FindOperation(target.operation) : nullptr;
    if (operation == nullptr) return ToResponse(UnknownOperation(head), head.id);
    const operations::Outcome outcome =
        Perform(parts, *operation, identity, body.value(),
                std::string(head.Header("amz-sdk-invocation-id")), &deleting_);
    if (const auto* error = std::get_if<ApiError>(&outcome)) return ToResponse(*error, head.id);
    return ToResponse(std::get<Json>(outcome), head.id);
  }

  ApiParts WithMetrics(ApiParts parts) {
    parts.metrics = &metrics_;
    return parts;
  }

  JobMetrics metrics_;
  const ApiParts parts_;
  std::mutex deleting_;
};

}  // namespace

std::unique_ptr<http::Handler> MakeApi(const ApiParts& parts) {
  return std::make_unique<Api>(parts);
}

}  // namespace warden::sagemaker
