#include "warden/sagemaker/metrics/job_metrics.h"

#include <fcntl.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
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
#include "warden/os/open_beneath.h"
#include "warden/os/posix.h"
#include "warden/sagemaker/metrics/reported_metric.h"

namespace warden::sagemaker {
namespace {

using SteadyClock = std::chrono::steady_clock;

constexpr size_t kMostReaders = 64;
constexpr size_t kLinesAtOnce = 500;
constexpr size_t kBytesAtOnce = 256 << 10;
constexpr size_t kMostMetricFiles = 256;  // Of one host.
constexpr size_t kLongestMetricLine = 4096;
constexpr std::string_view kReportedFolder = "output/metrics/sagemaker";

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
      reported_[layout_of_host.Here("")];
    }
  }

  bool IsOf(const jobs::TrainingJob& job) const {
    return name_ == job.name && created_ == job.created;
  }

  MetricsByName Read(std::chrono::milliseconds budget) {
    const std::lock_guard lock(mutex_);
    const auto end = SteadyClock::now() + budget;
    for (auto& [files, positions] : reported_) ReadReported(files, &positions, end);
    if (!definitions_.empty()) {
      for (auto& [folder, position] : logs_) ReadLogOf(folder, &position, end);
    }
    return metrics_;
  }

 private:
  using Positions = std::map<std::string, uint64_t>;  // How far files have been read.

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

  // The job runs meanwhile and may put a link or a pipe in the place of any file or folder, so each
  // is opened without following or waiting for what is there now.
  void ReadReported(const std::string& files, Positions* positions, SteadyClock::time_point end) {
    const os::UniqueFd root(open(files.c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC));
    if (!root.ok()) return;
    const auto folder = os::OpenFolderBeneath(root.get(), kReportedFolder);
    if (!folder.ok()) return;
    ListReported(folder.value().get(), positions);
    for (auto& [name, position] : *positions) {
      ReadReportedFile(folder.value().get(), name, &position, end);
    }
  }

  static void ListReported(int folder, Positions* positions) {
    const auto listed = os::ReadFolderBeneath(folder, "");
    if (!listed.ok()) return;
    while (const dirent* entry = readdir(listed.value().get())) {
      if (positions->size() >= kMostMetricFiles) return;
      if (entry->d_type == DT_REG || entry->d_type == DT_UNKNOWN) {
        positions->try_emplace(entry->d_name, 0);
      }
    }
  }

  void ReadReportedFile(int folder, const std::string& name, uint64_t* position,
                        SteadyClock::time_point end) {
    const auto file = os::OpenFileBeneath(folder, name);
    if (!file.ok()) return;
    std::string chunk(kBytesAtOnce, '\0');
    while (SteadyClock::now() < end) {
      const ssize_t got =
          pread(file.value().get(), chunk.data(), chunk.size(), static_cast<off_t>(*position));
      if (got < 0 && errno == EINTR) continue;
      if (got <= 0) return;
      const std::string_view read(chunk.data(), static_cast<size_t>(got));
      *position += TakeReported(read);
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

  std::mutex mutex_;                           // Guards all below.
  Positions logs_;                             // In each host's log, by folder.
  std::map<std::string, Positions> reported_;  // In metrics files by name, by host's /opt/ml.
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
