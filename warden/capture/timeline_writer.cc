#include "warden/capture/timeline_writer.h"

#include <pthread.h>
#include <signal.h>

#include <algorithm>
#include <condition_variable>
#include <deque>
#include <mutex>
#include <system_error>
#include <thread>
#include <utility>
#include <vector>

#include "warden/base/log.h"
#include "warden/capture/timeline_batch.h"

namespace warden::capture {
namespace {

// How long events are gathered before they are written.
constexpr std::chrono::milliseconds kGather{100};
// How often an open file is looked at while nothing happens.
constexpr std::chrono::seconds kIdle{5};

using Entry = TimelineBatch::Entry;
using OwnedEvent = TimelineBatch::Other;
using KindText = TimelineBatch::Kind;

static_assert(TimelineWriter::kNoStep == TimelineBatch::kNoStep);

}  // namespace

// What the recording threads and the writing one share.
class TimelineWriter::State {
 public:
  explicit State(TimelineOptions options)
      : options_(std::move(options)),
        base_us_(options_.base_us != 0 ? options_.base_us : TimelineNowUs()),
        settings_(options_.settings),
        file_(options_.node, options_.suffix, base_us_) {}

  Kind AddKind(KindText text) {
    const std::lock_guard lock(mutex_);
    kinds_.push_back(std::move(text));
    return static_cast<Kind>(kinds_.size() - 1);
  }

  void Give(const Entry& entry, OwnedEvent* other) {
    bool wake = false;
    {
      const std::lock_guard lock(mutex_);
      if (stop_) return;
      const size_t bytes = other != nullptr ? other->bytes() : 0;
      if (pending_.entries.size() >= options_.most_pending ||
          pending_bytes_ + bytes > options_.most_pending_bytes) {
        ++counters_.dropped;
        return;
      }
      // Only the first of a batch wakes the thread, and one that makes it large.
      wake = pending_.entries.empty();
      if (!urgent_ && pending_.entries.size() >= options_.most_pending / 2) wake = urgent_ = true;
      pending_.entries.push_back(entry);
      if (other != nullptr) pending_.others.push_back(std::move(*other));
      pending_bytes_ += bytes;
      ++counters_.recorded;
    }
    if (wake) wake_.notify_one();
  }

  void Configure(const TimelineSettings& settings) {
    const std::lock_guard lock(mutex_);
    settings_ = settings;
    changed_ = true;
    change_at_ = pending_.entries.size();
  }

  void Rebase(int64_t base_us) {
    const std::lock_guard lock(mutex_);
    base_us_ = base_us;
  }

  int64_t base_us() {
    const std::lock_guard lock(mutex_);
    return base_us_;
  }

  bool Flush(std::chrono::milliseconds patience) {
    std::unique_lock lock(mutex_);
    if (finished_) return true;
    const uint64_t wanted = ++flush_wanted_;
    wake_.notify_one();
    return progress_.wait_for(lock, patience, [&] { return finished_ || flush_done_ >= wanted; });
  }

  bool Close(bool finish, std::chrono::milliseconds patience) {
    std::unique_lock lock(mutex_);
    if (!stop_) {
      stop_ = true;
      finish_ = finish;
      wake_.notify_one();
    }
    return progress_.wait_for(lock, patience, [&] { return finished_; });
  }

  Counters counters() {
    const std::lock_guard lock(mutex_);
    return counters_;
  }
  bool healthy() {
    const std::lock_guard lock(mutex_);
    return healthy_;
  }

  // The thread's life.
  void Run() {
    file_.Use(options_.settings);
    std::unique_lock lock(mutex_);
    for (bool last = false; !last;) {
      const auto called = [&] { return stop_ || urgent_ || flush_wanted_ > flush_done_; };
      wake_.wait_for(lock, kIdle, [&] { return called() || !pending_.entries.empty(); });
      if (!pending_.entries.empty()) wake_.wait_for(lock, kGather, called);
      last = stop_;
      const uint64_t flushing = flush_wanted_;
      TimelineBatch batch = std::exchange(pending_, {});
      pending_.entries.reserve(batch.entries.size());  // So that who records does not have to.
      pending_bytes_ = 0;
      urgent_ = false;
      batch.change_at = std::exchange(change_at_, 0);
      if (std::exchange(changed_, false)) batch.settings = settings_;
      const int64_t base_us = base_us_;
      while (known_.size() < kinds_.size()) known_.push_back(kinds_[known_.size()]);
      lock.unlock();
      file_.Rebase(base_us);
      batch.WriteTo(&file_, known_);
      file_.RotateIfDue(TimelineNowUs());
      if (last) file_.Close(finish_);
      lock.lock();
      counters_.lost = file_.lost();
      healthy_ = file_.healthy();
      flush_done_ = flushing;
      finished_ = last;
      progress_.notify_all();
    }
  }

