#ifndef WARDEN_CAPTURE_WRITER_H_
#define WARDEN_CAPTURE_WRITER_H_

#include <atomic>
#include <condition_variable>
#include <cstddef>
#include <deque>
#include <functional>
#include <memory>
#include <mutex>
#include <optional>
#include <set>
#include <span>
#include <string>
#include <string_view>
#include <thread>
#include <vector>

#include "warden/base/status.h"
#include "warden/base/types.h"
#include "warden/capture/buffer_pool.h"
#include "warden/capture/loan.h"
#include "warden/capture/save_plan.h"
#include "warden/capture/step_recorder.h"
#include "warden/capture/task.h"
#include "warden/stats/tensor_ref.h"
#include "warden/storage/store.h"

namespace warden::capture {

// The half of capture that writes: Hook decides what is saved, Writer gets it to the disk while
// training continues.
//
//   Writer writer(store, /*tensorboard=*/nullptr, options);
//   writer.BeginStep(identity);
//   writer.Save("fc.weight", tensor, plan);
//   writer.EndStep(manifest);
//   Status status = writer.Flush();

// What to do when data comes faster than the storage takes it. A tensor that is larger than all of
// the staging memory is written while the caller waits, either way.
enum class Overflow {
  kWait,  // Training waits.
  kDrop,  // The tensor is left out and counted.
};

// Logs a failure after which nothing is saved, as "WHAT: WHY. Training continues.", with advice on
// what to do about it.
void TellFailure(std::string_view what, const Status& why);

// What a Writer is made with.
struct WriterOptions {
  StepRecorder::Options recorder;
  // What waits for the storage takes this much memory at most, in bytes; as much again is kept for
  // what comes next.
  size_t staging_bytes = size_t{64} << 20;
  Overflow overflow = Overflow::kWait;
  bool sync_steps = false;  // Each step is on the disk before the next one is begun.
  // Called on the writer's thread before a step is written into a run's folder that somebody
  // removed after earlier steps. An error ends the capture. None: the step is written.
  std::function<Status()> reclaim;
};

// How saving has fared so far. Steps count when they are visible.
struct HookCounters {
  uint64_t saved_steps = 0;
  uint64_t saved_tensors = 0;  // Values, reductions and scalars, each counted.
  uint64_t saved_bytes = 0;    // Of records.
  uint64_t dropped = 0;        // Left out because the storage did not keep up.
  uint64_t failed = 0;         // Could not be saved.
};

// Writes steps into a store from a separate thread: whoever gives a tensor pays for a copy of it,
// or for one pass over it where only reductions of a large one are wanted; computing, encoding and
// the file system are the thread's. Steps come out in the order given, each with its files in the
// order that readers rely on: events, manifest, index. One thread gives at a time; status() and
// counters() may be called from any.
//
// After a failure of the store everything further is swallowed and status() says why: the training
// continues. Only where somebody removes the folder of a step while it is written, that step alone
// is lost, and the next one brings the manifest back. If the thread runs out of memory or is
// killed, that counts as a failure, too; nobody waits for it then.
class Writer {
 public:
  // The stores outlive the writer; tensorboard may be null. Starts the thread.
  Writer(storage::Store* store, storage::Store* tensorboard, WriterOptions options);
  // Finishes what was given and ends the thread. A step without EndStep is not saved.
  ~Writer();

