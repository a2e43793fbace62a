#include "warden/timeline/feed/tick_builder.h"

#include <algorithm>
#include <cmath>
#include <utility>

namespace warden::timeline {
namespace {

constexpr double kTogetherSeconds = 0.020;
// More lines than any machine has; a file that goes on so is cut into pieces.
constexpr size_t kMostLines = 4096;

// Adds to what may not have been measured before.
void AddTo(double* sum, double value) { *sum = std::isnan(*sum) ? value : *sum + value; }

}  // namespace

bool TickBuilder::Add(const format::MetricLine& line, NodeSample* done) {
  const auto id = [this](std::string_view name) { return uint64_t{names_->IdOf(name)}; };
  const uint64_t key = (id(line.name) << 42) ^ (id(line.dimension) << 21) ^ id(line.type);
  const bool repeated = std::find(keys_.begin(), keys_.end(), key) != keys_.end();
  const bool apart = std::abs(line.time_s - sample_.time_s) > kTogetherSeconds;
  const bool ends = !empty() && (repeated || apart || keys_.size() == kMostLines);
  if (ends) Finish(done);
  if (empty()) {
    sample_.node = names_->IdOf(line.node);
    sample_.time_s = line.time_s;
  }
  keys_.push_back(key);
  Take(line);
  return ends;
}

bool TickBuilder::Finish(NodeSample* done) {
  if (empty()) return false;
  if (cpu_.count > 0) sample_.cpu = cpu_.sum / cpu_.count;
  if (io_wait_.count > 0) sample_.io_wait = io_wait_.sum / io_wait_.count;
  sample_.cores = cpu_.count;
  // "gpu2" before "gpu10".
  std::sort(sample_.gpus.begin(), sample_.gpus.end(), [this](const auto& a, const auto& b) {
    const std::string& x = names_->Text(a.name);
    const std::string& y = names_->Text(b.name);
    return std::pair(x.size(), std::string_view(x)) < std::pair(y.size(), std::string_view(y));
  });
  *done = std::exchange(sample_, NodeSample());
  keys_.clear();
  cpu_ = io_wait_ = {};
  return true;
}

void TickBuilder::Take(const format::MetricLine& line) {
  if (line.type == "cpu" && line.dimension == "CPUUtilization") {
    cpu_.sum += line.value;
    ++cpu_.count;
    sample_.busiest_core = std::fmax(sample_.busiest_core, line.value);
  } else if (line.type == "cpu" && line.dimension == "I/OWaitPercentage") {
    io_wait_.sum += line.value;
    ++io_wait_.count;
  } else if (line.type == "gpu" && line.dimension == "GPUUtilization") {
    Gpu(names_->IdOf(line.name))->utilization = line.value;
  } else if (line.type == "gpu" && line.dimension == "GPUMemoryUtilization") {
    Gpu(names_->IdOf(line.name))->memory = line.value;
  } else if (line.name == "MemoryUsedPercent") {
    sample_.memory = line.value;
  } else if (line.type == "network" && line.dimension == "Algorithm" &&
             (line.name == "ReceiveBytesPerSecond" || line.name == "TransmitBytesPerSecond")) {
    AddTo(&sample_.network, line.value);
  } else if (line.name == "ReadThroughputInBytesPerSecond" ||
             line.name == "WriteThroughputInBytesPerSecond") {
    AddTo(&sample_.disk, line.value);
  } else if (line.type == "process" && line.dimension == "CPUUtilization" &&
             line.name == "training") {
    sample_.training_cpu = line.value;
  }
}

GpuSample* TickBuilder::Gpu(NameId name) {
  for (GpuSample& gpu : sample_.gpus) {
    if (gpu.name == name) return &gpu;
  }
  sample_.gpus.push_back({name, kNotMeasured, kNotMeasured});
  return &sample_.gpus.back();
}

}  // namespace warden::timeline
