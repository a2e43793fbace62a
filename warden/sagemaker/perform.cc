#include "warden/sagemaker/perform.h"

#include <fmt/format.h>

#include "warden/base/json.h"
#include "warden/base/json_members.h"
#include "warden/sagemaker/beyond_limits.h"
#include "warden/sagemaker/model/validate.h"

namespace warden::sagemaker {
namespace {

// The ARN that a request is about, as far as it says.
std::string ResourceOf(const Json& body, const auth::Identity& identity) {
  const auto arn = [&](std::string_view kind, const std::string& name) {
    return fmt::format("arn:aws:sagemaker:{}:{}:{}/{}", identity.region, identity.account, kind,
                       name);
  };
  for (const char* member : {"TrainingJobName", "ProcessingJobName"}) {
    const std::string name = TextOf(MemberOf(body, member));
    if (name.empty()) continue;
    return arn(member[0] == 'T' ? "training-job" : "processing-job", name);
  }
  const std::string given = TextOf(MemberOf(body, "ResourceArn"));
  return given.empty() ? "*" : given;
}

// A copy without the members and elements that are null, at any depth: to the API they are absent,
// so operations need not check for them.
Json WithoutNulls(const Json& json) {
  if (json.is_object()) {
    Json copy = Json::object();
    for (const auto& item : json.items()) {
      if (!item.value().is_null()) copy.emplace(item.key(), WithoutNulls(item.value()));
    }
    return copy;
  }
  if (!json.is_array()) return json;
  Json copy = Json::array();
  for (const Json& element : json) {
    if (!element.is_null()) copy.push_back(WithoutNulls(element));
  }
  return copy;
}

operations::Outcome CheckAndRun(const ApiParts& parts, const operations::Operation& operation,
                                const auth::Identity& identity, const Json& body,
                                const std::string& invocation_id, std::mutex* deleting) {
  if (!identity.May(operation.scope)) {
    ApiError error =
        AccessDenied(identity, "sagemaker", operation.name, ResourceOf(body, identity));
    if (!identity.read_only.empty()) {
      error.message += " because " + identity.WhyNot(operation.scope);
    }
    return error;
  }
  if (auto error = Validate(operation.name, body)) return std::move(*error);
  const Json given = WithoutNulls(body);
  if (operation.scope != auth::Scope::kRead) {
    if (const auto beyond = FindBeyondLimits(identity, operation.name, given)) {
      ApiError error = AccessDenied(identity, "sagemaker", operation.name, beyond->resource);
      error.message += " because " + beyond->reason;
      return error;
    }
  }
  const operations::Call call{parts, identity, given, invocation_id, deleting};
  return operation.run(call);
}

}  // namespace

ApiError AccessDenied(const auth::Identity& identity, std::string_view service,
                      std::string_view operation, const std::string& resource) {
  return {"AccessDeniedException",
          fmt::format("User: arn:aws:iam::{}:user/{} is not authorized to perform: {}:{} on "
                      "resource: {}",
                      identity.account, identity.access_key, service, operation, resource)};
}

operations::Outcome Perform(const ApiParts& parts, const operations::Operation& operation,
                            const auth::Identity& identity, const Json& body,
                            const std::string& invocation_id, std::mutex* deleting) {
  operations::Outcome outcome =
      CheckAndRun(parts, operation, identity, body, invocation_id, deleting);
  if (operation.scope != auth::Scope::kRead) {
    const auto* error = std::get_if<ApiError>(&outcome);
    parts.authenticator->Record(
        identity, {fmt::format("sagemaker:{}", operation.name), ResourceOf(body, identity),
                   error == nullptr ? "ok" : error->code});
  }
  return outcome;
}

}  // namespace warden::sagemaker
