// All devices of all nodes in one picture.

#include <algorithm>
#include <cmath>

#include "warden/base/json.h"
#include "warden/report/profiler/details.h"
#include "warden/report/profiler/profiler_sections.h"

namespace warden::report {
namespace {

constexpr size_t kMostMapRows = 256;
constexpr size_t kMostColumns = 600;

// Rows of nodes whose samples do not fall on the same moments, on common columns.
class HeatGrid {
 public:
  void Add(std::string name, const Json& node, Values values) {
    const auto start = NumberAt(node, "start_s");
    const auto interval = NumberAt(node, "interval_s");
    if (!start || !interval || !(*interval > 0) || values.empty() || rows_.size() >= kMostMapRows) {
      return;
    }
    rows_.push_back({std::move(name), *start, *interval, std::move(values)});
  }

  std::optional<Chart> Draw(double origin) const {
    if (rows_.empty()) return std::nullopt;
    double start = rows_[0].start;
    double end = start;
    double interval = rows_[0].interval;
    for (const Row& row : rows_) {
      start = std::min(start, row.start);
      end = std::max(end, row.start + row.interval * static_cast<double>(row.values.size()));
      interval = std::min(interval, row.interval);
    }
    if (!std::isfinite(end - start) || !(end > start)) return std::nullopt;
    interval = std::max(interval, (end - start) / kMostColumns);
    const auto columns = static_cast<size_t>(std::ceil((end - start) / interval - 1e-9));
    std::vector<HeatRow> drawn;
    for (const Row& row : rows_) {
      HeatRow heat = {row.name, Values(columns)};
      for (size_t i = 0; i < columns; ++i) {
        const double at = start + (static_cast<double>(i) + 0.5) * interval - row.start;
        const double index = std::floor(at / row.interval);
        if (index < 0 || index >= static_cast<double>(row.values.size())) continue;
        heat.values[i] = row.values[static_cast<size_t>(index)];
      }
      drawn.push_back(std::move(heat));
    }
    return HeatmapChart("Utilization per device", drawn, start, interval, origin);
  }

 private:
  struct Row {
    std::string name;
    double start, interval;
    Values values;
  };
  std::vector<Row> rows_;
};

}  // namespace

std::optional<Chart> DeviceMap(const Json& details, double origin) {
  HeatGrid grid;
  const Json& gpus = ObjectAt(details, "gpus");
  const auto nodes = NodesIn(ObjectAt(details, "series"));
  for (const auto& [node, of_node] : nodes) {
    const bool several = nodes.size() > 1;
    grid.Add(DeviceName(node, "CPU", several), *of_node,
             NumbersIn(ArrayAt(ObjectAt(*of_node, "CPU"), "mean")));
    for (const auto& [gpu, of_gpu] : NodesIn(ObjectAt(gpus, node))) {
      grid.Add(DeviceName(node, gpu, several), *of_node, NumbersIn(ArrayAt(*of_gpu, "mean")));
    }
  }
  return grid.Draw(origin);
}

}  // namespace warden::report
