#include "warden/capture/kernels/kernel_recorder.h"

#include <fmt/format.h>
#include <pthread.h>
#include <signal.h>

#include <algorithm>
#include <array>
#include <atomic>
#include <condition_variable>
#include <mutex>
#include <system_error>
#include <thread>
#include <utility>
#include <vector>

#include "warden/base/log.h"
#include "warden/capture/kernels/activity_buffers.h"
#include "warden/capture/kernels/activity_reader.h"
#include "warden/capture/kernels/cupti.h"
#include "warden/capture/kernels/kernel_file.h"
#include "warden/format/kernel_block.h"

namespace warden::capture {
namespace {

// How often filled memory is looked for during a window.
constexpr std::chrono::milliseconds kLook{20};
// How long a window waits for the one before.
constexpr std::chrono::seconds kPatienceForLast{5};
// Records may be of work that began before the window, and the clocks of CPU and GPU differ.
constexpr int64_t kSlackNs = 1'000'000'000;

// In this order, and the other way round when they are turned off. The first is needed; a machine
// may lack one of the others.
constexpr std::array<uint32_t, 7> kActivityKinds = {
    cupti::kKernelKind,  cupti::kCopyKind,   cupti::kPeerCopyKind, cupti::kSetKind,
    cupti::kRuntimeKind, cupti::kDriverKind, cupti::kWaitKind};

// Calls of the runtime that frameworks make for every operation and that are left out of files
// anyway (IsIdleCall): cudaGetLastError, cudaPeekAtLastError, cudaSetDevice, cudaGetDevice,
// cudaEventQuery, cudaStreamIsCapturing, cudaStreamGetCaptureInfo.
constexpr std::array<uint32_t, 8> kFrequentIdleCalls = {10, 11, 16, 17, 138, 317, 409, 461};

// CUPTI's callbacks do not say whose they are, so only one recorder of a process may record.
std::atomic<const void*> recording_now{nullptr};

int64_t WallNowNs() {
  using std::chrono::nanoseconds;
  const auto now = std::chrono::system_clock::now().time_since_epoch();
  return std::chrono::duration_cast<nanoseconds>(now).count();
}

void IgnoreCallback(void*, int, uint32_t, const void*) {}

}  // namespace

// What the recording thread and the writing one share.
class KernelRecorder::State {
 public:
  explicit State(KernelRecorderOptions options)
      : options_(std::move(options)), file_(options_.folder, options_.node) {}

  Status Start(const std::shared_ptr<State>& self, bool subscriber_is_idle) {
    std::unique_lock lock(mutex_);
    if (closing_) return Status(Code::kInvalid, "the recorder is closed");
    if (stage_ == Stage::kRecording) return Status(Code::kInvalid, "already recording kernels");
    if (!changed_.wait_for(lock, kPatienceForLast, [&] { return stage_ == Stage::kIdle; })) {
      return Status(Code::kUnavailable, "the last kernels are not written yet");
    }
    const void* nobody = nullptr;
    if (!recording_now.compare_exchange_strong(nobody, this)) {
      return Status(Code::kUnavailable, "another recorder of this process records kernels");
    }
    Status status = Prepare(self, subscriber_is_idle);
    if (status.ok()) status = TurnOn();
    if (!status.ok()) {
      recording_now = nullptr;
      return status;
    }
    window_ = {};
    window_.start_ns = WallNowNs();
    marks_.clear();
    stage_ = Stage::kRecording;
    lock.unlock();
    changed_.notify_all();
    return Status();
  }

  void MarkStep(int64_t step) {
    const std::lock_guard lock(mutex_);
    if (stage_ == Stage::kRecording) marks_.push_back({step, WallNowNs()});
  }

  void Stop() {
    {
      const std::lock_guard lock(mutex_);
      if (stage_ != Stage::kRecording) return;
      window_.end_ns = WallNowNs();
      TurnOff(kActivityKinds.size());
      stage_ = Stage::kEnding;
    }
    changed_.notify_all();
  }

  bool Flush(std::chrono::milliseconds patience) {
    std::unique_lock lock(mutex_);
    return changed_.wait_for(lock, patience, [&] { return stage_ != Stage::kEnding; });
  }

  bool Close(std::chrono::milliseconds patience) {
    std::unique_lock lock(mutex_);
    closing_ = true;
    changed_.notify_all();
    return changed_.wait_for(lock, patience, [&] { return !has_thread_; });
  }

  Counters counters() {
    const std::lock_guard lock(mutex_);
    Counters counters = counters_;
    counters.buffers = ActivityBuffers::OfProcess().lent();
    return counters;
  }
  bool is_recording() {
    const std::lock_guard lock(mutex_);
    return stage_ == Stage::kRecording;
  }

