#include "warden/dashboard/metrics/window.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>

namespace warden::dashboard {

std::vector<const view::NodeTable*> InOrder(const view::RunMetrics::Nodes& nodes) {
  std::vector<const view::NodeTable*> ordered;
  for (const auto& [name, node] : nodes) ordered.push_back(node.get());
  std::sort(ordered.begin(), ordered.end(), [](const auto* a, const auto* b) {
    return view::DeviceComesBefore(a->name(), b->name());
  });
  return ordered;
}

std::optional<view::TimeWindow> WholeWindow(const view::RunMetrics::Nodes& nodes) {
  std::optional<view::TimeWindow> whole;
  for (const auto& [name, node] : nodes) {
    if (node->size() == 0) continue;
    const view::TimeWindow own{node->TimeAt(0), node->TimeAt(node->size() - 1)};
    if (!whole) whole = own;
    whole->from = std::min(whole->from, own.from);
    whole->to = std::max(whole->to, own.to);
  }
  return whole;
}

Result<view::TimeWindow> WindowOf(const Query& query, const view::TimeWindow& whole) {
  const auto from = query.Number("from", whole.from);
  if (!from.ok()) return from.status();
  const auto to = query.Number("to", whole.to);
  if (!to.ok()) return to.status();
  if (from.value() > to.value() && !query.Text("from").empty() && !query.Text("to").empty()) {
    return Status(Code::kInvalid, fmt::format("from is '{}'; expected a time before to ('{}')",
                                              query.Text("from"), query.Text("to")));
  }
  return view::TimeWindow{from.value(), to.value()};
}

Result<const view::NodeTable*> NodeOf(const Query& query, const view::RunMetrics::Nodes& nodes) {
  const std::string name = query.Text("node");
  const std::vector<const view::NodeTable*> ordered = InOrder(nodes);
  if (name.empty()) return ordered.empty() ? nullptr : ordered.front();
  const auto found = nodes.find(name);
  if (found != nodes.end()) return found->second.get();
  std::vector<std::string> names;
  for (const view::NodeTable* node : ordered) names.push_back(node->name());
  return Status(Code::kNotFound, fmt::format("unknown node '{}'; {}", name,
                                             names.empty() ? "the run has no metrics"
                                                           : fmt::format("expected one of: {}",
                                                                         fmt::join(names, ", "))));
}

}  // namespace warden::dashboard
