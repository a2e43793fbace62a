#include "warden/view/series/tensor_list.h"

#include <algorithm>
#include <set>
#include <utility>

#include "warden/view/series/curve.h"

namespace warden::view {
namespace {

TensorSummary Summarise(const TensorEntry& tensor, const std::vector<std::string>& collections,
                        size_t steps) {
  TensorSummary summary;
  summary.name = tensor.name;
  if (tensor.dtype) summary.dtype = DTypeName(*tensor.dtype);
  summary.shape = tensor.shape;
  for (const uint32_t place : tensor.collections) {
    summary.collections.push_back(collections[place]);
  }
  std::set<Mode> modes;
  std::vector<std::pair<WorkerId, int64_t>> by_worker;
  bool any = false;
  for (const Saved& saved : tensor.saved) {
    if (saved.steps <= 0) continue;
    modes.insert(saved.mode);
    summary.first = any ? std::min(summary.first, saved.first) : saved.first;
    summary.last = any ? std::max(summary.last, saved.last) : saved.last;
    any = true;
    auto of_worker =
        std::ranges::find(by_worker, saved.worker, &std::pair<WorkerId, int64_t>::first);
    if (of_worker == by_worker.end()) of_worker = by_worker.insert(of_worker, {saved.worker, 0});
    of_worker->second += saved.steps;
    summary.steps = std::max(summary.steps, of_worker->second);
  }
  summary.steps = std::min(summary.steps, static_cast<int64_t>(steps));
  summary.modes.assign(modes.begin(), modes.end());
  summary.statistics = StatisticsOf(tensor);
  return summary;
}

}  // namespace

std::vector<TensorSummary> ListTensors(const RunSeries& run) {
  return run.With([&](const Table& table) {
    std::vector<TensorSummary> list;
    list.reserve(table.tensors().size());
    for (const TensorEntry& tensor : table.tensors()) {
      list.push_back(Summarise(tensor, table.collections(), table.axis().size()));
    }
    return list;
  });
}

std::vector<Mode> ModesOf(const RunSeries& run) {
  return run.With([](const Table& table) {
    std::set<Mode> modes;
    for (const AxisStep& step : table.axis().steps()) {
      if (step.mode) modes.insert(*step.mode);
    }
    return std::vector<Mode>(modes.begin(), modes.end());
  });
}

std::vector<std::string> WorkersOf(const RunSeries& run) {
  std::vector<std::string> workers = run.With([](const Table& table) { return table.workers(); });
  std::ranges::sort(workers);
  return workers;
}

SavedTimes TimesOf(const RunSeries& run, Mode mode) {
  std::vector<std::pair<double, double>> found;
  run.With([&](const Table& table) {
    for (const AxisStep& step : table.axis().steps()) {
      if (!step.mode || (mode != Mode::kGlobal && step.mode != mode)) continue;
      const Step shown = mode == Mode::kGlobal ? step.step : step.mode_step;
      found.emplace_back(static_cast<double>(shown), step.time);
    }
  });
  using Pair = std::pair<double, double>;
  if (!std::ranges::is_sorted(found, {}, &Pair::first)) {
    std::ranges::sort(found, {}, &Pair::first);
  }
  SavedTimes times;
  for (const auto& [step, time] : found) {
    times.steps.push_back(step);
    times.times.push_back(time);
  }
  return times;
}

}  // namespace warden::view
