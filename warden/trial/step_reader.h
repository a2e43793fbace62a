#ifndef WARDEN_TRIAL_STEP_READER_H_
#define WARDEN_TRIAL_STEP_READER_H_

#include <optional>
#include <vector>

#include "warden/base/status.h"
#include "warden/storage/store.h"
#include "warden/trial/run_index.h"
#include "warden/trial/tensor_value.h"
#include "warden/trial/trial.h"

namespace warden::trial {

// All records of one step, for those who want most of them: rules. Each event file is opened once
// and, where it lies on a local disk, mapped as a whole: reading a record then costs no call of the
// operating system. For one thread; several readers of one trial may work at the same time.
//
//   StepReader reader = trial->ReaderOf(step);
//   for (const StepRecord& record : reader.records()) {
//     const Result<TensorValue> value = reader.Read(record);
//     ... trial->TensorName(record.tensor) ...
//   }
class StepReader {
 public:
  // Use Trial::ReaderOf. trial outlives this; the records are those of the moment.
  StepReader(const Trial* trial, Step step, ModeStep mode, std::vector<StepRecord> records)
      : trial_(trial), step_(step), mode_(mode), records_(std::move(records)) {}

  Step step() const { return step_; }  // Global.
  // The step in its mode; of an unknown step, kGlobal and the step itself.
  ModeStep mode() const { return mode_; }
  // By tensor, worker and slot. One of no length is a tensor without values: only its shape is
  // known.
  const std::vector<StepRecord>& records() const { return records_; }

  // The values of a record, or the number of a saved reduction. The value keeps its file mapped, so
  // that it may outlive the reader. kTensorUnavailableForStep if only the shape was saved or the
  // event file is missing; kCorrupt, kTruncated, kInvalidType and kIo as in Trial::Value. May wait
  // for an event file as that does. REQUIRES: one of records().
  Result<TensorValue> Read(const StepRecord& record);

  // When the step was saved, in seconds since 1970; nothing if no record says so. Reads the
  // smallest record alone.
  std::optional<double> WallTime() const;

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
