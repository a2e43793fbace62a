#include "warden/view/values/mode_search.h"

#include <algorithm>

#include "warden/view/values/index_look.h"

namespace warden::view {
namespace {

constexpr size_t kMostKnown = 200'000;   // Some 10 MB.
constexpr size_t kMostScanned = 20'000;  // Some tenths of a second.

}  // namespace

std::optional<trial::ModeStep> ModeSearch::ModeAt(const StepCatalog& catalog, size_t place) {
  const Step global = catalog.StepAt(place);
  {
    const std::lock_guard lock(mutex_);
    if (const auto known = known_.find(global); known != known_.end()) return known->second;
  }
  const auto read = ReadModeStep(*store_, catalog.FilesAt(place).front().key);
  // A number below zero is none that a hook writes, and nothing could be reckoned with it.
  if (!read.ok() || read.value().step < 0) return std::nullopt;
  const std::lock_guard lock(mutex_);
  if (known_.size() >= kMostKnown) known_.clear();
  known_[global] = read.value();
  return read.value();
}

// Whether the step, or one before it, is the wanted one or a later one of the mode. A step of
// another mode tells as well: of all steps before it, those that its own mode did not take were
// taken by the others. With three modes that is too many; FirstAtOrAfter makes up for it.
bool ModeSearch::Reached(const StepCatalog& catalog, size_t place, Mode mode, Step step) {
  const auto at = ModeAt(catalog, place);
  if (!at) return false;
  if (at->mode == mode) return at->step >= step;
  return catalog.StepAt(place) - at->step > step;
}

size_t ModeSearch::FirstAtOrAfter(const StepCatalog& catalog, Mode mode, Step step) {
  if (mode == Mode::kGlobal) return catalog.PlaceOf(step);
  size_t low = 0;
  size_t high = catalog.size();
  while (low < high) {
    const size_t middle = low + (high - low) / 2;
    if (Reached(catalog, middle, mode, step)) {
      high = middle;
    } else {
      low = middle + 1;
    }
  }
  // The place is about right. Back to a step of the mode that is certainly before ...
  size_t found = catalog.size();
  for (size_t place = low; place-- > 0 && low - place < kMostScanned;) {
    const auto at = ModeAt(catalog, place);
    if (!at) continue;
    if (at->mode == mode && at->step < step) break;
    if (at->mode == mode) found = place;
    // No other mode had taken a step by then.
    if (at->mode != mode && catalog.StepAt(place) <= at->step) break;
  }
  if (found < catalog.size()) return found;
  // ... and on to the first that is not; or else among the last, where predictions are.
  const size_t scanned = std::min(catalog.size(), low + kMostScanned);
  if (const auto on = Scan(catalog, low, scanned, mode, step)) return *on;
  const size_t last = std::max(scanned, catalog.size() - std::min(catalog.size(), kMostScanned));
  return Scan(catalog, last, catalog.size(), mode, step).value_or(catalog.size());
}

std::optional<size_t> ModeSearch::Scan(const StepCatalog& catalog, size_t begin, size_t end,
                                       Mode mode, Step step) {
  for (size_t place = begin; place < end; ++place) {
    const auto at = ModeAt(catalog, place);
    if (at && at->mode == mode && at->step >= step) return place;
  }
  return std::nullopt;
}

std::optional<Step> ModeSearch::LastBefore(const StepCatalog& catalog, Mode mode, size_t place) {
  const size_t begin = place - std::min(place, kMostScanned);
  while (place-- > begin) {
    if (mode == Mode::kGlobal) return catalog.StepAt(place);
    const auto at = ModeAt(catalog, place);
    if (at && at->mode == mode) return at->step;
  }
  return std::nullopt;
}

}  // namespace warden::view
