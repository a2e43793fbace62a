#include "warden/dashboard/metrics/metric_answers.h"

#include <fmt/format.h>

#include "warden/base/json.h"
#include "warden/dashboard/metrics/window.h"
#include "warden/view/wire/columns.h"

namespace warden::dashboard {
namespace {

using Nodes = view::RunMetrics::Nodes;
using view::NodeTable;
using view::TimeWindow;

constexpr size_t kMostKeys = 64;

// Looks at the nodes and answers.
template <class F>
Result<http::Response> Looking(const view::RunMetrics& metrics, F answer) {
  Result<http::Response> response = Status(Code::kUnavailable, "metrics not read");
  metrics.Look([&](const Nodes& nodes) { response = answer(nodes); });
  return response;
}

// Names of devices in their order, each once.
Json NamesOf(const NodeTable& node, view::Whole whole) {
  std::vector<std::string> names;
  for (const auto& column : node.metrics()) {
    if (column->whole == whole) names.push_back(column->name);
  }
  std::sort(names.begin(), names.end(), view::DeviceComesBefore);
  return names;
}

Json Describe(const NodeTable& node) {
  Json metrics = Json::array();
  for (const auto& column : node.metrics()) {
    metrics.push_back({{"key", column->key},
                       {"type", column->type},
                       {"name", column->name},
                       {"dimension", column->dimension},
                       {"unit", column->unit}});
  }
  return {{"name", node.name()},
          {"cores", NamesOf(node, view::Whole::kCpu)},
          {"gpus", NamesOf(node, view::Whole::kGpu)},
          {"metrics", std::move(metrics)}};
}

Json NumberOrNull(const std::optional<double>& number) {
  return number ? Json(*number) : Json(nullptr);
}

}  // namespace

Result<http::Response> MetricList(const view::RunMetrics& metrics, const RunRequest& /*request*/) {
  const view::MetricsRead state = metrics.state();
  Json list = {{"start", nullptr}, {"end", nullptr}, {"interval", nullptr}};
  list["nodes"] = Json::array();
  metrics.Look([&](const Nodes& nodes) {
    if (const auto whole = WholeWindow(nodes)) {
      list["start"] = whole->from;
      list["end"] = whole->to;
    }
    for (const NodeTable* node : InOrder(nodes)) {
      if (list["interval"].is_null()) list["interval"] = NumberOrNull(view::IntervalOf(*node));
      list["nodes"].push_back(Describe(*node));
    }
  });
  list["state"] = {{"done", state.done}, {"read", state.read}, {"total", state.total}};
  list["problems"] = metrics.problems();
  return JsonAnswer(list);
}

Result<http::Response> MetricSummary(const view::RunMetrics& metrics, const RunRequest& request) {
  return Looking(metrics, [&](const Nodes& nodes) -> Result<http::Response> {
    const auto window = WindowOf(request.query, WholeWindow(nodes).value_or(TimeWindow()));
    if (!window.ok()) return window.status();
    Json rows = Json::array();
    for (const NodeTable* node : InOrder(nodes)) {
      for (size_t i = 0; i < view::kWholes; ++i) {
        const view::WholeKind& kind = view::kWholeKinds[i];
        if (kind.title.empty()) continue;
        const auto of = view::PercentilesOf(*node, *node->Find(kind.key), window.value());
        rows.push_back({{"node", node->name()},
                        {"group", kind.title},
                        {"unit", kind.unit},
                        {"max", NumberOrNull(of.max)},
                        {"p99", NumberOrNull(of.p99)},
                        {"p95", NumberOrNull(of.p95)},
                        {"p50", NumberOrNull(of.p50)},
                        {"min", NumberOrNull(of.min)}});
      }
    }
    return JsonAnswer(rows);
  });
}

Result<http::Response> MetricSeriesAnswer(const view::RunMetrics& metrics,
                                          const RunRequest& request) {
  const std::vector<std::string> keys = request.query.All("key");
  if (keys.empty() || keys.size() > kMostKeys) {
    return Status(Code::kInvalid,
                  fmt::format("key is given {} times; expected 1 to {}", keys.size(), kMostKeys));
  }
  const auto points = request.query.Int("points", 2, 4000, 1000);
  if (!points.ok()) return points.status();
  return Looking(metrics, [&](const Nodes& nodes) -> Result<http::Response> {
    const auto node = NodeOf(request.query, nodes);
    if (!node.ok()) return node.status();
    const auto window = WindowOf(request.query, WholeWindow(nodes).value_or(TimeWindow()));
    if (!window.ok()) return window.status();
    view::Columns columns;
    Json told = Json::array();
    for (size_t i = 0; i < keys.size(); ++i) {
      const auto* levels = node.value() == nullptr ? nullptr : node.value()->Find(keys[i]);
      view::MetricSeries series;
      if (levels != nullptr) {
        series = view::SeriesOf(*node.value(), *levels, window.value(),
                                static_cast<size_t>(points.value()));
      }
      const auto name = [&](std::string_view column) { return fmt::format("{}{}", column, i); };
      columns.Add(name("x"), std::span<const double>(series.x));
      columns.Add(name("low"), std::span<const float>(series.low));
      columns.Add(name("mean"), std::span<const float>(series.mean));
      columns.Add(name("high"), std::span<const float>(series.high));
      told.push_back({{"key", keys[i]},
                      {"found", levels != nullptr},
                      {"unit", levels == nullptr ? "" : node.value()->UnitOfKey(keys[i])},
                      {"moments_per_point", series.moments_per_point}});
    }
    const std::string name = node.value() == nullptr ? "" : node.value()->name();
    return ColumnsAnswer(columns.Encode({{"node", name}, {"series", std::move(told)}}));
  });
}

Result<http::Response> MetricHeatmap(const view::RunMetrics& metrics, const RunRequest& request) {
  const auto count = request.query.Int("columns", 1, 2000, 400);
  if (!count.ok()) return count.status();
  return Looking(metrics, [&](const Nodes& nodes) -> Result<http::Response> {
    const auto node = NodeOf(request.query, nodes);
    if (!node.ok()) return node.status();
    const auto window = WindowOf(request.query, WholeWindow(nodes).value_or(TimeWindow()));
    if (!window.ok()) return window.status();
    view::HeatRows map;
    if (node.value() != nullptr) {
      map = view::HeatmapOf(*node.value(), window.value(), static_cast<size_t>(count.value()));
    }
    Json rows = Json::array();
    for (const auto& row : map.rows) {
      rows.push_back({{"name", row.name}, {"kind", row.gpu ? "gpu" : "cpu"}});
    }
    view::Columns columns;
    columns.Add("x", std::span<const double>(map.x));
    columns.Add("values", std::span<const float>(map.values));
    const std::string name = node.value() == nullptr ? "" : node.value()->name();
    return ColumnsAnswer(
        columns.Encode({{"node", name}, {"rows", std::move(rows)}, {"end", window.value().to}}));
  });
}

}  // namespace warden::dashboard
