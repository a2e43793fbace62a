#ifndef WARDEN_CAPTURE_STEP_RECORDER_H_
#define WARDEN_CAPTURE_STEP_RECORDER_H_

#include <cstdint>
#include <deque>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>

#include "warden/base/reduction.h"
#include "warden/base/status.h"
#include "warden/base/types.h"
#include "warden/capture/save_plan.h"
#include "warden/format/index_file.h"
#include "warden/stats/summary.h"
#include "warden/stats/tensor_ref.h"
#include "warden/storage/store.h"

namespace warden::capture {

// Writes what is saved in one step: records go into the event file as they come, the index and the
// TensorBoard records are gathered until the end. For one thread. An error is of the store, and the
// recorder is of no further use after it; a tensor that cannot be saved is only logged and counted.
// Used by Writer, and by the Python package for single files.
//
//   StepRecorder recorder(identity, options, store);
//   Status status = recorder.Save("fc.weight", tensor, plan);
//   if (status.ok()) status = recorder.Finish();
//   if (status.ok()) status = store->Put(index_key, AsBytes(recorder.IndexText()));
//
// The caller puts the index file itself, after everything else: it makes the step visible. Without
// Finish nothing of the step is left in the store.
class StepRecorder {
 public:
  struct Options {
    std::string worker;                // The API's name; see format::EventFileKey.
    bool original_types_only = false;  // See HookOptions.
    bool strip_colons = true;          // See format::ReductionTensorName.
    bool tensorboard = false;
    bool checksums = true;  // The index file has one of the event file and one of its own.
  };
  // store and options outlive the recorder. The event file is begun with the first large write.
  StepRecorder(const StepIdentity& identity, const Options& options, storage::Store* store);

  // Writes what the plan asks for. summary: of value, if it is known already. value.data may be
  // null if neither values, a histogram nor a curve are to be saved then. Names are copied, and
  // value is not referred to afterwards. A tensor without elements is saved as a shape at most.
  Status Save(std::string_view tensor, const stats::TensorRef& value, const SavePlan& plan,
              const stats::Summary* summary = nullptr);
  // Reductions that somebody else has computed of a tensor of this type, one value for each. They
  // are written in single precision if the type has no more, else in double.
  Status SaveReductions(std::string_view tensor, DType dtype, std::span<const Reduction> reductions,
                        std::span<const double> values);
  // A one-dimensional tensor of strings; nothing if there are none.
  Status SaveStrings(std::string_view tensor, std::span<const std::string> values);
  // A float64 tensor of one element, and a point of a curve in TensorBoard.
  Status SaveScalar(std::string_view tensor, double value);

  // Makes the event file visible, if one was begun. Nothing may be saved afterwards.
  Status Finish();
  // The text of the index file, after Finish; empty if nothing was saved.
  std::string IndexText() const;
  const std::string& tensorboard_records() const { return tensorboard_; }
  const StepIdentity& identity() const { return identity_; }

  // The first in the step, if there is one.
  const std::optional<NotFinite>& first_not_finite() const { return first_not_finite_; }

  uint64_t saved() const { return index_.entries.size(); }  // Records.
  uint64_t failed() const { return failed_; }               // Could not be computed or encoded.
  uint64_t bytes() const { return offset_; }                // Of all records.

 private:
  Status WriteRecord(std::string_view name, const stats::TensorRef& value);
  Status WriteReduction(std::string_view tensor, DType dtype, Reduction reduction, double value);
  Status WriteReductions(std::string_view tensor, const stats::TensorRef& value,
                         const SavePlan& plan, const stats::Summary* summary);
  void AddToTensorBoard(std::string_view tensor, const stats::TensorRef& value,
                        const SavePlan& plan);
  void AddEntry(std::string_view name, uint64_t length);
  Status FlushBuffer();
  // To the event file, which has been begun.
  Status Append(Bytes bytes);

  const StepIdentity identity_;
  const Options& options_;
  storage::Store* const store_;
  const std::string event_file_;

  std::unique_ptr<storage::ObjectWriter> file_;  // None until there is something to write.
  std::string buffer_;                           // Small records, gathered for one write call.
  uint64_t offset_ = 0;                          // Of the next record.
  uint32_t crc_ = 0;                             // CRC-32C of what was written.
  uint64_t failed_ = 0;
  std::deque<std::string> names_;  // Keeps alive what the index entries view.
  format::IndexFile index_;
  std::string tensorboard_;
  std::optional<NotFinite> first_not_finite_;
  std::string tail_;  // Reused from record to record.
};

}  // namespace warden::capture

#endif  // WARDEN_CAPTURE_STEP_RECORDER_H_
