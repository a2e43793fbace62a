#include "warden/capture/writer.h"

#include <fmt/ranges.h>
#include <pthread.h>
#include <unistd.h>

#include <algorithm>
#include <chrono>
#include <cstring>
#include <new>
#include <utility>

#include "warden/base/log.h"
#include "warden/capture/host.h"
#include "warden/format/layout.h"
#include "warden/stats/cuda/device_summaries.h"
#include "warden/storage/sync_folder.h"

namespace warden::capture {
namespace {

// Enough work to be worth waking the other thread for.
constexpr size_t kBatchBytes = size_t{1} << 20;

// Steps of this size that come faster than this are written together: a thread that wakes for each
// of them takes the core from the training at the worst time, when the next step begins.
constexpr size_t kSmallStepBytes = size_t{64} << 10;
constexpr std::chrono::milliseconds kRest(50);

// From here on one pass over a tensor costs less than a copy of it; below, the data is in the cache
// and a copy costs next to nothing.
constexpr size_t kSummarizeAtOnceBytes = size_t{64} << 10;

const char* AdviceOn(Code code) {
  switch (code) {
    case Code::kIo: return "Check that the run's folder is writable and has free space.";
    case Code::kExists: return "Choose another folder for the run.";
    default: return "Restart the training to capture again.";
  }
}

template <class... Ts>
struct Overloaded : Ts... {
  using Ts::operator()...;
};

}  // namespace

void TellFailure(std::string_view what, const Status& why) {
  LogError("{}: {}. Training continues. {}", what, why.message(), AdviceOn(why.code()));
}

// Ends all waiting when the writing thread ends, however it does: somebody may have killed it.
class Writer::DeathWatch {
 public:
  explicit DeathWatch(Writer* writer) : writer_(writer) {}
  ~DeathWatch() {
    const std::lock_guard lock(writer_->mutex_);
    writer_->dead_ = true;
    if (!writer_->stop_) {
      writer_->status_ = Status(Code::kUnavailable, "the writer thread has ended");
      TellFailure("Capture disabled", writer_->status_);
    }
    writer_->progress_.notify_all();
  }

