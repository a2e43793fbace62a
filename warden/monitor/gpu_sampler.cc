#include "warden/monitor/gpu_sampler.h"

#include <condition_variable>
#include <mutex>
#include <system_error>
#include <utility>

#include "warden/base/log.h"
#include "warden/os/blocked_signals.h"

namespace warden::monitor {
namespace {

using Clock = std::chrono::steady_clock;

constexpr std::chrono::milliseconds kPatienceAtTheEnd(30);
// Between measurements of PCIe by drivers that do not count: each takes 40 ms.
constexpr std::chrono::seconds kPcieInterval(1);

double RateOf(const std::optional<uint64_t>& before, const std::optional<uint64_t>& now,
              double seconds) {
  // A count that goes back was wrapped; what was in between is lost.
  if (!before || !now || *now < *before || seconds <= 0) return kNotMeasured;
  return static_cast<double>(*now - *before) / seconds;
}

// All GPUs, with what is needed of the last reading.
class Readings {
 public:
  explicit Readings(std::unique_ptr<Nvml> nvml) : nvml_(std::move(nvml)), gpus_(nvml_->count()) {}

  std::vector<GpuReading> Read() {
    std::vector<GpuReading> readings(gpus_.size());
    for (unsigned i = 0; i < gpus_.size(); ++i) {
      Gpu& gpu = gpus_[i];
      GpuReading& reading = readings[i];
      reading.state = nvml_->State(i);
      const GpuTraffic traffic = nvml_->Traffic(i);
      const Clock::time_point now = Clock::now();
      const double seconds = std::chrono::duration<double>(now - gpu.time).count();
      reading.pcie_received = RateOf(gpu.traffic.pcie_received, traffic.pcie_received, seconds);
      reading.pcie_sent = RateOf(gpu.traffic.pcie_sent, traffic.pcie_sent, seconds);
      reading.nvlink_received =
          RateOf(gpu.traffic.nvlink_received, traffic.nvlink_received, seconds);
      reading.nvlink_sent = RateOf(gpu.traffic.nvlink_sent, traffic.nvlink_sent, seconds);
      if (!traffic.pcie_received) {
        reading.pcie_received = std::exchange(gpu.pcie.received, kNotMeasured);
        reading.pcie_sent = std::exchange(gpu.pcie.sent, kNotMeasured);
      }
      gpu.traffic = traffic;
      gpu.time = now;
    }
    return readings;
  }

  // For the next reading, while nobody waits.
  void MeasurePcie() {
    const Clock::time_point now = Clock::now();
    if (now < next_pcie_) return;
    next_pcie_ = now + kPcieInterval;
    for (unsigned i = 0; i < gpus_.size(); ++i) {
      if (!gpus_[i].traffic.pcie_received) gpus_[i].pcie = nvml_->MeasurePcie(i);
    }
  }

 private:
  struct Gpu {
    GpuTraffic traffic;
    Clock::time_point time;
    PcieRates pcie;
  };
  std::unique_ptr<Nvml> nvml_;
  std::vector<Gpu> gpus_;
  Clock::time_point next_pcie_;
};

}  // namespace

// Kept alive by the thread too, which may outlive the sampler.
struct GpuSampler::Shared {
  std::mutex mutex;
  std::condition_variable asked;
  std::condition_variable answered;
  bool wanted = false;
  bool stop = false;
  bool finished = false;  // The thread.
  std::optional<std::vector<GpuReading>> answer;
};

GpuSampler::GpuSampler(const std::string& library) : shared_(std::make_shared<Shared>()) {
  const os::BlockedSignals blocked;
  const auto work = [shared = shared_, library] {
    Work(shared, library);
    const std::lock_guard lock(shared->mutex);
    shared->finished = true;
    shared->answered.notify_all();
  };
  try {
    thread_ = std::thread(work);
  } catch (const std::system_error& error) {
    LogWarning("GPU metrics disabled: cannot start a thread: {}", error.what());
    shared_->finished = true;
  }
}

GpuSampler::~GpuSampler() {
  bool finished = false;
  {
    std::unique_lock lock(shared_->mutex);
    shared_->stop = true;
    shared_->asked.notify_all();
    finished =
        shared_->answered.wait_for(lock, kPatienceAtTheEnd, [&] { return shared_->finished; });
  }
  if (!thread_.joinable()) return;
  if (finished) {
    thread_.join();
  } else {
    thread_.detach();
  }
}

void GpuSampler::Work(const std::shared_ptr<Shared>& shared, const std::string& library) {
  auto nvml = Nvml::Open(library);
  if (!nvml.ok()) {
    // That there is no GPU is no news; that there is a library which does not work is.
    if (nvml.status().code() != Code::kNotFound) {
      LogInfo("GPU metrics disabled: {}", nvml.status().message());
    }
    return;
  }
  if (nvml.value()->count() == 0) return;
  Readings readings(std::move(nvml.value()));
  std::unique_lock lock(shared->mutex);
  while (true) {
    shared->asked.wait(lock, [&] { return shared->wanted || shared->stop; });
    if (shared->stop) return;
    lock.unlock();
    auto answer = readings.Read();
    lock.lock();
    shared->answer = std::move(answer);
    shared->wanted = false;
    shared->answered.notify_all();
    if (shared->stop) return;
    lock.unlock();
    readings.MeasurePcie();
    lock.lock();
  }
}

bool GpuSampler::useless() const {
  const std::lock_guard lock(shared_->mutex);
  return shared_->finished;
}

void GpuSampler::Ask() {
  const std::lock_guard lock(shared_->mutex);
  shared_->wanted = true;
  shared_->asked.notify_all();
}

std::optional<std::vector<GpuReading>> GpuSampler::Take(std::chrono::nanoseconds patience) {
  std::unique_lock lock(shared_->mutex);
  shared_->answered.wait_for(lock, patience,
                             [&] { return shared_->answer.has_value() || shared_->finished; });
  return std::exchange(shared_->answer, std::nullopt);
}

}  // namespace warden::monitor
