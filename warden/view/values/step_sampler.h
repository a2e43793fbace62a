#ifndef WARDEN_VIEW_VALUES_STEP_SAMPLER_H_
#define WARDEN_VIEW_VALUES_STEP_SAMPLER_H_

// Finds a hundred values of one tensor in a run of a million steps without reading all index files.
// It relies on what hooks do, saving every n steps of a mode, but checks each guess.

#include <functional>
#include <optional>
#include <utility>
#include <vector>

#include "warden/view/values/mode_search.h"
#include "warden/view/values/run_values.h"
#include "warden/view/values/step_catalog.h"

namespace warden::view {

// Chooses, of the positions at which a tensor was saved, some that lie evenly, without opening more
// than some thousand index files. Made by RunValues::Sample for one query. For one thread.
class StepSampler {
 public:
  // Opens the files of a position; nothing if the tensor was not saved there. *reads: how many
  // files that took.
  using Look = std::function<std::optional<SavedTensor>(size_t place, size_t* reads)>;

  // catalog and modes are not owned and outlive this. mode: of the steps that are wanted; kGlobal:
  // all.
  StepSampler(const StepCatalog& catalog, ModeSearch* modes, Mode mode, Look look)
      : catalog_(catalog), modes_(modes), mode_(mode), look_(std::move(look)) {}

  // Up to `most` in [begin, end), ascending. If the stretch is short enough to look at all of it,
  // the first and the last are among them; else each comes from another part of the stretch, and a
  // tensor that was saved at few steps may be missed. Opens at most about 8000 files for a stretch
  // of up to 4096 positions, and 4096 for a longer one. The last step in the rhythm is among the
  // result, since it is what people wait for in a live run.
  std::vector<SavedTensor> Take(size_t begin, size_t end, size_t most);

 private:
  // Tensors are usually saved every n steps of a mode: that mode, the first step that was found,
  // and how far the next one was.
  struct Rhythm {
    Mode mode = Mode::kGlobal;
    Step first = 0;
    Step interval = 1;
  };

  // Of a short stretch: every position. Of a long one: by the rhythm, one from each part.
  std::vector<SavedTensor> TakeAll(size_t begin, size_t end);
  std::vector<SavedTensor> TakeParts(size_t begin, size_t end, size_t most);
  // The rhythm of the tensor in the stretch; nothing if it was not found with a share of the reads.
  // Tries the beginning of the stretch, and then the first step of each mode: what is saved in EVAL
  // only may begin late.
  std::optional<Rhythm> Learn(size_t begin, size_t end);
  std::optional<Rhythm> LearnFrom(size_t begin, size_t end);
  // The place of the next step in the rhythm.
  std::optional<size_t> NextInRhythm(const Rhythm& rhythm, Step step);
  // Calls look_ and counts its reads.
  std::optional<SavedTensor> LookAt(size_t place);

  const StepCatalog& catalog_;
  ModeSearch* const modes_;
  const Mode mode_;  // Of the steps that are wanted.
  const Look look_;
  size_t reads_left_ = 0;  // Index files that may still be opened.
};

}  // namespace warden::view

#endif  // WARDEN_VIEW_VALUES_STEP_SAMPLER_H_
