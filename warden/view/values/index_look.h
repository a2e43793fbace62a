#ifndef WARDEN_VIEW_VALUES_INDEX_LOOK_H_
#define WARDEN_VIEW_VALUES_INDEX_LOOK_H_

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

// Where a record lies in its event file.
struct RecordRange {
  uint64_t start = 0;
  uint64_t length = 0;
};

// What one worker saved of a tensor in one step.
struct SavedRecords {
  trial::ModeStep mode;
  std::string event_file;
  std::optional<RecordRange> raw = {};  // None: only reductions or the shape were saved.
  std::vector<std::pair<Reduction, RecordRange>> reductions = {};
};

// What single index files say. Errors are those of the store and of format::IndexParser, with the
// file's place in front.

// Reads only the beginning, where every writer puts it, unless it is not there.
Result<trial::ModeStep> ReadModeStep(const storage::Store& store, const std::string& key);

// Nothing if the file says nothing of the tensor.
Result<std::optional<SavedRecords>> ReadSavedRecords(const storage::Store& store,
                                                     const std::string& key,
                                                     std::string_view tensor);

}  // namespace warden::view

#endif  // WARDEN_VIEW_VALUES_INDEX_LOOK_H_
