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
constexpr std::chrono::seconds kProcessesInterval(1);
// A driver that says for so long that it has measured nothing is not believed.
constexpr std::chrono::seconds kLongestRefresh(2);
constexpr double kMicro = 1e-6;
// Until the interval between updates counts as measured.
constexpr unsigned kLeastUpdates = 4;

double RateOf(const std::optional<uint64_t>& before, const std::optional<uint64_t>& now,
              double seconds) {
  // A count that goes back was wrapped; what was in between is lost.
  if (!before || !now || *now < *before || seconds <= 0) return kNotMeasured;
  return static_cast<double>(*now - *before) / seconds;
}

// All GPUs that the job may use, with what is needed of the last reading.
class Readings {
 public:
  explicit Readings(std::unique_ptr<Nvml> nvml) : nvml_(std::move(nvml)) {
    const auto visible = VisibleGpus(nvml_->Identities(), GpuEnvironment::Current());
    for (const unsigned number : visible) gpus_.emplace_back().number = number;
    nvml_->ListenForXids(visible);
  }

  bool empty() const { return gpus_.empty(); }

  std::vector<GpuReading> Read() {
    std::vector<GpuReading> readings;
    const bool with_processes = IsDue(kProcessesInterval, &next_processes_);
    for (Gpu& gpu : gpus_) {
      GpuReading& reading = readings.emplace_back();
      reading.number = gpu.number;
      reading.state = nvml_->State(gpu.number);
      reading.errors = nvml_->Errors(gpu.number);
      ReadUpdates(&gpu, &reading);
      ReadTraffic(&gpu, &reading);
      if (with_processes) reading.processes = nvml_->Processes(gpu.number);
    }
    for (const XidError& error : nvml_->TakeXids()) {
      for (GpuReading& reading : readings) {
        if (reading.number == error.gpu) reading.xids.push_back(error.xid);
      }
    }
    return readings;
  }

  // For the next reading, while nobody waits.
  void MeasurePcie() {
    if (!IsDue(kPcieInterval, &next_pcie_)) return;
    for (Gpu& gpu : gpus_) {
      if (!gpu.traffic.pcie_received) gpu.pcie = nvml_->MeasurePcie(gpu.number);
    }
  }

 private:
  struct Gpu {
    unsigned number = 0;
    GpuTraffic traffic;
    Clock::time_point time;
    PcieRates pcie;
    uint64_t updated_us = 0;       // The last update, by the driver's clock.
    Clock::time_point updated_at;  // When it was seen.
    uint64_t updates_us = 0;       // From the first update that counts to the last,
    unsigned updates = 0;          // and how many intervals that is.
  };

  static bool IsDue(std::chrono::seconds interval, Clock::time_point* next) {
    const Clock::time_point now = Clock::now();
    if (now < *next) return false;
    *next = now + interval;
    return true;
  }

  void ReadUpdates(Gpu* gpu, GpuReading* reading) {
    const auto updates = nvml_->UpdatesSince(gpu->number, gpu->updated_us);
    if (!updates) return;
    const Clock::time_point now = Clock::now();
    reading->updated = updates->count > 0 || now - gpu->updated_at > kLongestRefresh;
    if (updates->count > 0) {
      // Of the first answer it is not known what came before.
      const uint64_t from = gpu->updated_us == 0 ? updates->oldest_us : gpu->updated_us;
      gpu->updates_us += updates->newest_us - from;
      gpu->updates += updates->count - (gpu->updated_us == 0 ? 1 : 0);
      gpu->updated_us = updates->newest_us;
    }
    if (reading->updated) gpu->updated_at = now;
    if (gpu->updates < kLeastUpdates) return;
    reading->refresh_s = kMicro * static_cast<double>(gpu->updates_us) / gpu->updates;
  }

  void ReadTraffic(Gpu* gpu, GpuReading* reading) {
    const GpuTraffic traffic = nvml_->Traffic(gpu->number);
    const Clock::time_point now = Clock::now();
    const double seconds = std::chrono::duration<double>(now - gpu->time).count();
    reading->pcie_received = RateOf(gpu->traffic.pcie_received, traffic.pcie_received, seconds);
    reading->pcie_sent = RateOf(gpu->traffic.pcie_sent, traffic.pcie_sent, seconds);
    reading->nvlink_received =
        RateOf(gpu->traffic.nvlink_received, traffic.nvlink_received, seconds);
    reading->nvlink_sent = RateOf(gpu->traffic.nvlink_sent, traffic.nvlink_sent, seconds);
    if (!traffic.pcie_received) {
      reading->pcie_received = std::exchange(gpu->pcie.received, kNotMeasured);
      reading->pcie_sent = std::exchange(gpu->pcie.sent, kNotMeasured);
    }
    gpu->traffic = traffic;
    gpu->time = now;
  }

  std::unique_ptr<Nvml> nvml_;
  std::vector<Gpu> gpus_;
  Clock::time_point next_pcie_;
  Clock::time_point next_processes_;
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
  Readings readings(std::move(nvml.value()));
  if (readings.empty()) return;
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
