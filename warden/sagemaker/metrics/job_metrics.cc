#include "warden/sagemaker/metrics/job_metrics.h"

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <optional>
#include <string_view>
#include <utility>
#include <vector>

#include "warden/base/json.h"
#include "warden/base/json_members.h"
#include "warden/base/log.h"
#include "warden/base/number_pattern.h"
#include "warden/jobs/launch/host_layout.h"
#include "warden/jobs/logs/log_file.h"
#include "warden/sagemaker/metrics/metric_line.h"

namespace warden::sagemaker {
namespace {

namespace fs = std::filesystem;
using SteadyClock = std::chrono::steady_clock;

constexpr size_t kMostReaders = 64;
constexpr size_t kLinesAtOnce = 500;
constexpr size_t kBytesAtOnce = 256 << 10;
constexpr size_t kMostMetricFiles = 256;  // Of one host.
constexpr size_t kLongestMetricLine = 4096;

}  // namespace

// For one job at a time: callers of the same job wait for each other.
class JobMetrics::Reader {
 public:
  Reader(const jobs::TrainingJob& job, const service::ServiceOptions& options)
      : name_(job.name), created_(job.created) {
    ReadDefinitions(job);
    const service::DataLayout layout(options.data);
    for (const std::string& host : job.Hosts()) {
      const std::string agent = layout.Host(job.name, host);
      logs_[service::DataLayout::Log(agent)] = 0;
      const jobs::HostLayout layout_of_host(agent, jobs::HostLayout::View::kHere);
      folders_.push_back(layout_of_host.Here("output/metrics/sagemaker"));
    }
  }

  bool IsOf(const jobs::TrainingJob& job) const {
    return name_ == job.name && created_ == job.created;
  }

  MetricsByName Read(std::chrono::milliseconds budget) {
    const std::lock_guard lock(mutex_);
    const auto end = SteadyClock::now() + budget;
    for (const std::string& folder : folders_) ReadReported(folder, end);
    if (!definitions_.empty()) {
      for (auto& [folder, position] : logs_) ReadLogOf(folder, &position, end);
    }
    return metrics_;
  }

 private:
  struct Definition {
    std::string name;
    NumberPattern pattern;
  };

  void ReadDefinitions(const jobs::TrainingJob& job) {
    const Json* list = MemberOf(job.request, "AlgorithmSpecification", "MetricDefinitions");
    if (list == nullptr || !list->is_array()) return;
    for (const Json& each : *list) {
      auto pattern = NumberPattern::Compile(TextOf(MemberOf(each, "Regex")));
      if (pattern.ok()) {
        definitions_.push_back({TextOf(MemberOf(each, "Name")), std::move(pattern).value()});
      } else {
        LogWarning("metric of job {}: {}", job.name, pattern.status().message());
      }
    }
  }

  void Add(const std::string& name, Time time, double value) {
    const auto known = metrics_.find(name);
    if (known != metrics_.end()) {
      known->second.Add(time, value);
    } else if (metrics_.size() < kMostMetrics) {
      metrics_[name].Add(time, value);
    }
  }

  void ReadLogOf(const std::string& folder, uint64_t* position, SteadyClock::time_point end) {
    while (SteadyClock::now() < end) {
      const auto page = jobs::ReadLog(folder, *position, kLinesAtOnce, kBytesAtOnce);
      if (!page.ok() || page.value().lines.empty()) return;
      for (const jobs::LogLine& line : page.value().lines) {
        for (const Definition& definition : definitions_) {
          if (const auto value = definition.pattern.Find(line.text)) {
            Add(definition.name, line.time, *value);
          }
        }
      }
      *position = page.value().next;
    }
  }

  void ReadReported(const std::string& folder, SteadyClock::time_point end) {
    std::error_code error;
    for (fs::directory_iterator at(folder, error), last; !error && at != last;
         at.increment(error)) {
      if (files_.size() >= kMostMetricFiles) break;
      if (at->is_symlink(error) || !at->is_regular_file(error)) continue;
      files_.try_emplace(at->path().string(), 0);
    }
    for (auto& [path, position] : files_) {
      if (path.starts_with(folder)) ReadReportedFile(path, &position, end);
    }
  }

  void ReadReportedFile(const std::string& path, std::streamoff* position,
                        SteadyClock::time_point end) {
    std::ifstream file(path, std::ios::binary);
    std::string chunk(kBytesAtOnce, '\0');
    while (SteadyClock::now() < end && file.seekg(*position)) {
      file.read(chunk.data(), static_cast<std::streamsize>(chunk.size()));
      const std::string_view read(chunk.data(), static_cast<size_t>(file.gcount()));
      const size_t used = TakeReported(read);
      *position += static_cast<std::streamoff>(used);
      if (read.size() < chunk.size()) return;
    }
  }

  // The whole lines of a chunk; how much it took. The rest is not complete yet.
  size_t TakeReported(std::string_view chunk) {
    size_t used = 0;
    for (size_t end = 0; (end = chunk.find('\n', used)) != chunk.npos; used = end + 1) {
      const std::string_view line = chunk.substr(used, end - used);
      if (line.size() > kLongestMetricLine) continue;
      if (const auto metric = ParseMetricLine(line)) Add(metric->name, metric->time, metric->value);
    }
    // A line that is longer than any chunk is none of ours.
    return used == 0 && chunk.size() == kBytesAtOnce ? chunk.size() : used;
  }

  const std::string name_;
  const Time created_;
  std::vector<Definition> definitions_;
  std::vector<std::string> folders_;  // Of metrics files, one for each host.

  std::mutex mutex_;                             // Guards all below.
  std::map<std::string, uint64_t> logs_;         // Position in each host's log, by folder.
  std::map<std::string, std::streamoff> files_;  // Position in each metrics file.
  MetricsByName metrics_;
};

JobMetrics::JobMetrics(const service::ServiceOptions* options) : options_(options) {}
JobMetrics::~JobMetrics() = default;

std::shared_ptr<JobMetrics::Reader> JobMetrics::ReaderOf(const jobs::TrainingJob& job) {
  const std::lock_guard lock(mutex_);
  const auto known = std::find_if(readers_.begin(), readers_.end(),
                                  [&](const auto& reader) { return reader->IsOf(job); });
  if (known != readers_.end()) {
    readers_.splice(readers_.begin(), readers_, known);
  } else {
    readers_.push_front(std::make_shared<Reader>(job, *options_));
    if (readers_.size() > kMostReaders) readers_.pop_back();
  }
  return readers_.front();
}

MetricsByName JobMetrics::Of(const jobs::TrainingJob& job, std::chrono::milliseconds budget) {
  return ReaderOf(job)->Read(budget);
}

}  // namespace warden::sagemaker