  // Begins a step; one that was begun and not ended is dropped. A step that was saved before, with
  // the same number, is replaced.
  void BeginStep(const StepIdentity& identity);
  // Within a step. Tensors' names outlive the writer. The caller may change the data afterwards.
  void Save(std::string_view tensor, const stats::TensorRef& value, const SavePlan& plan);
  // Read later, where it lies; what is lent does not count against the staging memory.
  void Lend(std::string_view tensor, Loan loan, const SavePlan& plan);
  // Only its summary, which a GPU is computing: row is the one that it writes, in host memory. The
  // plan asks for reductions and the shape only.
  void LendSummary(std::string_view tensor, DType dtype, std::span<const int64_t> shape, Loan row,
                   const SavePlan& plan);
  // Reductions that are being computed elsewhere: float64 values in the order of reductions. dtype
  // and shape are the tensor's.
  void SaveReductions(std::string_view tensor, DType dtype, std::span<const int64_t> shape,
                      std::vector<Reduction> reductions, Loan values, bool save_shape);
  // Within a step; always whole.
  void SaveStrings(std::string_view tensor, std::vector<std::string> values);
  void SaveScalar(std::string name, double value);
  // Hands the step over. manifest, if any, is put before the step becomes visible. A small step
  // that comes right after another may wait for a moment, to be written together with the next
  // ones.
  void EndStep(std::optional<std::string> manifest);
  // Lets the thread begin on what was given, which it else does when there is enough to do.
  void HandOver();
  // A small file, after all that was given before.
  void Put(std::string key, std::string body);

  // Returns when everything given has been written, or could not be. The same as status().
  Status Flush();
  // The first failure: that of the store, a lender's, or kUnavailable if the thread has no memory
  // or is gone. Logged when it happened.
  Status status() const;
  HookCounters counters() const;
  // In the first step with one that has been written.
  std::optional<NotFinite> first_not_finite() const;

 private:
  class DeathWatch;

  void Give(Task task);
  // Warns, once for each tensor, that one without elements has no values to save.
  void TellIfEmpty(std::string_view tensor, const stats::TensorRef& value, const SavePlan& plan);
  // Hands over what was gathered; prompt: the thread must not rest first.
  void Pass(bool prompt);
  // False if the tensor is to be dropped. Waits until there is room otherwise.
  bool MakeRoom(size_t bytes);
  // Under mutex_: whether somebody waits for room, and there is as much as that one waits for.
  bool HasAwaitedRoom() const;
  void Run();
  // Lets small steps gather.
  void Rest(std::unique_lock<std::mutex>* lock);
  Status Do(Task& task);
  void LoseStep(const Status& why);
  Status DoTensor(const TensorTask& task);
  Status DoEndStep();
  // Puts the manifest of the step, or the last one again if the folder has lost it.
  Status PutManifest();
  bool MayHaveIndex(Step step);
  void ExportToTensorBoard();

  storage::Store* const store_;
  storage::Store* const tensorboard_;
  const WriterOptions options_;
  BufferPool buffers_;

  // Of the giving thread: gathered, so that small tensors do not wake the other one each.
  std::vector<Task> gathered_;
  size_t gathered_bytes_ = 0;
  std::set<std::string_view> told_empty_;

  std::atomic<size_t> in_flight_ = 0;  // Bytes handed over and not yet written.

  mutable std::mutex mutex_;
  std::condition_variable work_;      // A batch was handed over, or the end has come.
  std::condition_variable progress_;  // Room was made, or everything was done.
  std::deque<std::vector<Task>> batches_;
  bool busy_ = false;
  bool resting_ = false;  // The writing thread wakes up after a while,
  bool prompt_ = false;   // or at once if this is set.
  bool stop_ = false;
  bool dead_ = false;  // The writing thread is no more.
  // Whoever waits for room continues when no more bytes than this are in flight.
  std::optional<size_t> awaited_;
  Status status_;
  HookCounters counters_;
  std::optional<NotFinite> first_not_finite_;

  std::optional<StepRecorder> recorder_;  // Of the writing thread, as are the next.
  std::optional<Step> last_step_;         // The highest so far.
  std::string manifest_;                  // As it was given last; empty before.
  bool manifest_due_ = false;             // It was not put yet.
  bool manifest_put_ = false;             // It, or an earlier one.
  bool lost_step_ = false;                // The folder was removed under it.
  bool follows_run_ = false;              // The folder holds an earlier run of this worker.
  bool tensorboard_failed_ = false;
  std::thread thread_;
};

}  // namespace warden::capture

#endif  // WARDEN_CAPTURE_WRITER_H_