 private:
  enum class Stage {
    kIdle,
    kRecording,
    kEnding,  // Nothing is recorded any more; the thread writes what was.
  };

  // Opens the library and starts the thread, once.
  Status Prepare(const std::shared_ptr<State>& self, bool subscriber_is_idle) {
    if (library_ == nullptr) {
      auto library = cupti::Library::Open(options_.library);
      if (!library.ok()) return library.status();
      library_ = std::move(library.value());
      reader_ = std::make_unique<ActivityReader>(library_.get(), &writer_);
    }
    if (!subscriber_is_idle) {
      if (Status status = AskForOthers(); !status.ok()) return status;
    }
    if (has_thread_) return Status();
    // Signals are for the threads of the program.
    sigset_t all;
    sigset_t before;
    sigfillset(&all);
    pthread_sigmask(SIG_SETMASK, &all, &before);
    Status status;
    try {
      std::thread([self] { self->Run(); }).detach();
      has_thread_ = true;
    } catch (const std::system_error& error) {  // The standard library knows no other way.
      status = Status(Code::kUnavailable, fmt::format("cannot start a thread ({})", error.what()));
    }
    pthread_sigmask(SIG_SETMASK, &before, nullptr);
    return status;
  }

  // Whether another profiler holds CUPTI: it allows one subscriber.
  Status AskForOthers() {
    void* subscriber = nullptr;
    const int result = library_->call().subscribe(&subscriber, &IgnoreCallback, nullptr);
    if (result == cupti::kSuccess) {
      (void)library_->call().unsubscribe(subscriber);
      return Status();
    }
    if (result == cupti::kAnotherSubscriber) {
      return Status(Code::kUnavailable, "another profiler is using CUPTI");
    }
    return Status(Code::kUnavailable,
                  fmt::format("CUPTI cannot be used: {}", library_->ErrorText(result)));
  }

  Status TurnOn() {
    const cupti::Functions& call = library_->call();
    ActivityBuffers& buffers = ActivityBuffers::OfProcess();
    buffers.Open(options_.buffer_bytes, options_.most_buffers);
    int result = call.register_callbacks(&ActivityBuffers::Request, &ActivityBuffers::Complete);
    if (result == cupti::kSuccess) {
      size_t before = 0;
      (void)call.get_dropped(nullptr, 0, &before);
      uint64_t now = 0;
      (void)call.get_timestamp(&now);
      clock_.Begin(WallNowNs(), now);
      result = call.enable(kActivityKinds.front());
    }
    if (result != cupti::kSuccess) {
      buffers.Close();
      return Status(Code::kUnavailable,
                    fmt::format("CUPTI cannot record kernels: {}", library_->ErrorText(result)));
    }
    for (size_t i = 1; i < kActivityKinds.size(); ++i) (void)call.enable(kActivityKinds[i]);
    if (call.enable_runtime_call != nullptr) {
      for (const uint32_t function : kFrequentIdleCalls)
        (void)call.enable_runtime_call(function, 0);
    }
    return Status();
  }

  void TurnOff(size_t kinds) {
    for (size_t i = kinds; i > 0; --i) (void)library_->call().disable(kActivityKinds[i - 1]);
  }

  // The thread's life.
  void Run() {
    std::unique_lock lock(mutex_);
    for (;;) {
      const auto called = [&] { return stage_ == Stage::kEnding || closing_; };
      if (stage_ == Stage::kRecording) {
        changed_.wait_for(lock, kLook, called);
      } else {
        changed_.wait(lock, [&] { return stage_ != Stage::kIdle || closing_; });
      }
      if (closing_ && stage_ == Stage::kRecording) {
        window_.end_ns = WallNowNs();
        TurnOff(kActivityKinds.size());
        stage_ = Stage::kEnding;
      }
      const Stage stage = stage_;
      const bool ending = stage == Stage::kEnding;
      const bool last = closing_;
      const format::KernelWindow window = window_;
      std::vector<format::StepMark> marks;
      if (ending) marks = std::exchange(marks_, {});
      lock.unlock();
      if (ending) {
        EndWindow(window, marks);
      } else if (stage == Stage::kRecording) {
        ReadFilled(window);
      }
      if (last) FinishFile();
      lock.lock();
      UpdateCounters(ending);
      if (ending) {
        stage_ = Stage::kIdle;
        recording_now = nullptr;
      }
      if (last) has_thread_ = false;
      changed_.notify_all();
      if (last) return;
    }
  }

