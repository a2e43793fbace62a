#ifndef WARDEN_VIEW_VALUES_RUN_VALUES_H_
#define WARDEN_VIEW_VALUES_RUN_VALUES_H_

// Single tensors of a run at chosen steps, for the dashboard's pages of values, distributions and
// activation maps.
//
//   RunValues run(folder);
//   const auto saved = run.Find({.tensor = "conv1.weight", .mode = Mode::kTrain, .step = 100});
//   if (saved.ok()) Use(run.Read(saved.value(), "conv1.weight"));

#include <memory>
#include <mutex>
#include <optional>
#include <string>
#include <vector>

#include "warden/base/status.h"
#include "warden/storage/store.h"
#include "warden/trial/tensor_value.h"
#include "warden/view/values/index_look.h"
#include "warden/view/values/mode_search.h"
#include "warden/view/values/step_catalog.h"

namespace warden::view {

// A tensor at a step, as one worker saved it: where its values are, not the values. A plain value
// that stays valid as long as the run's files.
struct SavedTensor {
  Step step = 0;  // Of the mode that was asked for.
  std::string worker;
  SavedRecords records;  // Where in the event file.
};

// Reads single tensors of a run at chosen steps, and of the run's index files only those of these
// steps: the cost does not grow with the run. trial::Trial reads them all and keeps 40 bytes of
// each record, which is right for callers that want every step. Live runs: every call looks for new
// steps. Safe for many threads.
//
// An empty worker means the first by name that saved the tensor at the step.
class RunValues {
 public:
  // folder: what a trial would be opened on; it need not exist yet. Does not fail and reads
  // nothing.
  explicit RunValues(const std::string& folder);
  // The same, with values from a store: where the folder is a copy that does not have them.
  RunValues(const std::string& folder, std::shared_ptr<const storage::Store> store);

  // A tensor at one step.
  struct At {
    std::string tensor;
    Mode mode = Mode::kGlobal;
    Step step = 0;  // Of the mode.
    std::string worker = {};
  };
  // kStepUnavailable names the nearest steps that were saved; kTensorUnavailableForStep if the step
  // has no such tensor; kInvalidWorker for a worker that wrote nothing in the run; kIo.
  Result<SavedTensor> Find(const At& at);

  // A tensor over some steps.
  struct Span {
    std::string tensor;
    Mode mode = Mode::kGlobal;
    std::string worker = {};
    std::optional<Step> from = {}, to = {};  // Steps of the mode, both included.
    size_t most = 60;                        // Steps in the result.
  };
  // The tensor at up to `most` steps, evenly over those of the span at which it was saved,
  // ascending. Where there are more steps than can be opened, gaps between the chosen ones differ,
  // and a tensor that was saved at few of them may be missed. kTensorUnavailable if it was not
  // found at all; kInvalidWorker and kIo as above.
  Result<std::vector<SavedTensor>> Sample(const Span& span);

  // The values. kTensorUnavailableForStep if no values were saved or the event file is gone,
  // kInvalid if the record is larger than 2 GiB, kCorrupt and kIo. tensor: its name, for messages.
  Result<trial::TensorValue> Read(const SavedTensor& saved, const std::string& tensor) const;
  // A saved reduction; nothing where it was not saved. Errors as Read.
  Result<std::optional<double>> ReadReduction(const SavedTensor& saved, Reduction reduction) const;

 private:
  // The steps as of now; shares what the last one knew.
  Result<std::shared_ptr<const StepCatalog>> Catalog();
  Status CheckWorker(const StepCatalog& catalog, const std::string& worker) const;
  // The tensor at a place; nothing if the step is of another mode or does not have it.
  // *reads: how many index files that took.
  std::optional<SavedTensor> LookAt(const StepCatalog& catalog, size_t place, const Span& span,
                                    size_t* reads);
  Status NoSuchStep(const StepCatalog& catalog, const At& at, size_t next);
  Result<trial::TensorValue> ReadRecord(const SavedRecords& records,
                                        const RecordRange& range) const;

  const std::shared_ptr<const storage::Store> store_;
  const std::string root_;
  ModeSearch modes_;
  std::mutex mutex_;                            // Guards catalog_.
  std::shared_ptr<const StepCatalog> catalog_;  // The last one taken.
};

}  // namespace warden::view

#endif  // WARDEN_VIEW_VALUES_RUN_VALUES_H_
