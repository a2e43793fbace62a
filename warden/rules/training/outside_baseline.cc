#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <filesystem>
#include <set>
#include <string>
#include <unordered_map>
#include <utility>

#include "warden/base/strings.h"
#include "warden/rules/baseline/baseline.h"
#include "warden/rules/baseline/learn.h"
#include "warden/rules/running_window.h"
#include "warden/rules/training/training_rules.h"

namespace warden::rules {
namespace {

constexpr size_t kMostNamed = 3;

// The last distances of one statistic of one tensor from its range.
class RecentDistances {
 public:
  void Add(double distance, size_t window) {
    if (distances_.size() == window) distances_.erase(distances_.begin());
    distances_.push_back(distance);
  }
  size_t size() const { return distances_.size(); }

  // The usual one of those on one side, if they are at least this share of all; else 0. The sign
  // says on which side.
  double Sustained(double share) const {
    for (const double sign : {1.0, -1.0}) {
      std::vector<double> outside;
      for (const double distance : distances_) {
        if (distance * sign > 0) outside.push_back(distance);
      }
      if (outside.empty() ||
          static_cast<double>(outside.size()) < share * static_cast<double>(distances_.size())) {
        continue;
      }
      const auto middle = outside.begin() + std::ssize(outside) / 2;
      std::nth_element(outside.begin(), middle, outside.end());
      return *middle;
    }
    return 0;
  }

 private:
  std::vector<double> distances_;
};

// A tensor that is outside of its range, with the statistic that is furthest outside.
struct OutsideTensor {
  const TensorBands* tensor = nullptr;
  const BandSeries* series = nullptr;
  double distance = 0;  // Signed.
  double value = 0;     // The newest.
  Band band;            // At that step.
};

class OutsideBaselineRule : public Rule {
 public:
  OutsideBaselineRule(const Params& params, Baseline baseline)
      : baseline_(std::move(baseline)),
        window_(static_cast<size_t>(params.Integer("window"))),
        min_steps_(static_cast<size_t>(params.Integer("min_steps"))),
        share_(params.Number("share")),
        tensors_(params.Number("tensors")),
        far_(params.Number("far")) {
    for (const TensorBands& tensor : baseline_.tensors) by_name_.emplace(tensor.tensor, &tensor);
  }

  std::vector<Selector> inputs() const override { return BaselineInputs(); }

  Status Evaluate(const StepView& step, Verdicts* verdicts) override {
    if (!step.IsTraining()) return Status();
    const auto phase = baseline_.PhaseOf(step.mode_step());
    if (!phase) {
      verdicts->Note(fmt::format("the good runs end at step {}; later steps are not compared",
                                 baseline_.last_step));
      return Status();
    }
    for (TensorView* tensor : step.Input(0)) {
      if (worker_.empty()) worker_ = tensor->worker();
      if (tensor->worker() == worker_) Compare(*tensor, *phase);
    }
    if (states_.empty()) {
      verdicts->TooLittle(
          fmt::format("none of the saved tensors is in the baseline, learned from {}", RunsText()));
      return Status();
    }
    Report(verdicts);
    return Status();
  }

 private:
  struct State {
    std::vector<RecentDistances> distances;  // By series.
    std::vector<double> values;              // The newest of each.
    std::vector<Band> bands;
  };

  void Compare(TensorView& tensor, size_t phase) {
    const auto found = by_name_.find(tensor.name());
    if (found == by_name_.end()) return;
    const TensorBands& known = *found->second;
    State& state = states_[&known];
    state.distances.resize(known.series.size());
    state.values.resize(known.series.size());
    state.bands.resize(known.series.size());
    for (size_t i = 0; i < known.series.size(); ++i) {
      const BandSeries& series = known.series[i];
      if (!series.bands[phase]) continue;
      const auto value = Measure(tensor, series.statistic);
      if (!value) continue;
      state.distances[i].Add(series.Distance(phase, *value), window_);
      state.values[i] = *value;
      state.bands[i] = *series.bands[phase];
    }
  }

  // The worst first. *compared: how many tensors have been seen often enough.
  std::vector<OutsideTensor> FindOutside(size_t* compared) const {
    std::vector<OutsideTensor> outside;
    *compared = 0;
    for (const auto& [tensor, state] : states_) {
      OutsideTensor worst;
      bool enough = false;
      for (size_t i = 0; i < state.distances.size(); ++i) {
        if (state.distances[i].size() < min_steps_) continue;
        enough = true;
        const double distance = state.distances[i].Sustained(share_);
        if (std::abs(distance) <= std::abs(worst.distance)) continue;
        worst = {tensor, &tensor->series[i], distance, state.values[i], state.bands[i]};
      }
      *compared += enough ? 1 : 0;
      if (worst.tensor != nullptr) outside.push_back(worst);
    }
    std::sort(outside.begin(), outside.end(), [](const OutsideTensor& a, const OutsideTensor& b) {
      if (std::abs(a.distance) != std::abs(b.distance)) {
        return std::abs(a.distance) > std::abs(b.distance);
      }
      return a.tensor->tensor < b.tensor->tensor;
    });
    return outside;
  }

