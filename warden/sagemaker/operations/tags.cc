#include "warden/sagemaker/operations/tags.h"

#include <fmt/format.h>

#include <algorithm>

#include "warden/base/json_members.h"
#include "warden/sagemaker/operations/operations.h"

namespace warden::sagemaker::operations {
namespace {

constexpr size_t kMostTags = 50;

// "arn:aws:sagemaker:REGION:ACCOUNT:training-job/NAME" -> "training-job", "NAME".
std::pair<std::string, std::string> ResourceOf(const std::string& arn) {
  size_t colon = 0;
  for (int i = 0; i < 5; ++i) {
    colon = arn.find(':', colon);
    if (colon == std::string::npos) return {};
    ++colon;
  }
  const size_t slash = arn.find('/', colon);
  if (slash == std::string::npos) return {};
  return {arn.substr(colon, slash - colon), arn.substr(slash + 1)};
}

// The job whose ARN it is.
std::variant<jobs::TrainingJob, ApiError> JobWithArn(const Call& call) {
  const std::string arn = TextOf(MemberOf(call.body, "ResourceArn"));
  const auto [kind, name] = ResourceOf(arn);
  if (kind != "training-job") return NotFoundError();
  auto job = call.parts.store->Get(name);
  if (!job.ok()) return StoreError(job.status());
  if (job.value().Arn() != arn) return NotFoundError();
  return std::move(job).value();
}

// Rules have no tags of their own, but are there.
bool IsRuleJob(const Call& call) {
  const std::string arn = TextOf(MemberOf(call.body, "ResourceArn"));
  const auto [kind, name] = ResourceOf(arn);
  if (kind != "processing-job") return false;
  const auto found = call.parts.store->FindRuleJob(name);
  return found.ok() &&
         found.value().first.RuleArn(found.value().first.rules[found.value().second]) == arn;
}

ApiError NoTagsOfRules() {
  return ValidationError("Rule jobs cannot have tags; tag the training job instead");
}

}  // namespace

void SetTags(const Json& tags, jobs::TrainingJob* job) {
  for (const Json& tag : tags) {
    const std::string key = TextOf(MemberOf(tag, "Key"));
    const auto same = std::find_if(job->tags.begin(), job->tags.end(),
                                   [&](const auto& each) { return each.first == key; });
    std::string value = TextOf(MemberOf(tag, "Value"));
    if (same != job->tags.end()) {
      same->second = std::move(value);
    } else {
      job->tags.emplace_back(key, std::move(value));
    }
  }
}

Json TagsJson(const jobs::TrainingJob& job) {
  Json list = Json::array();
  for (const auto& [key, value] : job.tags) list.push_back({{"Key", key}, {"Value", value}});
  return list;
}

Outcome ListTags(const Call& call) {
  if (IsRuleJob(call)) return Json{{"Tags", Json::array()}};
  auto job = JobWithArn(call);
  if (auto* error = std::get_if<ApiError>(&job)) return std::move(*error);
  return Json{{"Tags", TagsJson(std::get<jobs::TrainingJob>(job))}};
}

Outcome AddTags(const Call& call) {
  if (IsRuleJob(call)) return NoTagsOfRules();
  auto found = JobWithArn(call);
  if (auto* error = std::get_if<ApiError>(&found)) return std::move(*error);
  const Json* tags = MemberOf(call.body, "Tags");
  const std::string& name = std::get<jobs::TrainingJob>(found).name;
  auto changed = ChangeJob(call, name, [&](jobs::TrainingJob* job) -> std::optional<ApiError> {
    if (tags != nullptr) SetTags(*tags, job);
    if (job->tags.size() <= kMostTags) return std::nullopt;
    return ValidationError(
        fmt::format("A resource can have at most {} tags; with this request it would have {}",
                    kMostTags, job->tags.size()));
  });
  if (auto* error = std::get_if<ApiError>(&changed)) return std::move(*error);
  return Json{{"Tags", tags == nullptr ? Json::array() : *tags}};
}

Outcome DeleteTags(const Call& call) {
  if (IsRuleJob(call)) return NoTagsOfRules();
  auto found = JobWithArn(call);
  if (auto* error = std::get_if<ApiError>(&found)) return std::move(*error);
  const Json* keys = MemberOf(call.body, "TagKeys");
  const std::string& name = std::get<jobs::TrainingJob>(found).name;
  auto changed = ChangeJob(call, name, [&](jobs::TrainingJob* job) -> std::optional<ApiError> {
    std::erase_if(job->tags, [&](const auto& tag) {
      return keys != nullptr && std::find(keys->begin(), keys->end(), tag.first) != keys->end();
    });
    return std::nullopt;
  });
  if (auto* error = std::get_if<ApiError>(&changed)) return std::move(*error);
  return Json::object();
}

}  // namespace warden::sagemaker::operations
