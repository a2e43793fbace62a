#ifndef WARDEN_VIEW_VALUES_MODE_SEARCH_H_
#define WARDEN_VIEW_VALUES_MODE_SEARCH_H_

#include <memory>
#include <mutex>
#include <optional>
#include <unordered_map>

#include "warden/storage/store.h"
#include "warden/trial/run_index.h"
#include "warden/view/values/step_catalog.h"

namespace warden::view {

// Finds steps by their numbers in a mode, which only index files say: by bisection, so that a
// million steps cost some twenty small reads. Remembers what it read, at most about 10 MB. Used by
// RunValues and StepSampler. Safe for many threads.
class ModeSearch {
 public:
  // store: of the run that the catalogs are of.
  explicit ModeSearch(std::shared_ptr<const storage::Store> store) : store_(std::move(store)) {}

  // What the file of the first worker says of the step; nothing if it cannot be read. REQUIRES:
  // place < catalog.size().
  std::optional<trial::ModeStep> ModeAt(const StepCatalog& catalog, size_t place);

  // The position of the first step of the mode with at least this number, size() if there is none.
  // Assumes that the steps of a mode are in the order of the global ones. A step of a third mode
  // that is far from where the others suggest is not found: searching everywhere would take as long
  // as reading the run.
  size_t FirstAtOrAfter(const StepCatalog& catalog, Mode mode, Step step);

  // The number, in the mode, of its last step before the position, if there is one within 20,000
  // steps.
  std::optional<Step> LastBefore(const StepCatalog& catalog, Mode mode, size_t place);

 private:
  // The first in [begin, end) that is at or after the step.
  std::optional<size_t> Scan(const StepCatalog& catalog, size_t begin, size_t end, Mode mode,
                             Step step);
  bool Reached(const StepCatalog& catalog, size_t place, Mode mode, Step step);

  const std::shared_ptr<const storage::Store> store_;
  std::mutex mutex_;
  std::unordered_map<Step, trial::ModeStep> known_;  // By global step.
};

}  // namespace warden::view

#endif  // WARDEN_VIEW_VALUES_MODE_SEARCH_H_