  void Report(Verdicts* verdicts) {
    size_t compared = 0;
    const std::vector<OutsideTensor> outside = FindOutside(&compared);
    if (compared == 0) {
      verdicts->TooLittle(fmt::format("needs {} steps with statistics", min_steps_));
      return;
    }
    // Among many tensors some leave their ranges by chance.
    const bool loss = std::any_of(outside.begin(), outside.end(),
                                  [](const OutsideTensor& one) { return one.tensor->loss; });
    const bool far = !outside.empty() && std::abs(outside.front().distance) >= far_;
    const bool many =
        static_cast<double>(outside.size()) >= tensors_ * static_cast<double>(compared);
    // Once found it is over when all are back.
    const bool fires = !outside.empty() && (loss || far || many || is_open_);
    is_open_ = fires;
    if (fires) verdicts->FireRun("", "", EvidenceOf(outside, compared));
    verdicts->HealthyRun();
  }

  Evidence EvidenceOf(const std::vector<OutsideTensor>& outside, size_t compared) const {
    const OutsideTensor& worst = outside.front();
    std::string list;
    for (size_t i = 0; i < outside.size() && i < kMostNamed; ++i) {
      const OutsideTensor& one = outside[i];
      const bool single = one.series->statistic == BandStatistic::kValue;
      list += fmt::format("{}{} {}{:.3g} (usual {:.3g} to {:.3g})", i == 0 ? "" : ", ",
                          one.tensor->tensor,
                          single ? "" : fmt::format("{} ", TitleOf(one.series->statistic)),
                          one.value, one.band.low, one.band.high);
    }
    return {worst.value, worst.distance > 0 ? worst.band.high : worst.band.low,
            fmt::format("{} of {} tensors outside the range of {}, worst: {}", outside.size(),
                        compared, RunsText(), list)};
  }

  // "3 good runs", "the good run train-1".
  std::string RunsText() const {
    if (baseline_.runs.size() != 1) return fmt::format("{} good runs", baseline_.runs.size());
    const std::filesystem::path run =
        std::filesystem::path(baseline_.runs.front().run).lexically_normal();
    return fmt::format("the good run {}",
                       (run.has_filename() ? run : run.parent_path()).filename().string());
  }

  const Baseline baseline_;
  const size_t window_;
  const size_t min_steps_;
  const double share_;
  const double tensors_;
  const double far_;
  std::unordered_map<std::string, const TensorBands*, StringHash, std::equal_to<>> by_name_;
  std::unordered_map<const TensorBands*, State> states_;
  std::string worker_;  // Whose tensors count: the first that saved one.
  bool is_open_ = false;
};

// A file, or the folders of good runs.
Result<Baseline> BaselineFrom(const std::vector<std::string>& names) {
  std::error_code error;
  if (names.size() == 1 && !std::filesystem::is_directory(names[0], error)) {
    return ReadBaseline(names[0]);
  }
  return LearnBaseline(names, nullptr);
}

Result<std::unique_ptr<Rule>> MakeOutsideBaseline(const Params& params) {
  if (params.List("baseline").empty()) {
    return params.Refuse("no baseline to compare with; set baseline");
  }
  if (Status status = CheckWindow(params); !status.ok()) return status;
  auto baseline = BaselineFrom(params.List("baseline"));
  if (!baseline.ok()) return params.Refuse(baseline.status().message());
  return std::unique_ptr<Rule>(
      std::make_unique<OutsideBaselineRule>(params, std::move(baseline.value())));
}

}  // namespace

RuleEntry OutsideBaseline() {
  static constexpr Param kParams[] = {
      {"baseline", ParamType::kNames, "",
       "Baseline file of 'warden baseline learn', or folders of good runs"},
      {"window", ParamType::kInteger, "10", "Number of recent steps with statistics to check", 1,
       10000},
      {"min_steps", ParamType::kInteger, "8",
       "Steps with statistics needed before the first check of a tensor", 1, 10000},
      {"share", ParamType::kNumber, "0.8",
       "Share of recent steps at which a tensor has to be outside its range, on one side", 0.01, 1},
      {"tensors", ParamType::kNumber, "0.25",
       "Share of tensors that have to be outside; one loss is enough", 0, 1},
      {"far", ParamType::kNumber, "2",
       "A single tensor is enough if it is this many half widths outside its range", 0}};
  static constexpr RuleSpec kSpec{
      "OutsideBaseline", "Losses or tensors leave the range that they had in good runs.",
      "Compare this run with the good ones: data, learning rate, batch size, library versions. If "
      "the change is intended, learn a new baseline from runs that have it.",
      kParams};
  return {&kSpec, MakeOutsideBaseline};
}

}  // namespace warden::rules
