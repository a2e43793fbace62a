#ifndef WARDEN_TRIAL_RUN_INDEX_H_
#define WARDEN_TRIAL_RUN_INDEX_H_

// The memory of a Trial. Everything that can be asked of a run without reading tensors is answered
// from here: names, steps, modes, workers, and where each record lies. The files themselves are
// found and parsed by IndexFeed and format::IndexParser.

#include <cstdint>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "warden/base/reduction.h"
#include "warden/base/strings.h"
#include "warden/base/types.h"
#include "warden/format/index_file.h"

namespace warden::trial {

// What the index files of a run say, in memory: which tensor was saved at which step by which
// worker, and where its records are. Trial keeps one and guards it with a lock.

// Numbers for names, given out from 0 on in the order of appearance, valid in one RunIndex only.
// Small and dense, so that callers can use them as positions in a vector.
using TensorId = uint32_t;
using WorkerId = uint32_t;
using FileId = uint32_t;

// What of a tensor a record holds: one of the 18 reductions (by index), or the values themselves.
using Slot = uint8_t;
inline constexpr Slot kRawSlot = Reduction::kCount;

// Where a record is. 40 bytes: a run of 10,000 steps with 1000 tensors takes 400 MB, so nothing
// more is kept here.
struct Location {
  Step step = 0;  // Global.
  WorkerId worker = 0;
  FileId file = 0;      // See RunIndex::file: its event_file has the record.
  uint64_t start = 0;   // Byte in the event file.
  uint64_t length = 0;  // Bytes of the whole record.
  Slot slot = kRawSlot;
};

// What one worker saved in one step. One for each index file, in the order of Add.
struct StepFile {
  Step step = 0;
  WorkerId worker = 0;
  Mode mode = Mode::kGlobal;
  Step mode_step = 0;
  std::string event_file;  // Its key; empty if only shapes were saved.
  bool replaced = false;   // A later write of the same step won; nothing of this one counts.
};

// A step of a tensor, as one worker saved it. The pointers belong to the RunIndex and are valid
// until its next Add.
struct SavedTensor {
  const Location* raw = nullptr;  // None: only reductions or the shape were saved.
  std::vector<const Location*> reductions;
  const std::vector<int64_t>* shape = nullptr;  // None: no shape was saved apart from the values.
};

// One record of a step.
struct StepRecord {
  TensorId tensor = 0;
  Location location;
};

// A step in the count of its mode.
struct ModeStep {
  Mode mode = Mode::kGlobal;
  Step step = 0;
};

// All that the index files of a run say, arranged for asking. Grows only. Safe for many threads
// that ask, as long as nobody adds at the same time.
//
// A step is complete when all workers wrote it, when a later one is complete, or when the job has
// ended. Questions about a tensor or file by number REQUIRE that this index gave out the number.
//
//   RunIndex index(/*num_workers=*/1);
//   index.Add(7, "worker_0", *parser.Parse(text).value());
//   const auto tensor = index.FindTensor("fc.weight");
//   if (tensor) index.Find(*tensor, 7, "worker_0")->raw->start;
class RunIndex {
 public:
  // num_workers: how many write each step, at least 1.
  explicit RunIndex(int num_workers) : num_workers_(num_workers) {}

  // Takes one index file in, copying what it needs. If the worker had written the step before, the
  // new file replaces all of the old one. Files may come in any order; ascending steps are fastest.
  // Cannot fail: what is wrong with a file was found when it was parsed.
  void Add(Step step, std::string_view worker, const format::IndexFile& file);
  // Whether Add was called for it.
  bool HasFile(Step step, std::string_view worker) const;

  // After a round of Add: if more than window steps are waited for, gives the oldest half up, so
  // that a worker that died does not hold up the others' steps for ever. The steps waited for are
  // the known ones less last_complete_step() + 1, which is exact if every step is saved. They count
  // as complete from then on; files of them that come later are still taken in.
  void GiveUpOldSteps(int64_t window);
  // The job has ended: every step is as complete as it will ever be.
  void MarkEnded();

  int num_workers() const { return num_workers_; }
  void set_num_workers(int num_workers) { num_workers_ = num_workers; }
  bool ended() const { return ended_; }
  // Every step up to this one counts as complete; -1 before the first.
  Step last_complete_step() const { return last_complete_step_; }

