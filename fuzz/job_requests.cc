// The input as the body of every request about jobs, performed by a service that has some: searches
// and lists, tags, changes of profiling, new jobs with the actions of their rules.

#include <algorithm>
#include <mutex>
#include <set>
#include <string>
#include <variant>

#include "fuzz/check.h"
#include "fuzz/job_service.h"
#include "warden/base/json.h"
#include "warden/base/json_members.h"
#include "warden/jobs/record/describe.h"
#include "warden/sagemaker/model/shapes.h"
#include "warden/sagemaker/model/validate.h"
#include "warden/sagemaker/operations/list_query.h"
#include "warden/sagemaker/operations/profiler_config_request.h"
#include "warden/sagemaker/operations/search_expression.h"
#include "warden/sagemaker/operations/tags.h"
#include "warden/sagemaker/operations/why_not_sent.h"
#include "warden/sagemaker/perform.h"

namespace warden::fuzz {
namespace {

using namespace sagemaker;

// Of a page, by its member: what tells its items apart.
std::vector<std::string> NamesIn(const Json& page, const char* member) {
  std::vector<std::string> names;
  const Json* items = MemberOf(page, member);
  Check(items != nullptr && items->is_array());
  for (const Json& item : *items) {
    const Json* job = MemberOf(item, "TrainingJob");
    names.push_back(TextOf(MemberOf(job == nullptr ? item : *job, "TrainingJobName")));
  }
  return names;
}

// Whoever follows the tokens sees every job once.
void CheckPages(JobService* service, const char* operation, const char* member, Json body) {
  std::set<std::string> all;
  body.erase("NextToken");
  body["MaxResults"] = 1;
  for (int page = 0; page < 4; ++page) {
    const auto outcome = Perform(service->parts(), *operations::FindOperation(operation),
                                 OneKey::Owner(), body, "", nullptr);
    if (!std::holds_alternative<Json>(outcome)) return;
    const Json& answer = std::get<Json>(outcome);
    for (const std::string& name : NamesIn(answer, member)) Check(all.insert(name).second);
    const std::string token = TextOf(MemberOf(answer, "NextToken"));
    const Json* total = MemberOf(answer, "TotalHits", "Value");
    if (token.empty()) return Check(total == nullptr || IntegerOf(total) == int64_t(all.size()));
    Check(token != TextOf(MemberOf(body, "NextToken")));
    body["NextToken"] = token;
  }
  Check(false);
}

void PerformAll(JobService* service, const Json& body) {
  static std::mutex deleting;
  bool changed = false;
  for (const std::string& name : Operations()) {
    const operations::Operation* operation = operations::FindOperation(name);
    if (operation == nullptr || Validate(name, body)) continue;
    const auto outcome =
        Perform(service->parts(), *operation, OneKey::Owner(), body, "", &deleting);
    changed |= operation->scope != auth::Scope::kRead;
    if (const auto* error = std::get_if<ApiError>(&outcome)) {
      Check(error->http == 400 && !error->code.empty());
      Check(!DumpLikePython(error->message).empty());
      continue;
    }
    if (name == "Search") CheckPages(service, "Search", "Results", body);
    if (name == "ListTrainingJobs") CheckPages(service, name.c_str(), "TrainingJobSummaries", body);
  }
  if (changed) service->Restore();
}

// Sorting by an order that is none reads beyond the end.
void UseAsValues(const Json& values) {
  if (!values.is_array() || values.size() < 2) return;
  for (size_t i = 0; i + 1 < values.size() && i < 16; ++i) {
    const Json& a = values[i];
    const Json& b = values[i + 1];
    const Json& c = values[(i + 2) % values.size()];
    const int ab = operations::Compare(a, b), bc = operations::Compare(b, c);
    Check(operations::Compare(a, a) == 0 && (ab < 0) == (operations::Compare(b, a) > 0));
    if (ab <= 0 && bc <= 0) Check(operations::Compare(a, c) <= 0);
  }
}

// What is looked for by its value is found.
void UseAsRecord(const Json& record) {
  if (!record.is_object()) return;
  for (const auto& [name, value] : record.items()) {
    if (!value.is_string() || name.find('.') != std::string::npos || name.empty()) continue;
    const Json filter = {{"Name", name}, {"Operator", "Equals"}, {"Value", value}};
    const Json expression = {{"Filters", Json::array({filter})}};
    Check(!operations::CheckExpression(expression) && operations::Matches(expression, record));
  }
  const Json* expression = MemberOf(record, "SearchExpression");
  if (expression == nullptr ||
      Validate("Search", {{"Resource", "TrainingJob"}, {"SearchExpression", *expression}})) {
    return;
  }
  if (!operations::CheckExpression(*expression)) (void)operations::Matches(*expression, record);
}

// A job is described as its last update left it.
void UseAsProfilerConfig(const jobs::TrainingJob& demo, const Json& config) {
  if (Validate("UpdateTrainingJob", {{"TrainingJobName", "demo"}, {"ProfilerConfig", config}})) {
    return;
  }
  jobs::TrainingJob job = demo;
  if (const auto error = operations::MergeProfilerConfig(config, Now(), &job)) {
    Check(!error->message.empty() && job.request == demo.request);
    return;
  }
  const Json* disabled = MemberOf(config, "DisableProfiler");
  Check(disabled == nullptr || job.IsProfiled() != IsTrue(disabled));
  const Json once = job.request;
  Check(!operations::MergeProfilerConfig(config, Now(), &job) && job.request == once);
  Check(jobs::DescribeTrainingJob(job).is_object());
}

void UseAsTags(const jobs::TrainingJob& demo, const Json& tags) {
  if (Validate("AddTags", {{"ResourceArn", demo.Arn()}, {"Tags", tags}})) return;
  jobs::TrainingJob job = demo;
  operations::SetTags(tags, &job);
  const Json told = operations::TagsJson(job);
  Check(told.size() <= demo.tags.size() + tags.size());
  jobs::TrainingJob again = demo;
  again.tags.clear();
  operations::SetTags(told, &again);
  Check(again.tags == job.tags);
}

void UseAsQuery(const Json& body) {
  const jobs::ListQuery query = operations::ListQueryOf(body);
  Check(query.limit >= 1 && query.limit <= 100);
}

}  // namespace
}  // namespace warden::fuzz

// What libFuzzer calls once, before it measures how long inputs take: the first request of an
// operation reads its part of the model.
extern "C" int LLVMFuzzerInitialize(int*, char***);
extern "C" int LLVMFuzzerInitialize(int*, char***) {
  for (const std::string& operation : warden::sagemaker::Operations()) {
    (void)warden::sagemaker::Validate(operation, warden::Json::object());
  }
  return 0;
}

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  using namespace warden::fuzz;
  static JobService service;
  const auto body = warden::ParseJson(Text(data, size));
  if (!body.ok()) return 0;
  UseAsValues(body.value());
  UseAsRecord(body.value());
  UseAsProfilerConfig(service.demo(), body.value());
  UseAsTags(service.demo(), body.value());
  UseAsQuery(body.value());
  (void)warden::sagemaker::operations::WhyNotSent(body.value(), "");
  if (body.value().is_object()) PerformAll(&service, body.value());
  return 0;
}