 private:
  Writer* const writer_;
};

Writer::Writer(storage::Store* store, storage::Store* tensorboard, WriterOptions options)
    : store_(store),
      tensorboard_(tensorboard),
      options_(std::move(options)),
      buffers_(options_.staging_bytes),
      thread_([this] { Run(); }) {}

Writer::~Writer() {
  HandOver();
  {
    const std::lock_guard lock(mutex_);
    stop_ = true;
  }
  work_.notify_one();
  thread_.join();
}

void Writer::BeginStep(const StepIdentity& identity) { Give(BeginStepTask{identity}); }

void Writer::TellIfEmpty(std::string_view tensor, const stats::TensorRef& value,
                         const SavePlan& plan) {
  if (value.count() > 0 || (!plan.raw && plan.reductions.none())) return;
  if (!told_empty_.insert(tensor).second) return;
  LogWarning("tensor '{}' is not saved{}: it has no elements, its shape is ({})", tensor,
             plan.shape ? " but for its shape" : "", fmt::join(value.shape, ", "));
}

void Writer::Save(std::string_view tensor, const stats::TensorRef& value, const SavePlan& plan) {
  TellIfEmpty(tensor, value, plan);
  TensorTask task{tensor, plan, value.dtype, {value.shape.begin(), value.shape.end()}};
  const size_t size = value.byte_size();
  if (plan.raw || plan.scalar || !plan.histogram_collection.empty() ||
      (plan.reductions.any() && size < kSummarizeAtOnceBytes)) {
    if (size > options_.staging_bytes) {
      // Does not fit even alone: it is written from where it lies, while the caller waits.
      task.lent = value.data;
      Give(std::move(task));
      (void)Flush();
      return;
    }
    if (!MakeRoom(size)) return;
    task.bytes = size;
    task.copy = buffers_.Take(size);
    if (size > 0) std::memcpy(task.copy.data.get(), value.data, size);
  } else if (plan.reductions.any()) {
    const auto summary = stats::Summarize(value);
    if (!summary.ok()) {
      LogWarning("reductions of '{}' not saved: {}", tensor, summary.status().message());
      const std::lock_guard lock(mutex_);
      ++counters_.failed;
      return;
    }
    task.summary = summary.value();
  }
  Give(std::move(task));
}

void Writer::Lend(std::string_view tensor, Loan loan, const SavePlan& plan) {
  TellIfEmpty(tensor, loan.value, plan);
  TensorTask task{
      tensor, plan, loan.value.dtype, {loan.value.shape.begin(), loan.value.shape.end()}};
  task.lent = loan.value.data;
  task.lender = std::move(loan.lender);
  Give(std::move(task));
}

void Writer::LendSummary(std::string_view tensor, DType dtype, std::span<const int64_t> shape,
                         Loan row, const SavePlan& plan) {
  TellIfEmpty(tensor, {nullptr, dtype, shape}, plan);
  TensorTask task{tensor, plan, dtype, {shape.begin(), shape.end()}};
  task.summary_row = static_cast<const double*>(row.value.data);
  task.lender = std::move(row.lender);
  Give(std::move(task));
}

void Writer::SaveReductions(std::string_view tensor, DType dtype, std::span<const int64_t> shape,
                            std::vector<Reduction> reductions, Loan values, bool save_shape) {
  Give(ReductionsTask{tensor,
                      dtype,
                      {shape.begin(), shape.end()},
                      save_shape,
                      std::move(reductions),
                      static_cast<const double*>(values.value.data),
                      std::move(values.lender)});
}

void Writer::SaveStrings(std::string_view tensor, std::vector<std::string> values) {
  Give(StringsTask{tensor, std::move(values)});
}

void Writer::SaveScalar(std::string name, double value) {
  Give(ScalarTask{std::move(name), value});
}

void Writer::EndStep(std::optional<std::string> manifest) {
  Give(EndStepTask{std::move(manifest)});
  Pass(gathered_bytes_ > kSmallStepBytes);
}

void Writer::Put(std::string key, std::string body) {
  Give(PutTask{std::move(key), std::move(body)});
  HandOver();
}

bool Writer::MakeRoom(size_t bytes) {
  const auto fits = [&] {
    return in_flight_.load(std::memory_order_relaxed) + gathered_bytes_ + bytes <=
           options_.staging_bytes;
  };
  if (fits()) return true;
  HandOver();
  if (options_.overflow == Overflow::kDrop) {
    if (fits()) return true;
    const std::lock_guard lock(mutex_);
    ++counters_.dropped;
    return false;
  }
  // For more than this tensor: else each one that is written would wake us to give one more.
  const size_t room = std::max(bytes, std::min(kBatchBytes, options_.staging_bytes / 4));
  std::unique_lock lock(mutex_);
  awaited_ = options_.staging_bytes - room;
  progress_.wait(lock, [&] { return dead_ || HasAwaitedRoom() || (batches_.empty() && !busy_); });
  awaited_.reset();
  return !dead_;
}

bool Writer::HasAwaitedRoom() const {
  return awaited_ && in_flight_.load(std::memory_order_relaxed) <= *awaited_;
}

void Writer::Give(Task task) {
  gathered_bytes_ += TaskBytes(task);
  gathered_.push_back(std::move(task));
  if (gathered_bytes_ >= kBatchBytes) HandOver();
}

void Writer::HandOver() { Pass(true); }

void Writer::Pass(bool prompt) {
  bool wake = false;
  {
    const std::lock_guard lock(mutex_);
    if (dead_) {
      gathered_.clear();
      gathered_bytes_ = 0;
      return;
    }
    in_flight_.fetch_add(std::exchange(gathered_bytes_, 0), std::memory_order_relaxed);
    if (!gathered_.empty()) batches_.push_back(std::exchange(gathered_, {}));
    prompt_ = prompt_ || (prompt && !batches_.empty());
    wake = prompt_ || !resting_;
  }
  if (wake) work_.notify_one();
}

Status Writer::Flush() {
  HandOver();
  std::unique_lock lock(mutex_);
  progress_.wait(lock, [this] { return dead_ || (batches_.empty() && !busy_); });
  return status_;
}

Status Writer::status() const {
  const std::lock_guard lock(mutex_);
  return status_;
}

HookCounters Writer::counters() const {
  const std::lock_guard lock(mutex_);
  return counters_;
}

std::optional<NotFinite> Writer::first_not_finite() const {
  const std::lock_guard lock(mutex_);
  return first_not_finite_;
}

void Writer::Run() {
  pthread_setname_np(pthread_self(), "warden-writer");
  const DeathWatch watch(this);
  std::unique_lock lock(mutex_);
  while (true) {
    work_.wait(lock, [this] { return stop_ || !batches_.empty(); });
    if (batches_.empty()) return;
    std::vector<Task> batch = std::move(batches_.front());
    batches_.pop_front();
    busy_ = true;
    Status status = status_;
    lock.unlock();
    for (Task& task : batch) {
      const size_t bytes = TaskBytes(task);
      if (status.ok()) {
        try {
          status = Do(task);
        } catch (const std::bad_alloc&) {
          status = Status(Code::kUnavailable, "out of memory");
        }
        if (status.code() == Code::kNotFound) LoseStep(std::exchange(status, Status()));
        if (!status.ok()) {
          TellFailure("Capture disabled", status);
          recorder_.reset();
        }
      }
      if (auto* tensor = std::get_if<TensorTask>(&task); tensor != nullptr && tensor->bytes > 0) {
        buffers_.GiveBack(std::move(tensor->copy));
      }
      task = PutTask{};  // Gives back what it was lent.
      in_flight_.fetch_sub(bytes, std::memory_order_relaxed);
      lock.lock();
      if (status_.ok()) status_ = status;
      if (HasAwaitedRoom()) progress_.notify_all();
      lock.unlock();
    }
    lock.lock();
    busy_ = false;
    if (!batches_.empty()) continue;
    progress_.notify_all();
    Rest(&lock);
  }
}

void Writer::Rest(std::unique_lock<std::mutex>* lock) {
  resting_ = true;
  work_.wait_for(*lock, kRest, [this] { return stop_ || prompt_; });
  resting_ = false;
  prompt_ = false;
}

void Writer::LoseStep(const Status& why) {
  LogWarning("step not saved: {}", why.message());
  recorder_.reset();
  lost_step_ = true;
  const std::lock_guard lock(mutex_);
  ++counters_.failed;
}

Status Writer::Do(Task& task) {
  // Kept before all else: where its step is lost, the next one puts it.
  if (auto* end = std::get_if<EndStepTask>(&task); end != nullptr && end->manifest) {
    manifest_ = *std::move(end->manifest);
    manifest_due_ = true;
  }
  const bool needs_step =
      !std::holds_alternative<BeginStepTask>(task) && !std::holds_alternative<PutTask>(task);
  if (needs_step && !recorder_) return Status();  // Of a step that was lost.
  return std::visit(
      Overloaded{
          [&](BeginStepTask& begin) {
            recorder_.emplace(begin.identity, options_.recorder, store_);
            return Status();
          },
          [&](TensorTask& tensor) { return DoTensor(tensor); },
          [&](ReductionsTask& tensor) {
            if (Status ready = tensor.lender->Wait(); !ready.ok()) return ready;
            SavePlan plan;
            plan.shape = tensor.save_shape;
            const Status done =
                recorder_->Save(tensor.tensor, {nullptr, tensor.dtype, tensor.shape}, plan);
            if (!done.ok()) return done;
            return recorder_->SaveReductions(tensor.tensor, tensor.dtype, tensor.reductions,
                                             {tensor.values, tensor.reductions.size()});
          },
          [&](StringsTask& strings) {
            return recorder_->SaveStrings(strings.tensor, strings.values);
          },
          [&](ScalarTask& scalar) { return recorder_->SaveScalar(scalar.name, scalar.value); },
          [&](EndStepTask&) { return DoEndStep(); },
          [&](PutTask& put) { return store_->Put(put.key, AsBytes(put.body)); },
      },
      task);
}

Status Writer::DoTensor(const TensorTask& task) {
  if (task.lender != nullptr) {
    if (Status ready = task.lender->Wait(); !ready.ok()) return ready;
  }
  if (task.summary_row != nullptr) {
    const stats::Summary summary = stats::cuda::SummaryFromRow(task.summary_row);
    return recorder_->Save(task.tensor, {nullptr, task.dtype, task.shape}, task.plan, &summary);
  }
  const void* data = task.copy.data != nullptr ? task.copy.data.get() : task.lent;
  return recorder_->Save(task.tensor, {data, task.dtype, task.shape}, task.plan,
                         task.summary ? &*task.summary : nullptr);
}

Status Writer::DoEndStep() {
  const StepIdentity& step = recorder_->identity();
  const std::string index_key = format::IndexFileKey(step.step, options_.recorder.worker);
  if (MayHaveIndex(step.step)) {  // It must not point into the new event file.
    if (Status removed = store_->Remove(index_key); !removed.ok()) return removed;
  }
  if (Status finished = recorder_->Finish(); !finished.ok()) return finished;
  if (Status put = PutManifest(); !put.ok()) return put;
  const std::string index = recorder_->IndexText();
  if (!index.empty()) {
    if (Status put = store_->Put(index_key, AsBytes(index)); !put.ok()) return put;
    const Status synced = options_.sync_steps ? storage::SyncFolder(store_->Locate("")) : Status();
    if (!synced.ok()) return synced;
  }
  ExportToTensorBoard();
  const std::lock_guard lock(mutex_);
  counters_.saved_steps += index.empty() ? 0 : 1;
  counters_.saved_tensors += recorder_->saved();
  counters_.saved_bytes += recorder_->bytes();
  counters_.failed += recorder_->failed();
  if (!first_not_finite_) first_not_finite_ = recorder_->first_not_finite();
  return Status();
}

Status Writer::PutManifest() {
  const std::string key = format::ManifestKey(options_.recorder.worker);
  const bool removed = (manifest_put_ || lost_step_) && !store_->Exists(key);
  if (removed) {
    LogWarning("{} was removed during the run; steps from {} on are saved there again",
               store_->Locate(""), recorder_->identity().step);
    const Status reclaimed = options_.reclaim ? options_.reclaim() : Status();
    if (!reclaimed.ok()) return reclaimed;
  }
  if (manifest_.empty() || !(manifest_due_ || removed)) return Status();
  const Status put = store_->Put(key, AsBytes(manifest_));
  if (put.ok()) {
    manifest_due_ = false;
    manifest_put_ = true;
  }
  return put;
}

// Of an earlier run in the same folder, whose manifest is there before its first index, or of an
// earlier take of this step.
bool Writer::MayHaveIndex(Step step) {
  if (!last_step_) follows_run_ = store_->Exists(format::ManifestKey(options_.recorder.worker));
  const bool is_later = !last_step_ || step > *last_step_;
  if (is_later) last_step_ = step;
  return follows_run_ || !is_later;
}

// A failure here costs the pictures, not the run.
void Writer::ExportToTensorBoard() {
  if (tensorboard_ == nullptr || tensorboard_failed_ || recorder_->tensorboard_records().empty()) {
    return;
  }
  const StepIdentity& step = recorder_->identity();
  const Status put =
      tensorboard_->Put(format::TensorBoardKey(step.mode, step.step, getpid(), HostName()),
                        AsBytes(recorder_->tensorboard_records()));
  if (put.ok()) return;
  LogError("TensorBoard export disabled: {}", put.message());
  tensorboard_failed_ = true;
}

}  // namespace warden::capture
