#include "warden/view/metrics/queries.h"

#include <algorithm>
#include <cmath>
#include <numeric>

namespace warden::view {
namespace {

// A machine was not watched for so many times the usual distance: a line must not hide that.
constexpr double kGap = 8;
constexpr size_t kIntervals = 1024;

struct Moments {
  size_t from = 0;
  size_t to = 0;  // Not included.
};

Moments Within(const NodeTable& node, const TimeWindow& window) {
  const size_t from = node.MomentAt(window.from);
  const size_t to =
      node.MomentAt(std::nextafter(window.to, std::numeric_limits<double>::infinity()));
  return {from, std::max(from, to)};
}

// Sorts as little as it must: the value at that share of all, between neighbours as NumPy has it.
double QuantileOf(std::vector<float>* values, double share) {
  const double at = share * static_cast<double>(values->size() - 1);
  const auto below = static_cast<ptrdiff_t>(at);
  std::nth_element(values->begin(), values->begin() + below, values->end());
  const double low = (*values)[static_cast<size_t>(below)];
  const double part = at - static_cast<double>(below);
  if (part == 0) return low;
  const double high = *std::min_element(values->begin() + below + 1, values->end());
  return low + (high - low) * part;
}

// Puts points together.
class SeriesBuilder {
 public:
  // gap: nothing was measured for so long, in seconds.
  SeriesBuilder(const NodeTable& node, const MetricLevels& metric, double gap, size_t points,
                MetricSeries* series)
      : node_(node), metric_(metric), gap_(gap), points_(points), series_(series) {}

  void Add(const Moments& moments) {
    const double length = node_.TimeAt(moments.to - 1) - node_.TimeAt(moments.from);
    if (!(gap_ > 0) || length <= gap_) return AddPoint(moments);
    const size_t cut = LongestWait(moments);
    AddPoint({moments.from, cut});
    AddPoint({cut, moments.to});
  }

 private:
  // The moment before which nothing was measured for longest. REQUIRES: two moments.
  size_t LongestWait(const Moments& moments) const {
    size_t longest = moments.from + 1;
    for (size_t i = longest; i < moments.to; ++i) {
      if (WaitBefore(i) > WaitBefore(longest)) longest = i;
    }
    return longest;
  }
  double WaitBefore(size_t i) const { return node_.TimeAt(i) - node_.TimeAt(i - 1); }

  void AddPoint(const Moments& moments) {
    const double first = node_.TimeAt(moments.from);
    const bool waited = !series_->x.empty() && gap_ > 0 && WaitBefore(moments.from) > gap_;
    if (waited && series_->x.size() + 1 < points_) {
      Push((node_.TimeAt(moments.from - 1) + first) / 2, MetricStretch());
    }
    if (series_->x.size() == points_) return;
    Push((first + node_.TimeAt(moments.to - 1)) / 2, metric_.Range(moments.from, moments.to));
  }

  void Push(double x, const MetricStretch& stretch) {
    series_->x.push_back(x);
    series_->low.push_back(stretch.least());
    series_->mean.push_back(stretch.mean());
    series_->high.push_back(stretch.most());
  }

  const NodeTable& node_;
  const MetricLevels& metric_;
  const double gap_;
  const size_t points_;
  MetricSeries* const series_;
};

// The devices of one kind in their order.
std::vector<const MetricColumn*> DevicesOf(const NodeTable& node, Whole whole) {
  std::vector<const MetricColumn*> devices;
  for (const auto& column : node.metrics()) {
    if (column->whole == whole) devices.push_back(column.get());
  }
  std::sort(devices.begin(), devices.end(), [](const MetricColumn* a, const MetricColumn* b) {
    return DeviceComesBefore(a->name, b->name);
  });
  return devices;
}

}  // namespace

MetricSeries SeriesOf(const NodeTable& node, const MetricLevels& metric, const TimeWindow& window,
                      size_t points) {
  MetricSeries series;
  Moments range = Within(node, window);
  if (range.from > 0) --range.from;
  if (range.to < node.size()) ++range.to;
  const size_t count = range.to - range.from;
  if (count == 0 || points == 0) return series;
  // Aligned to the first moment ever, so that points stay what they are while a run goes on; that
  // may need one more.
  size_t width = (count + points - 1) / points;
  if (width > 1 && points > 1) width = (count + points - 2) / (points - 1);
  width = std::max(width, node.DetailAt(range.from));
  series.moments_per_point = width;
  const double gap = kGap * IntervalOf(node).value_or(0) * static_cast<double>(width);
  SeriesBuilder builder(node, metric, gap, points, &series);
  for (size_t from = range.from / width * width; from < range.to; from += width) {
    builder.Add({std::max(from, range.from), std::min(from + width, range.to)});
  }
  return series;
}

Percentiles PercentilesOf(const NodeTable& node, const MetricLevels& metric,
                          const TimeWindow& window) {
  const Moments range = Within(node, window);
  std::vector<float> values;
  values.reserve(range.to - range.from);
  for (size_t i = range.from; i < range.to; ++i) {
    const float value = metric.At(i);
    if (!std::isnan(value)) values.push_back(value);
  }
  if (values.empty()) return {};
  // Extremes outlive the detail.
  const MetricStretch all = metric.Range(range.from, range.to);
  return {all.most(), QuantileOf(&values, 0.99), QuantileOf(&values, 0.95),
          QuantileOf(&values, 0.5), all.least()};
}

HeatRows HeatmapOf(const NodeTable& node, const TimeWindow& window, size_t columns) {
  HeatRows map;
  std::vector<const MetricColumn*> devices = DevicesOf(node, Whole::kCpu);
  const size_t cores = devices.size();
  const auto gpus = DevicesOf(node, Whole::kGpu);
  devices.insert(devices.end(), gpus.begin(), gpus.end());
  for (size_t i = 0; i < devices.size(); ++i) map.rows.push_back({devices[i]->name, i >= cores});
  const double length = window.to - window.from;
  if (columns == 0 || !(length > 0)) return map;
  // Cells that are shorter than the distance of moments would be empty.
  const double least = IntervalOf(node).value_or(length);
  const double wanted = least > 0 ? std::ceil(length / least) : static_cast<double>(columns);
  const auto count = static_cast<size_t>(std::clamp(wanted, 1.0, static_cast<double>(columns)));
  std::vector<size_t> borders;
  for (size_t i = 0; i <= count; ++i) {
    const double at = window.from + length * static_cast<double>(i) / static_cast<double>(count);
    if (i < count) map.x.push_back(at);
    borders.push_back(i < count ? node.MomentAt(at) : Within(node, window).to);
  }
  map.values.reserve(devices.size() * count);
  for (const MetricColumn* device : devices) {
    for (size_t i = 0; i < count; ++i) {
      map.values.push_back(device->levels.Range(borders[i], borders[i + 1]).mean());
    }
  }
  return map;
}

std::optional<double> IntervalOf(const NodeTable& node) {
  if (node.size() < 2) return std::nullopt;
  std::vector<double> distances;
  for (size_t i = node.size() - std::min(node.size() - 1, kIntervals); i < node.size(); ++i) {
    distances.push_back(node.TimeAt(i) - node.TimeAt(i - 1));
  }
  const auto middle = distances.begin() + static_cast<ptrdiff_t>(distances.size() / 2);
  std::nth_element(distances.begin(), middle, distances.end());
  return *middle;
}

}  // namespace warden::view
