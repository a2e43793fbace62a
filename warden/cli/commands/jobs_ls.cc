#include <fmt/format.h>

#include <algorithm>

#include "warden/base/json.h"
#include "warden/base/strings.h"
#include "warden/cli/commands/commands.h"
#include "warden/cli/serve/job_text.h"
#include "warden/cli/serve/service_call.h"
#include "warden/cli/table.h"

namespace warden::cli {
namespace {

constexpr int64_t kPage = 100;  // The API's maximum.

struct JobsLsOptions {
  client::EndpointFlags service;
  std::string status;
  std::string name_contains;
  std::string limit = "50";
  bool json = false;
};

Result<Json> AllPages(const JobsLsOptions& options, int64_t limit, ServiceCall* service) {
  Json jobs = Json::array();
  Json request = {{"SortBy", "CreationTime"}, {"SortOrder", "Descending"}};
  if (!options.status.empty()) request["StatusEquals"] = options.status;
  if (!options.name_contains.empty()) request["NameContains"] = options.name_contains;
  while (static_cast<int64_t>(jobs.size()) < limit) {
    request["MaxResults"] = std::min(kPage, limit - static_cast<int64_t>(jobs.size()));
    const auto page = service->Call("ListTrainingJobs", request);
    if (!page.ok()) return page.status();
    for (const Json& job : ListIn(page.value(), "TrainingJobSummaries")) jobs.push_back(job);
    const std::string next = TextIn(page.value(), "NextToken");
    if (next.empty()) break;
    request["NextToken"] = next;
  }
  return jobs;
}

Result<int> ListJobs(const JobsLsOptions& options, Output* out) {
  const auto limit = ParseInt(options.limit);
  if (!limit || *limit < 1) {
    return Status(Code::kInvalid,
                  fmt::format("--limit is '{}'; expected a positive integer", options.limit));
  }
  auto service = ServiceCall::Open(options.service, out);
  if (!service.ok()) return service.status();
  const auto jobs = AllPages(options, *limit, &service.value());
  if (!jobs.ok()) return jobs.status();
  if (options.json) {
    out->PrintJson(jobs.value());
    return kDone;
  }
  Table table({{"JOB"}, {"STATUS"}, {"CREATED"}, {"TOOK", Align::kRight}});
  for (const Json& job : jobs.value()) {
    table.Add({TextIn(job, "TrainingJobName"), StatusCell(TextIn(job, "TrainingJobStatus")),
               TimeText(NumberIn(job, "CreationTime")),
               SpanText(NumberIn(job, "CreationTime"), NumberIn(job, "TrainingEndTime"))});
  }
  if (!table.empty()) table.Print(out);
  return kDone;
}

void DefineJobsLs(Command* command) {
  auto options = std::make_shared<JobsLsOptions>();
  command->Choice("--status", &options->status,
                  {"InProgress", "Completed", "Failed", "Stopping", "Stopped"},
                  "Only jobs with this status");
  command->Text("--name-contains", &options->name_contains, "Only jobs with this text in the name");
  command->Text("--limit", &options->limit, "Maximum number of jobs");
  command->Json(&options->json);
  DefineServiceFlags(command, &options->service);
  command->Footer("Examples:\n  warden jobs ls\n  warden jobs ls --status InProgress --json");
  command->Runs(options, ListJobs);
}

}  // namespace

CommandEntry JobsLs() { return {"ls", "List jobs, newest first", DefineJobsLs}; }

}  // namespace warden::cli
