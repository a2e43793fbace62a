#include "warden/monitor/metric_file_writer.h"

#include <fcntl.h>
#include <fmt/format.h>

#include <cmath>
#include <utility>

#include "warden/base/log.h"
#include "warden/format/profiler_layout.h"
#include "warden/storage/store.h"

namespace warden::monitor {
namespace {

constexpr int64_t kMinute = 60;
// Ticks of a fast monitor are written together: a call to the kernel for each would be most of its
// cost.
constexpr double kHeldBackSeconds = 0.05;
constexpr double kRetrySeconds = 1;

std::string Unfinished(std::string key) {
  return key.replace(key.rfind('.'), std::string::npos, format::kUnfinishedMetrics);
}

std::string Finished(std::string key) {
  return key.replace(key.rfind('.'), std::string::npos, ".json");
}

}  // namespace

MetricFileWriter::MetricFileWriter(std::string folder, std::string node)
    : folder_(folder.ends_with('/') ? std::move(folder) : folder + "/"), node_(std::move(node)) {
  FinishLeftovers();
}

void MetricFileWriter::FinishLeftovers() {
  const auto store = storage::OpenStore(folder_);
  if (!store.ok()) return;
  // The job goes on: an end that was told before would keep readers from waiting for more.
  if (const Status removed = store.value()->Remove(format::kSystemEnd); !removed.ok()) {
    LogWarning("system metrics: {}", removed.message());
  }
  const auto keys = store.value()->List(format::kSystemPrefix);
  if (!keys.ok()) return;
  for (const std::string& key : keys.value()) {
    const auto name = format::ParseMetricFileKey(key);
    if (!name || name->finished || name->node != node_) continue;
    auto file = UnfinishedFile::Open(folder_ + key, folder_ + Finished(key));
    const Status finished = file.ok() ? file.value().Finish() : file.status();
    if (!finished.ok()) LogWarning("system metrics: {}", finished.message());
  }
}

void MetricFileWriter::Write(const Tick& tick, const Slots& slots) {
  if (tick.values.empty() || !(tick.time_s >= 0)) return;
  const int64_t minute = static_cast<int64_t>(tick.time_s) / kMinute * kMinute;
  if (minute != minute_) {
    FinishFile();
    minute_ = minute;
  }
  // The distance, for a clock may be set back.
  const double since_last = std::fabs(tick.time_s - last_write_s_);
  if (failing_ && since_last < kRetrySeconds) return;
  AppendTick(tick, slots, node_, &unwritten_);
  if (file_.open() && since_last < kHeldBackSeconds) return;
  last_write_s_ = tick.time_s;
  Tell(Flushed());
}

void MetricFileWriter::Flush() {
  if (!unwritten_.empty()) Tell(Flushed());
}

Status MetricFileWriter::Flushed() {
  Status status = file_.open() ? Status() : OpenFile();
  if (status.ok()) status = file_.Append(unwritten_);
  if (status.code() == Code::kNotFound) {
    // The folder was removed, or made again by somebody: so is the file.
    file_ = UnfinishedFile();
    status = OpenFile();
    if (status.ok()) status = file_.Append(unwritten_);
  }
  unwritten_.clear();
  return status;
}

Status MetricFileWriter::OpenFile() {
  const std::string key = format::MetricFileKey(minute_, node_);
  auto file = UnfinishedFile::Open(folder_ + Unfinished(key), folder_ + key);
  if (!file.ok()) return file.status();
  file_ = std::move(file.value());
  return Status();
}

void MetricFileWriter::FinishFile() {
  Flush();
  if (!file_.open()) return;
  Tell(std::exchange(file_, UnfinishedFile()).Finish());
}

void MetricFileWriter::Tell(const Status& status) {
  if (!status.ok() && !failing_) {
    LogWarning("system metrics are not being saved: {}; retrying every second", status.message());
  }
  if (status.ok() && failing_) LogInfo("system metrics are being saved again to {}", folder_);
  failing_ = !status.ok();
}

Status MetricFileWriter::Close() {
  FinishFile();
  const auto store = storage::OpenStore(folder_);
  return store.ok() ? store.value()->Put(format::kSystemEnd, Bytes()) : store.status();
}

}  // namespace warden::monitor
