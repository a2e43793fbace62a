#ifndef WARDEN_VIEW_VALUES_INDEX_LOOK_H_
#define WARDEN_VIEW_VALUES_INDEX_LOOK_H_

// What single index files say, without reading others. Used by RunValues and ModeSearch, which
// answer questions about one tensor and step of a run that was not opened as a whole. Errors are
// those of the store and of format::IndexParser (kBadIndex), with the file's place in front. Both
// functions are safe for many threads.

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "warden/base/reduction.h"
#include "warden/base/status.h"
#include "warden/storage/store.h"
#include "warden/trial/run_index.h"

namespace warden::view {

// Where a record lies in its event file, in bytes.
struct RecordRange {
  uint64_t start = 0;
  uint64_t length = 0;
};

// What one worker saved of a tensor in one step.
struct SavedRecords {
  trial::ModeStep mode;                 // Of the step.
  std::string event_file;               // Its key in the store.
  std::optional<RecordRange> raw = {};  // None: only reductions or the shape were saved.
  std::vector<std::pair<Reduction, RecordRange>> reductions = {};
};

// The mode of a step and its number in it. Reads only the beginning of the file, where every writer
// puts it, unless it is not there. key: of the index file. 512 bytes are enough for every writer
// that we know; a file that is different is read whole.
Result<trial::ModeStep> ReadModeStep(const storage::Store& store, const std::string& key);

// Where the tensor's records are; nothing if the file does not mention the tensor. A file in which
// the name does not occur as text is not parsed: most files of a search are such.
Result<std::optional<SavedRecords>> ReadSavedRecords(const storage::Store& store,
                                                     const std::string& key,
                                                     std::string_view tensor);

}  // namespace warden::view

#endif  // WARDEN_VIEW_VALUES_INDEX_LOOK_H_
