#ifndef WARDEN_VIEW_SERIES_TENSOR_NAMES_H_
#define WARDEN_VIEW_SERIES_TENSOR_NAMES_H_

// From names of records to small numbers, fast: a step of a large model has thousands of records,
// and a run has thousands of steps.

#include <functional>
#include <optional>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "warden/base/strings.h"
#include "warden/view/series/step_data.h"

namespace warden::view {

// Numbers for the tensors of a run, in the order in which they are first seen, and the meaning of
// the names of records. Used by StepFileReader. For one thread.
class TensorNames {
 public:
  // More than any model has; a run with a new name for everything must not fill the memory.
  static constexpr size_t kMost = 200'000;

  // What a record holds: the values of a tensor, or one of its reductions.
  struct Meaning {
    TensorId tensor = 0;
    std::optional<Statistic> reduction;  // None: the values.
    bool is_new = false;                 // The tensor was not known before this call.
  };
  // Of the record with that name at that position in its step. Nothing if there are kMost tensors
  // and this is another. The position only makes it faster. A record at the same position as in the
  // step before is found by one comparison; "smdebug/reductions/mean/x" is taken apart only once.
  std::optional<Meaning> Resolve(size_t place, std::string_view record);
  // Of the tensor of that name itself; added if it is new. Nothing as above. One look-up in a hash
  // table.
  std::optional<Meaning> Intern(std::string_view tensor);

  // Valid as long as this object. REQUIRES: tensor < size().
  std::string_view NameOf(TensorId tensor) const { return *names_[tensor]; }
  size_t size() const { return names_.size(); }

 private:
  // Steps of one kind have the same records in the same order, so that a look at the step before
  // nearly always tells.
  struct Remembered {
    std::string record;
    Meaning meaning;
  };
  std::vector<Remembered> remembered_;  // By position in the step.
  std::unordered_map<std::string, TensorId, StringHash, std::equal_to<>> ids_;
  std::vector<const std::string*> names_;  // The keys of ids_.
};

}  // namespace warden::view

#endif  // WARDEN_VIEW_SERIES_TENSOR_NAMES_H_
