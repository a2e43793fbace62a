#ifndef WARDEN_VIEW_SERIES_STEP_FILE_READER_H_
#define WARDEN_VIEW_SERIES_STEP_FILE_READER_H_

// From files to numbers: the part of RunSeries that touches the disk. One object per run, since it
// knows which names were told before.

#include <cstdint>
#include <memory>
#include <optional>
#include <stop_token>
#include <string>
#include <vector>

#include "warden/base/status.h"
#include "warden/format/event_message.h"
#include "warden/format/index_file.h"
#include "warden/storage/store.h"
#include "warden/view/series/step_data.h"
#include "warden/view/series/tensor_names.h"

namespace warden::view {

// Reads what one worker saved in one step, and makes numbers of it: the value of tensors of one
// element, and statistics in one pass of larger ones. Used by RunSeries. For one thread.
//
// These statistics are minimum, maximum, mean, deviation, sum and both norms, minimum, maximum,
// mean and deviation of the absolute values, and the shares of NaN, infinities and zeros, rounded
// to the tensor's own type. Reductions that the hook saved win over what is computed.
class StepFileReader {
 public:
  // store: not owned, outlives this.
  explicit StepFileReader(const storage::Store* store) : store_(store) {}

  // What to read. Strings and complex numbers are listed, but have no numbers.
  struct What {
    std::string index_key;  // Of the index file in the store.
    Step step = 0;          // Global; goes into the result.
    bool large = true;      // Whether tensors whose values take more than kLarge bytes are read.
  };
  // A record of more bytes counts as large.
  static constexpr uint64_t kLarge = 64 << 10;

  // kUnavailable if the event file is not there yet, kBadIndex if the index file is not usable, and
  // the errors of the store. A record that cannot be used is a problem in the result; the others
  // are read. The result has to be used, since names of new tensors are in it only once. `stop`
  // ends it early, with what was read by then. A record of more than 2 GB is a problem and is not
  // read: that cannot be stopped halfway, and nobody writes such. At most four problems of a file
  // are kept, with the number of the others.
  Result<StepData> Read(const What& what, const std::stop_token& stop);

  // Bytes of large records that were read so far.
  uint64_t large_bytes() const { return large_bytes_; }

 private:
  // A stretch of the event file that was read at once. 127 KB, unless a record is larger: longer
  // stretches would be mapped, which costs more than to copy.
  struct Window {
    uint64_t start = 0;
    storage::Blob blob;
  };
  // What earlier results said of a tensor.
  struct Told {
    std::optional<DType> dtype;
    std::optional<std::vector<int64_t>> shape;
  };

  // kUnavailable if the file that the index names is not there.
  Result<std::shared_ptr<const storage::Object>> OpenEvents(const format::IndexFile& index) const;
  // All records in the order in which they lie in the file, each an own problem if it fails.
  void ReadRecords(const What& what, const format::IndexFile& index, const storage::Object& events,
                   const std::stop_token& stop);
  // One record, into data_ or saved_reductions_. kTruncated if the file is too short so far.
  Status ReadRecord(const What& what, size_t place, const format::IndexEntry& entry,
                    const storage::Object& events);
  // The bytes of a record; valid until the next call. Reads ahead, so that small records share a
  // read.
  Result<Bytes> BytesOf(const format::IndexEntry& entry, const storage::Object& events);
  // A reduction that the hook saved: its first element counts.
  Status AddReduction(TensorId tensor, Statistic reduction, const format::EventValue& value);
  // The value of one element, or statistics of many. Strings and complex numbers have none.
  Status AddValues(TensorId tensor, const format::EventValue& value);
  // Tensors of which only the shape was saved.
  void AddShapes(const format::IndexFile& index);
  // Adds what was not in earlier results: name, type, shape.
  void Describe(const TensorNames::Meaning& meaning, std::optional<DType> dtype,
                const std::vector<int64_t>* shape);
  void AddProblem(const std::string& file, std::optional<uint64_t> offset, const Status& status);
  // Sorts cells and tensors, and removes duplicates.
  void Finish();

  const storage::Store* store_;
  format::IndexParser parser_;  // Reused, since it keeps its buffers.
  TensorNames names_;
  std::vector<Told> told_;  // By TensorId.
  uint64_t large_bytes_ = 0;

  // Of the step that is being read.
  StepData data_;
  Window window_;
  std::vector<Cell> saved_reductions_;  // Win over what is computed from values.
  size_t problems_ = 0;                 // Also those beyond what data_ holds.
};

}  // namespace warden::view

#endif  // WARDEN_VIEW_SERIES_STEP_FILE_READER_H_
