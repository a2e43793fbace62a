#ifndef WARDEN_VIEW_SERIES_STEP_FILE_READER_H_
#define WARDEN_VIEW_SERIES_STEP_FILE_READER_H_

#include <cstdint>
#include <memory>
#include <optional>
#include <stop_token>
#include <string>
#include <vector>

#include "warden/base/status.h"
#include "warden/format/event.h"
#include "warden/format/index_file.h"
#include "warden/storage/store.h"
#include "warden/view/series/step_data.h"
#include "warden/view/series/tensor_names.h"

namespace warden::view {

// Reads what one worker saved in one step, and makes numbers of it: of tensors of one element their
// value, of larger ones statistics in one pass. For one thread.
class StepFileReader {
 public:
  explicit StepFileReader(const storage::Store* store) : store_(store) {}

  struct What {
    std::string index_key;
    Step step = 0;
    bool large = true;  // Whether tensors whose values take more than kLarge bytes are read.
  };
  static constexpr uint64_t kLarge = 64 << 10;

  // kUnavailable if the event file is not there. A record that cannot be used is a problem; the
  // others are told. Whatever it tells has to be used, since new tensors are told once.
  Result<StepData> Read(const What& what, const std::stop_token& stop);

  // Bytes of values of large tensors that were read so far.
  uint64_t large_bytes() const { return large_bytes_; }

 private:
  // A stretch of the event file that was read at once.
  struct Window {
    uint64_t start = 0;
    storage::Blob blob;
  };
  // What was told of a tensor.
  struct Told {
    std::optional<DType> dtype;
    std::optional<std::vector<int64_t>> shape;
  };

  Result<std::shared_ptr<const storage::Object>> OpenEvents(const format::IndexFile& index) const;
  void ReadRecords(const What& what, const format::IndexFile& index, const storage::Object& events,
                   const std::stop_token& stop);
  Status ReadRecord(const What& what, size_t place, const format::IndexEntry& entry,
                    const storage::Object& events);
  Result<Bytes> BytesOf(const format::IndexEntry& entry, const storage::Object& events);
  Status AddReduction(TensorId tensor, Statistic reduction, const format::EventValue& value);
  Status AddValues(TensorId tensor, const format::EventValue& value);
  void AddShapes(const format::IndexFile& index);
  void Describe(const TensorNames::Meaning& meaning, std::optional<DType> dtype,
                const std::vector<int64_t>* shape);
  void AddProblem(const std::string& file, std::optional<uint64_t> offset, const Status& status);
  void Finish();

  const storage::Store* store_;
  format::IndexParser parser_;
  TensorNames names_;
  std::vector<Told> told_;
  uint64_t large_bytes_ = 0;

  // Of the step that is being read.
  StepData data_;
  Window window_;
  std::vector<Cell> saved_reductions_;
  size_t problems_ = 0;
};

}  // namespace warden::view

#endif  // WARDEN_VIEW_SERIES_STEP_FILE_READER_H_