  // Whether the step is complete, if it was saved at all.
  bool IsComplete(Step global_step) const;
  // Ascending; for kGlobal the global steps, else the mode's own. Takes time in proportion to the
  // number of steps, as do the questions below that return lists.
  std::vector<Step> Steps(Mode mode, bool include_incomplete) const;
  // Complete global steps after this one, ascending.
  std::vector<Step> StepsAfter(Step step) const;
  // The first known step of the mode that is not before step.
  std::optional<Step> NextStep(Mode mode, Step step) const;
  // The last known step of the mode, complete or not.
  std::optional<Step> LastStep(Mode mode) const;
  // Mode and mode step of a global step; nothing if it is not known. The first file of a step
  // decides where workers disagree.
  std::optional<ModeStep> ModeOf(Step global_step) const;
  // The global step of a mode's step; nothing if it is not known. Of kGlobal the step itself, known
  // or not.
  std::optional<Step> GlobalStep(Mode mode, Step step) const;
  // Unlike IsComplete, whether all files are really there.
  bool AllWorkersWrote(Step global_step) const;
  // The modes in which steps were saved, without kGlobal.
  std::vector<Mode> Modes() const;
  // Names of all workers that wrote anything, sorted.
  std::vector<std::string> Workers() const;

  // The tensor of that name; nothing if it never appeared. The names of saved reductions are not
  // tensors here: they count as the tensor that was reduced.
  std::optional<TensorId> FindTensor(std::string_view name) const;
  // Numbers are 0 to tensor_count() - 1.
  size_t tensor_count() const { return tensors_.size(); }
  const std::string& TensorName(TensorId tensor) const { return tensors_[tensor].name; }
  // The framework's own name, if a shape was saved with one; else empty.
  const std::string& OriginalName(TensorId tensor) const { return tensors_[tensor].original_name; }
  // Whether anything of the tensor was saved: values, reductions or the shape.
  bool SavedInMode(TensorId tensor, Mode mode) const;
  bool SavedAt(TensorId tensor, Step global_step) const;
  // Whether the worker saved anything of the tensor, at this global step or, without one, at any.
  bool SavedByWorker(TensorId tensor, std::string_view worker,
                     std::optional<Step> global_step) const;
  // Global steps, ascending.
  std::vector<Step> StepsOf(TensorId tensor) const;
  // In the order of their names.
  std::vector<std::string> WorkersOf(TensorId tensor, Step global_step) const;
  // What a worker saved of the tensor at the step; nothing if it saved none of it. A binary search
  // in the steps of the tensor.
  std::optional<SavedTensor> Find(TensorId tensor, Step global_step, std::string_view worker) const;

  // All records of a step, by tensor, worker and slot. A tensor of which only the shape was saved
  // has one record of no length.
  std::vector<StepRecord> RecordsAt(Step global_step) const;

  // By number. The references are valid until the next Add.
  const StepFile& file(FileId file) const { return files_[file]; }
  const std::string& worker_name(WorkerId worker) const { return worker_names_[worker]; }

 private:
  struct SavedShape {
    Step step = 0;
    WorkerId worker = 0;
    FileId file = 0;
    std::vector<int64_t> shape;
  };
  struct Tensor {
    std::string name;
    std::string original_name;
    std::vector<Location> locations;  // By step, worker, slot.
    std::vector<SavedShape> shapes;   // By step, worker.
  };
  struct StepInfo {
    ModeStep mode;
    std::set<WorkerId> workers;
  };
  // What the name at a place of the last index file meant. Steps mostly save the same tensors in
  // the same order, and comparing with this is far cheaper than taking the name apart again.
  struct Remembered {
    std::string name;
    TensorId tensor = 0;
    Slot slot = kRawSlot;
  };

  // What a name in an index file means: which tensor, and which reduction of it or its values.
  const Remembered& Resolve(size_t place, std::string_view name);
  // The number of the name, given out if it is new; the next likewise.
  TensorId InternTensor(std::string_view name);
  WorkerId InternWorker(std::string_view name);
  std::optional<WorkerId> FindWorker(std::string_view name) const;
  // Updates last_complete_step().
  void AddStep(Step step, WorkerId worker, Mode mode, Step mode_step);
  bool Counts(FileId file) const { return !files_[file].replaced; }

  int num_workers_;
  bool ended_ = false;
  Step last_complete_step_ = -1;

  std::vector<StepFile> files_;
  std::map<std::pair<Step, WorkerId>, FileId> file_of_;
  std::map<Step, StepInfo> steps_;
  std::map<Mode, std::map<Step, Step>> mode_to_global_;

  using Ids = std::unordered_map<std::string, uint32_t, StringHash, std::equal_to<>>;
  std::vector<std::string> worker_names_;
  Ids worker_ids_;
  std::vector<Tensor> tensors_;
  Ids tensor_ids_;
  std::vector<Remembered> remembered_;
};

}  // namespace warden::trial

#endif  // WARDEN_TRIAL_RUN_INDEX_H_
