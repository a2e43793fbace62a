#ifndef WARDEN_RULES_BASELINE_BASELINE_H_
#define WARDEN_RULES_BASELINE_BASELINE_H_

// What is normal in good runs, by tensor, statistic and phase of training, and the file that has
// it. LearnBaseline (learn.h) makes one; the rule OutsideBaseline compares a run with it.
//
//   const auto baseline = ReadBaseline("good.json");
//   if (!baseline.ok()) return baseline.status();
//   const auto phase = baseline.value().PhaseOf(step);
//   if (phase) const double far = series.Distance(*phase, value);

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "warden/base/json_fwd.h"
#include "warden/base/status.h"
#include "warden/base/types.h"
#include "warden/rules/baseline/band_statistic.h"

namespace warden::rules {

// The directions in which leaving the range is a problem.
enum class BandSide : uint8_t { kBoth, kAbove, kBelow };

// A normal range, both ends included.
struct Band {
  double low = 0;
  double high = 0;
};

// The range of one statistic of one tensor over the training.
struct BandSeries {
  BandStatistic statistic = BandStatistic::kNorm;
  BandScale scale;
  BandSide side = BandSide::kBoth;
  std::vector<std::optional<Band>> bands;  // By phase; nothing where too little was saved.

  // How far outside of its range a value is, in half widths of the range on its scale; negative
  // below it, 0 inside, on a side that does not count, and in a phase without a range. REQUIRES:
  // phase < bands.size().
  double Distance(size_t phase, double value) const;
};

struct TensorBands {
  std::string tensor;
  bool loss = false;  // A loss or a metric.
  std::vector<BandSeries> series;
};

// A run that a baseline was learned from.
struct LearnedRun {
  std::string run;      // Its folder.
  std::string command;  // Empty: not known.
  Step last_step = 0;   // In its mode.
};

// A plain value.
struct Baseline {
  double time = 0;  // When it was learned, in seconds since 1970.
  std::vector<LearnedRun> runs;
  std::vector<Step> phases;          // The first step of each, ascending from 0.
  Step last_step = 0;                // Of the longest run: later steps have no range.
  std::vector<TensorBands> tensors;  // By name.

  // The phase of a training step, counted in its mode; nothing after last_step.
  std::optional<size_t> PhaseOf(Step step) const;
};

// The first steps of the phases of a training of so many steps: two for each doubling, since
// trainings change fast at first and slowly later.
std::vector<Step> PhasesUpTo(Step last_step);

// {"format": "tensorwarden-baseline", "version": 1, ...}: see docs/formats/baseline.md.
Json ToJson(const Baseline& baseline);
// The reverse. kCorrupt names what is missing or wrong, and what is accepted.
Result<Baseline> BaselineFromJson(const Json& json);

// A file of any origin. kNotFound, or kCorrupt, with its path in front.
Result<Baseline> ReadBaseline(const std::string& path);
// Replaces the file, as a whole or not at all. kIo.
Status WriteBaseline(const std::string& path, const Baseline& baseline);

}  // namespace warden::rules

#endif  // WARDEN_RULES_BASELINE_BASELINE_H_