  void UpdateCounters(bool window_ended) {
    if (reader_ != nullptr) {
      counters_.kernels = reader_->kernels();
      counters_.events = reader_->events();
      counters_.untimed = reader_->untimed();
    }
    counters_.dropped = dropped_;
    counters_.lost = lost_;
    counters_.bytes = bytes_;
    if (window_ended) ++counters_.windows;
  }

  // ---- Of the thread, without the lock.

  void ReadFilled(const format::KernelWindow& window) {
    ActivityBuffers& buffers = ActivityBuffers::OfProcess();
    bool updated = false;
    while (const auto filled = buffers.Take()) {
      const int64_t now_ns = WallNowNs();
      if (!std::exchange(updated, true)) {
        uint64_t now = 0;
        if (library_->call().get_timestamp(&now) == cupti::kSuccess) clock_.Update(now_ns, now);
      }
      reader_->Read(filled->data, filled->valid, clock_, window.start_ns - kSlackNs,
                    now_ns + kSlackNs);
      buffers.Return(filled->data);
      if (writer_.due()) WriteBlock();
    }
  }

  void EndWindow(format::KernelWindow window, const std::vector<format::StepMark>& marks) {
    ActivityBuffers& buffers = ActivityBuffers::OfProcess();
    (void)library_->call().flush_all(cupti::kForcedFlush);
    ReadFilled(window);
    buffers.Close();
    size_t dropped = 0;
    if (library_->call().get_dropped(nullptr, 0, &dropped) == cupti::kSuccess) {
      window.dropped = dropped;
      dropped_ += dropped;
    }
    for (const format::StepMark& mark : marks) writer_.Add(mark);
    writer_.Add(window);
    WriteBlock();
    buffers.FreeIdle();
  }

  void WriteBlock() {
    const uint64_t events = writer_.pending();
    std::string block;
    writer_.Finish(&block);
    if (block.empty()) return;
    const Status written = file_.Append(block);
    if (!written.ok()) {
      lost_ += events;
      Tell(written);
      Restart();
      return;
    }
    bytes_ += block.size();
    if (file_.size() > options_.max_file_bytes || writer_.full()) FinishFile();
  }

  void FinishFile() {
    if (const Status finished = file_.Finish(WallNowNs() / 1000); !finished.ok()) Tell(finished);
    Restart();
  }

  // The next block begins a file.
  void Restart() {
    writer_.Restart();
    if (reader_ != nullptr) reader_->Restart();
  }

  void Tell(const Status& why) {
    if (std::exchange(told_, true)) return;
    LogError(
        "kernels dropped: {}. Training continues. Check that the folder is writable and has free "
        "space.",
        why.message());
  }

  const KernelRecorderOptions options_;

  // Held for moments only, and while CUPTI is turned on and off; never while a file is touched.
  std::mutex mutex_;
  std::condition_variable changed_;
  Stage stage_ = Stage::kIdle;
  bool closing_ = false;
  bool has_thread_ = false;
  format::KernelWindow window_;
  std::vector<format::StepMark> marks_;
  Counters counters_;
  // Set before the thread starts, or while it is idle.
  std::unique_ptr<cupti::Library> library_;
  std::unique_ptr<ActivityReader> reader_;
  ActivityClock clock_;

  // The thread's own.
  format::KernelBlockWriter writer_;
  KernelFile file_;
  uint64_t dropped_ = 0;
  uint64_t lost_ = 0;
  uint64_t bytes_ = 0;
  bool told_ = false;
};

KernelRecorder::KernelRecorder(KernelRecorderOptions options)
    : state_(std::make_shared<State>(std::move(options))) {}

KernelRecorder::~KernelRecorder() {
  if (IsCopy()) {
    // The parent's locks and file; what the child may not touch it must not destroy either.
    new std::shared_ptr<State>(std::move(state_));  // NOLINT: never to be freed
    return;
  }
  (void)Close();
}

Status KernelRecorder::Start(bool subscriber_is_idle) {
  if (IsCopy()) return Status(Code::kUnavailable, "this process is a copy of the one that records");
  return state_->Start(state_, subscriber_is_idle);
}

void KernelRecorder::MarkStep(int64_t step) {
  if (!IsCopy()) state_->MarkStep(step);
}

void KernelRecorder::Stop() {
  if (!IsCopy()) state_->Stop();
}

bool KernelRecorder::Flush(std::chrono::milliseconds patience) {
  return IsCopy() || state_->Flush(patience);
}

bool KernelRecorder::Close(std::chrono::milliseconds patience) {
  return IsCopy() || state_->Close(patience);
}

KernelRecorder::Counters KernelRecorder::counters() const {
  return IsCopy() ? Counters{} : state_->counters();
}

bool KernelRecorder::is_recording() const { return !IsCopy() && state_->is_recording(); }

}  // namespace warden::capture