  // The thread could not be started.
  void NeverRun() {
    const std::lock_guard lock(mutex_);
    stop_ = finished_ = true;
  }

 private:
  const TimelineOptions options_;

  std::mutex mutex_;  // Held for moments only, never while a file is touched.
  std::condition_variable wake_;
  std::condition_variable progress_;
  TimelineBatch pending_;
  size_t pending_bytes_ = 0;
  std::deque<KindText> kinds_;
  int64_t base_us_;
  TimelineSettings settings_;
  Counters counters_;
  bool changed_ = false;  // The settings,
  size_t change_at_ = 0;  // from this entry of pending_ on.
  bool urgent_ = false;   // There is much to write.
  bool healthy_ = true;
  bool stop_ = false;
  bool finish_ = true;
  bool finished_ = false;
  uint64_t flush_wanted_ = 0;
  uint64_t flush_done_ = 0;

  // The thread's own.
  std::vector<KindText> known_;
  TimelineFile file_;
};

TimelineWriter::TimelineWriter(TimelineOptions options)
    : state_(std::make_shared<State>(std::move(options))) {
  // Signals are for the threads of the program.
  sigset_t all;
  sigset_t before;
  sigfillset(&all);
  pthread_sigmask(SIG_SETMASK, &all, &before);
  try {
    std::thread([state = state_] { state->Run(); }).detach();
  } catch (const std::system_error& error) {  // The standard library knows no other way.
    LogError("timeline disabled: cannot start a thread ({})", error.what());
    state_->NeverRun();
  }
  pthread_sigmask(SIG_SETMASK, &before, nullptr);
}

TimelineWriter::~TimelineWriter() {
  if (IsCopy()) {
    // The parent's locks and file; what the child may not touch it must not destroy either.
    new std::shared_ptr<State>(std::move(state_));  // NOLINT: never to be freed
    return;
  }
  Close(/*finish=*/true);
}

TimelineWriter::Kind TimelineWriter::AddKind(std::string_view phase, std::string_view name,
                                             std::string_view args) {
  if (IsCopy()) return 0;
  return state_->AddKind({std::string(phase), std::string(name), std::string(args)});
}

void TimelineWriter::Record(Kind kind, int64_t start_us, int64_t duration_us, int64_t step) {
  if (IsCopy()) return;
  state_->Give({start_us, std::max<int64_t>(duration_us, 0), step, kind}, nullptr);
}

void TimelineWriter::Record(const TimelineEvent& event) {
  if (IsCopy()) return;
  OwnedEvent other{std::string(event.phase), std::string(event.name), std::string(event.kind),
                   std::string(event.scope), std::string(event.args)};
  state_->Give(
      {event.start_us, std::max<int64_t>(event.duration_us, 0), kNoStep, TimelineBatch::kOther},
      &other);
}

void TimelineWriter::Configure(const TimelineSettings& settings) {
  if (!IsCopy()) state_->Configure(settings);
}

void TimelineWriter::Rebase(int64_t base_us) {
  if (!IsCopy()) state_->Rebase(base_us);
}

int64_t TimelineWriter::base_us() const { return IsCopy() ? 0 : state_->base_us(); }

bool TimelineWriter::Flush(std::chrono::milliseconds patience) {
  return IsCopy() || state_->Flush(patience);
}

bool TimelineWriter::Close(bool finish, std::chrono::milliseconds patience) {
  return IsCopy() || state_->Close(finish, patience);
}

TimelineWriter::Counters TimelineWriter::counters() const {
  return IsCopy() ? Counters{} : state_->counters();
}

bool TimelineWriter::healthy() const { return IsCopy() || state_->healthy(); }

}  // namespace warden::capture
