#include "warden/sagemaker/beyond_limits.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>

#include "warden/actions/action_config.h"
#include "warden/base/json.h"
#include "warden/base/json_members.h"
#include "warden/base/strings.h"
#include "warden/jobs/record/job.h"
#include "warden/jobs/rules/rule_launch.h"
#include "warden/jobs/supervise/job_actions.h"

namespace warden::sagemaker {
namespace {

constexpr std::string_view kBucketScheme = "s3://";
constexpr std::string_view kFileScheme = "file://";
constexpr std::string_view kNotInBuckets = "/\\\"', \t\r\n)]}";

using Beyond = std::optional<BeyondLimits>;

// Whether the service takes a text of this name for a place, where a path of the machine would do.
bool NamesPlace(std::string_view member) {
  return member == "S3Uri" || member == "S3OutputPath" || member == "sagemaker_submit_directory" ||
         member == "source_s3_uri" || member.starts_with("other_trial");
}

class LimitCheck {
 public:
  LimitCheck(const auth::Identity& identity, const Json& body)
      : identity_(identity), limits_(identity.limits), body_(body) {}

  Beyond Names() const {
    if (const Json* name = MemberOf(body_, "TrainingJobName")) return Job(TextOf(name));
    // Of other resources there are none in the store that the request sees.
    const std::string arn = TextOf(MemberOf(body_, "ResourceArn"));
    constexpr std::string_view kKind = ":training-job/";
    const size_t at = arn.find(kKind);
    return at == std::string::npos ? std::nullopt : Job(arn.substr(at + kKind.size()));
  }

  Beyond Rules() const {
    for (const char* member : {"DebugRuleConfigurations", "ProfilerRuleConfigurations"}) {
      const Json* rules = MemberOf(body_, member);
      if (rules == nullptr) continue;
      for (const Json& config : *rules) {
        if (Beyond beyond = Rule(config)) return beyond;
      }
    }
    return std::nullopt;
  }

  Beyond Addresses() const { return Search(body_, "", /*decode=*/true); }

 private:
  Beyond Job(const std::string& name) const {
    if (limits_.AllowJob(name)) return std::nullopt;
    return BeyondLimits{JobArn(name),
                        fmt::format("this key is limited to job names that begin with {}",
                                    fmt::join(limits_.jobs, " or "))};
  }

  std::string JobArn(const std::string& name) const {
    return fmt::format("arn:aws:sagemaker:{}:{}:training-job/{}", identity_.region,
                       identity_.account, name);
  }

  Beyond Rule(const Json& config) const {
    for (const std::string& other : jobs::JobsToCompareWith(config)) {
      if (Beyond beyond = Job(other)) return beyond;
    }
    return Actions(config);
  }

  Beyond Actions(const Json& config) const {
    jobs::TrainingJob job;
    job.name = TextOf(MemberOf(body_, "TrainingJobName"));
    jobs::RuleJob rule;
    rule.config = config;
    const auto wanted = jobs::ActionsOf(job, rule);
    if (!wanted.ok()) return std::nullopt;  // Nothing is done then.
    for (const actions::ActionConfig& action : wanted.value()) {
      const auto* stop = std::get_if<actions::StopTrainingConfig>(&action);
      // All jobs that begin so must be the key's.
      if (stop != nullptr && !stop->prefix.empty()) {
        if (Beyond beyond = Job(stop->prefix)) return beyond;
      }
      const auto* webhook = std::get_if<actions::WebhookConfig>(&action);
      if (webhook == nullptr || (webhook->secret_env.empty() && webhook->secret_file.empty())) {
        continue;
      }
      return BeyondLimits{
          "*", fmt::format("a webhook of rule {} uses a secret of the service, which needs a key "
                           "without limits",
                           TextOf(MemberOf(config, "RuleConfigurationName")))};
    }
    return std::nullopt;
  }

  // decode: texts may be JSON, as hyperparameters are.
  Beyond Search(const Json& json, std::string_view member, bool decode) const {
    if (json.is_string()) {
      const auto& text = json.get_ref<const std::string&>();
      if (Beyond beyond = SearchText(text, member)) return beyond;
      const auto inner = decode ? ParseJson(text) : Result<Json>(Json());
      return inner.ok() ? Search(inner.value(), member, /*decode=*/false) : std::nullopt;
    }
    if (!json.is_object() && !json.is_array()) return std::nullopt;
    for (const auto& item : json.items()) {
      // Elements of a list are what the list is.
      const std::string_view name = json.is_object() ? std::string_view(item.key()) : member;
      if (Beyond beyond = Search(item.value(), name, decode)) return beyond;
    }
    return std::nullopt;
  }

  Beyond SearchText(const std::string& text, std::string_view member) const {
    const std::string lower = LowerAscii(text);
    for (size_t at = lower.find(kBucketScheme); at != std::string::npos;
         at = lower.find(kBucketScheme, at + 1)) {
      const size_t begin = at + kBucketScheme.size();
      const size_t end = std::min(text.find_first_of(kNotInBuckets, begin), text.size());
      const std::string bucket = text.substr(begin, end - begin);
      if (limits_.AllowBucket(bucket)) continue;
      return BeyondLimits{
          fmt::format("arn:aws:s3:::{}", bucket),
          fmt::format("{} names s3://{} and this key is limited to bucket names that begin with {}",
                      member, bucket, fmt::join(limits_.buckets, " or "))};
    }
    for (const std::string& part : SplitTrimmed(lower, ',')) {
      if (!part.starts_with(kFileScheme) && !(NamesPlace(member) && part.starts_with('/')))
        continue;
      return BeyondLimits{
          "*", fmt::format("{} names a file of the machine and this key is limited to buckets; "
                           "expected an s3:// address",
                           member)};
    }
    return std::nullopt;
  }

  const auth::Identity& identity_;
  const auth::KeyLimits& limits_;
  const Json& body_;
};

}  // namespace

std::optional<BeyondLimits> FindBeyondLimits(const auth::Identity& identity,
                                             std::string_view operation, const Json& body) {
  if (!identity.limits.Any()) return std::nullopt;
  const LimitCheck check(identity, body);
  if (Beyond beyond = check.Names()) return beyond;
  if (operation != "CreateTrainingJob" && operation != "UpdateTrainingJob") return std::nullopt;
  if (Beyond beyond = check.Rules()) return beyond;
  return check.Addresses();
}

}  // namespace warden::sagemaker
