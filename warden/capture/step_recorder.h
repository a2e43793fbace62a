#ifndef WARDEN_CAPTURE_STEP_RECORDER_H_
#define WARDEN_CAPTURE_STEP_RECORDER_H_

#include <bitset>
#include <cstdint>
#include <deque>
#include <span>
#include <string>
#include <string_view>

#include "warden/base/reduction.h"
#include "warden/base/status.h"
#include "warden/base/types.h"
#include "warden/capture/writer.h"
#include "warden/format/index_file.h"
#include "warden/stats/tensor_ref.h"

namespace warden::capture {

// What is to be kept of one tensor at one step: the union of what its due collections ask for.
struct SavePlan {
  std::bitset<Reduction::kCount> reductions;
  bool raw = false;
  bool shape = false;
  bool scalar = false;                    // Shown as a curve in TensorBoard.
  std::string_view histogram_collection;  // Empty: no histogram.
};

struct StepIdentity {
  Step step = 0;
  Mode mode = Mode::kGlobal;
  Step mode_step = 0;
  std::string_view worker;
};

// Turns what is saved in one step into the bytes of its files: records are laid out and handed to
// the writer as they come, the index and the TensorBoard records are gathered until the end.
class StepRecorder {
 public:
  // original_types_only: see HookOptions. strip_colons: see format::ReductionTensorName.
  struct Options {
    bool original_types_only = false;
    bool strip_colons = true;
    bool tensorboard = false;
  };
  // writer outlives the recorder.
  StepRecorder(const StepIdentity& identity, const Options& options, Writer* writer);

  struct Outcome {
    int saved = 0;    // Records.
    int dropped = 0;  // The writer was full.
    int failed = 0;   // Could not be computed or encoded.
    uint64_t bytes = 0;
  };
  Outcome Save(std::string_view tensor, const stats::TensorRef& value, const SavePlan& plan);
  Outcome SaveStrings(std::string_view tensor, std::span<const std::string> values);
  Outcome SaveScalar(std::string_view tensor, double value);

  // Ends the event file, if one was begun. Nothing may be saved afterwards.
  void Finish();
  // What belongs beside it; empty if there is nothing to say.
  std::string IndexText() const;
  const std::string& tensorboard_records() const { return tensorboard_; }
  const StepIdentity& identity() const { return identity_; }

 private:
  void WriteRecord(std::string_view name, const stats::TensorRef& value, Outcome* outcome);
  bool Admit(Outcome* outcome);
  void AddEntry(std::string_view name, uint64_t length, Outcome* outcome);
  void SaveReductions(std::string_view tensor, const stats::TensorRef& value, const SavePlan& plan,
                      Outcome* outcome);
  void AddHistogram(std::string_view tensor, const stats::TensorRef& value, const SavePlan& plan);

  const StepIdentity identity_;
  const Options options_;
  Writer* const writer_;
  const std::string event_file_;
  const double wall_time_;

  uint64_t offset_ = 0;            // Of the next record; 0: the file has not been begun.
  std::deque<std::string> names_;  // Keeps alive what the index entries view.
  format::IndexFile index_;
  std::string tensorboard_;
  std::string head_, tail_;  // Reused from record to record.
};

}  // namespace warden::capture

#endif  // WARDEN_CAPTURE_STEP_RECORDER_H_
