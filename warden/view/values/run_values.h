#ifndef WARDEN_VIEW_VALUES_RUN_VALUES_H_
#define WARDEN_VIEW_VALUES_RUN_VALUES_H_

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

// A tensor at a step, as one worker saved it.
struct SavedTensor {
  Step step = 0;  // Of the mode that was asked for.
  std::string worker;
  SavedRecords records;
};

// Reads single tensors of a run at chosen steps, and of the run's index files only those of these
// steps: what it costs does not grow with the run. trial::Trial reads them all and keeps 40 bytes
// of each record, which is right for those who want every step. Live runs: every call looks for
// new steps. Safe for many threads.
//
// An empty worker means the first by name that saved the tensor at the step.
class RunValues {
 public:
  // folder: what a trial would be opened on; it need not be there yet.
  explicit RunValues(const std::string& folder);

  struct At {
    std::string tensor;
    Mode mode = Mode::kGlobal;
    Step step = 0;
    std::string worker = {};
  };
  // kStepUnavailable names the nearest steps that were saved; kTensorUnavailableForStep,
  // kInvalidWorker.
  Result<SavedTensor> Find(const At& at);

  struct Span {
    std::string tensor;
    Mode mode = Mode::kGlobal;
    std::string worker = {};
    std::optional<Step> from = {}, to = {};  // Steps of the mode, both included.
    size_t most = 60;
  };
  // The tensor at up to `most` steps, evenly over those of the span at which it was saved. Where
  // there are more steps than can be looked into, gaps between the chosen ones differ, and a tensor
  // that was saved at few of them may be missed. kTensorUnavailable if it was not found at all.
  Result<std::vector<SavedTensor>> Sample(const Span& span);

  // kTensorUnavailableForStep if no values were saved, kCorrupt and kIo.
  Result<trial::TensorValue> Read(const SavedTensor& saved, const std::string& tensor) const;
  // Nothing where it was not saved.
  Result<std::optional<double>> ReadReduction(const SavedTensor& saved, Reduction reduction) const;

 private:
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
  std::mutex mutex_;
  std::shared_ptr<const StepCatalog> catalog_;  // The last one taken.
};

}  // namespace warden::view

#endif  // WARDEN_VIEW_VALUES_RUN_VALUES_H_
