#include "warden/sagemaker/logs_streams.h"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

#include "warden/jobs/logs/log_folder.h"

namespace warden::sagemaker {
namespace {

constexpr size_t kPage = 100;

class Finder {
 public:
  Finder(const ApiParts& parts, std::string_view group, const std::string& prefix, size_t limit)
      : store_(parts.store),
        layout_(parts.options->data),
        training_(group == kTrainingGroup),
        prefix_(prefix),
        limit_(limit) {}

  Result<std::vector<LogStream>> Find() {
    // Names of jobs have no '/': with one in it, the prefix names the job.
    const size_t slash = prefix_.find('/');
    const Status status = slash == std::string::npos ? Search() : Look(prefix_.substr(0, slash));
    if (!status.ok()) return status;
    std::sort(streams_.begin(), streams_.end(),
              [](const LogStream& a, const LogStream& b) { return a.name < b.name; });
    if (streams_.size() > limit_) streams_.resize(limit_);
    return std::move(streams_);
  }

 private:
  Status Look(const std::string& name) {
    if (training_) {
      const Result<jobs::TrainingJob> job = store_->Get(name);
      if (job.ok()) AddHosts(job.value());
      return job.status().code() == Code::kNotFound ? Status() : job.status();
    }
    const auto found = store_->FindRuleJob(name);
    if (found.ok()) AddRule(found.value().first, found.value().first.rules[found.value().second]);
    return found.status().code() == Code::kNotFound ? Status() : found.status();
  }

  Status Search() {
    jobs::ListQuery query;
    query.name_contains = prefix_;
    query.sort_by = jobs::ListQuery::SortBy::kName;
    query.ascending = true;
    query.limit = kPage;
    do {
      const Status status = training_ ? SearchJobs(&query) : SearchRules(&query);
      if (!status.ok()) return status;
    } while (!query.next_token.empty() && streams_.size() < limit_);
    return Status();
  }

  Status SearchJobs(jobs::ListQuery* query) {
    const Result<jobs::Page<jobs::TrainingJob>> page = store_->List(*query);
    if (!page.ok()) return page.status();
    for (const jobs::TrainingJob& job : page.value().items) AddHosts(job);
    query->next_token = page.value().next_token;
    return Status();
  }

  Status SearchRules(jobs::ListQuery* query) {
    const auto page = store_->ListRuleJobs(*query);
    if (!page.ok()) return page.status();
    for (const auto& [job, rule] : page.value().items) AddRule(job, job.rules[rule]);
    query->next_token = page.value().next_token;
    return Status();
  }

  void AddHosts(const jobs::TrainingJob& job) {
    for (const std::string& host : job.Hosts()) {
      Add(job.name, host, service::DataLayout::Log(layout_.Host(job.name, host)), job.created);
    }
  }

  void AddRule(const jobs::TrainingJob& job, const jobs::RuleJob& rule) {
    Add(rule.job_name, "algo-1", service::DataLayout::Log(layout_.Rule(job.name, rule.job_name)),
        job.created);
  }

  void Add(const std::string& job, const std::string& host, std::string folder, Time created) {
    const auto seconds = std::chrono::floor<std::chrono::seconds>(created);
    LogStream stream{fmt::format("{}/{}-{}", job, host, seconds.time_since_epoch().count()),
                     std::move(folder), created};
    if (!stream.name.starts_with(prefix_)) return;
    const Result<std::vector<jobs::LogFile>> files = jobs::LogFilesIn(stream.folder);
    if (files.ok() && !files.value().empty()) streams_.push_back(std::move(stream));
  }

  jobs::JobStore* store_;
  const service::DataLayout layout_;
  const bool training_;
  const std::string& prefix_;
  const size_t limit_;
  std::vector<LogStream> streams_;
};

}  // namespace

bool IsLogGroup(std::string_view group) {
  return group == kTrainingGroup || group == kProcessingGroup;
}

Result<std::vector<LogStream>> FindStreams(const ApiParts& parts, std::string_view group,
                                           const std::string& prefix, size_t limit) {
  if (!IsLogGroup(group)) return std::vector<LogStream>();
  return Finder(parts, group, prefix, limit).Find();
}

Result<LogStream> FindStream(const ApiParts& parts, std::string_view group,
                             const std::string& name) {
  const Status absent(Code::kNotFound, "The specified log stream does not exist.");
  // Without it every stream would begin so.
  if (name.find('/') == std::string::npos) return absent;
  const Result<std::vector<LogStream>> found = FindStreams(parts, group, name, 50);
  if (!found.ok()) return found.status();
  for (const LogStream& stream : found.value()) {
    if (stream.name == name) return stream;
  }
  return absent;
}

}  // namespace warden::sagemaker
