#ifndef WARDEN_TRIAL_STEP_READER_H_
#define WARDEN_TRIAL_STEP_READER_H_

#include <vector>

#include "warden/base/status.h"
#include "warden/storage/store.h"
#include "warden/trial/run_index.h"
#include "warden/trial/tensor_value.h"
#include "warden/trial/trial.h"

namespace warden::trial {

// All records of one step. Each event file is opened once and, where it lies on a local disk,
// mapped as a whole: reading a record then costs no call of the operating system. For one thread.
class StepReader {
 public:
  StepReader(const Trial* trial, Step step, ModeStep mode, std::vector<StepRecord> records)
      : trial_(trial), step_(step), mode_(mode), records_(std::move(records)) {}

  Step step() const { return step_; }  // Global.
  ModeStep mode() const { return mode_; }
  // By tensor, worker and slot. One of no length is a tensor without values: only its shape is
  // known.
  const std::vector<StepRecord>& records() const { return records_; }

  // kTensorUnavailableForStep, kCorrupt and kIo as in Trial::Value. REQUIRES: one of records().
  Result<TensorValue> Read(const StepRecord& record);

 private:
  struct File {
    FileId id = 0;
    Result<storage::Blob> content;
  };
  const Result<storage::Blob>& ContentOf(const StepRecord& record);

  const Trial* trial_;
  Step step_;
  ModeStep mode_;
  std::vector<StepRecord> records_;
  std::vector<File> files_;  // One for each worker.
};

}  // namespace warden::trial

#endif  // WARDEN_TRIAL_STEP_READER_H_
