// Binds warden/timeline: system metrics and spans of a run as NumPy columns, and merged timelines.
#include <nanobind/nanobind.h>
#include <nanobind/ndarray.h>
#include <nanobind/stl/string.h>
#include <nanobind/stl/string_view.h>
#include <nanobind/stl/vector.h>

#include <memory>
#include <utility>

#include "python/src/conversions.h"
#include "python/src/gil.h"
#include "warden/base/json.h"
#include "warden/timeline/import/span_table.h"
#include "warden/timeline/kernels/kernel_json.h"
#include "warden/timeline/kernels/kernel_statistics.h"
#include "warden/timeline/merge/merge.h"
#include "warden/timeline/metric_table.h"
#include "warden/timeline/profile_files.h"

namespace nb = nanobind;
using namespace nb::literals;

namespace warden::python {
namespace {

using timeline::MetricQuery;
using timeline::MetricTable;
using timeline::NameId;
using timeline::Names;
using timeline::Span;
using timeline::SpanQuery;
using timeline::SpanTable;

// Moves a vector into an array that owns it.
template <class T>
nb::object Array(std::vector<T> values) {
  auto kept = std::make_unique<std::vector<T>>(std::move(values));
  T* data = kept->data();
  const size_t size = kept->size();
  const nb::capsule owner(
      kept.release(), [](void* vector) noexcept { delete static_cast<std::vector<T>*>(vector); });
  return nb::cast(nb::ndarray<nb::numpy, T, nb::ndim<1>>(data, {size}, owner));
}

// NumPy's codes are signed; no table has enough names to need the highest bit.
nb::object Codes(const std::vector<NameId>& ids) {
  return Array(std::vector<int32_t>(ids.begin(), ids.end()));
}

nb::list Texts(const Names& names) {
  nb::list texts;
  for (NameId id = 0; id < names.size(); ++id) texts.append(ToText(names.Text(id)));
  return texts;
}

nb::dict MetricColumns(MetricTable table) {
  nb::dict columns;
  columns["times_us"] = Array(std::move(table.times_us));
  columns["times_s"] = Array(std::move(table.times_s));
  columns["values"] = Array(std::move(table.values));
  columns["types"] = Codes(table.types);
  columns["metrics"] = Codes(table.metrics);
  columns["dimensions"] = Codes(table.dimensions);
  columns["nodes"] = Codes(table.nodes);
  columns["names"] = Texts(table.names);
  columns["broken"] = table.broken;
  columns["problems"] = ToTexts(table.problems);
  return columns;
}

nb::dict ReadMetrics(const std::string& folder, int64_t start_us, int64_t end_us,
                     std::vector<std::string> types, int64_t buffer_us) {
  MetricQuery query;
  query.range = {start_us, end_us};
  query.types = std::move(types);
  query.buffer_us = buffer_us;
  return MetricColumns(
      WithoutGil([&] { return timeline::ReadMetrics(timeline::NamedProfile(folder), query); }));
}

nb::dict ReadMetricText(nb::bytes text, int64_t start_us, int64_t end_us,
                        std::vector<std::string> types) {
  MetricQuery query;
  query.range = {start_us, end_us};
  query.types = std::move(types);
  const std::string_view view(text.c_str(), text.size());
  return MetricColumns(
      WithoutGil([&]() -> Result<MetricTable> { return timeline::ReadMetricText(view, query); }));
}

// Returns one member of each span as an array.
template <class T, class Of>
nb::object Column(const std::vector<Span>& spans, Of&& of) {
  std::vector<T> column;
  column.reserve(spans.size());
  for (const Span& span : spans) column.push_back(static_cast<T>(of(span)));
  return Array(std::move(column));
}

// Adds the arguments of all spans as one text, and the end of each span's JSON object in it.
void AddArguments(SpanTable table, nb::dict* columns) {
  std::vector<int64_t> ends(table.args_ends.begin(), table.args_ends.end());
  (*columns)["args_ends"] = Array(std::move(ends));
  (*columns)["args_text"] = nb::bytes(table.args_text.data(), table.args_text.size());
}

nb::list SourceNames() {
  nb::list names;
  for (int i = 0; i <= static_cast<int>(timeline::Source::kOther); ++i) {
    names.append(ToText(timeline::SourceName(static_cast<timeline::Source>(i))));
  }
  return names;
}

nb::dict SpanColumns(SpanTable table, bool args) {
  const std::vector<Span>& spans = table.spans;
  nb::dict columns;
  columns["start_us"] = Column<int64_t>(spans, [](const Span& s) { return s.start_us; });
  columns["duration_us"] = Column<int64_t>(spans, [](const Span& s) { return s.duration_us; });
  columns["step"] = Column<int64_t>(spans, [](const Span& s) { return s.step; });
  columns["bytes"] = Column<int64_t>(spans, [](const Span& s) { return s.bytes; });
  columns["pid"] = Column<int64_t>(spans, [](const Span& s) { return s.pid; });
  columns["tid"] = Column<int64_t>(spans, [](const Span& s) { return s.tid; });
  columns["worker"] = Column<int64_t>(spans, [](const Span& s) { return s.worker; });
  columns["num_workers"] = Column<int64_t>(spans, [](const Span& s) { return s.num_workers; });
  columns["pinned"] = Column<int64_t>(spans, [](const Span& s) { return s.pinned; });
  columns["name"] = Column<int32_t>(spans, [](const Span& s) { return s.name; });
  columns["phase"] = Column<int32_t>(spans, [](const Span& s) { return s.phase; });
  columns["node"] = Column<int32_t>(spans, [](const Span& s) { return s.node; });
  columns["source"] = Column<int32_t>(spans, [](const Span& s) { return s.source; });
  columns["event"] = Codes(table.event_names);
  columns["phase_pid"] = Array(std::move(table.phase_pids));
  columns["phase_tid"] = Array(std::move(table.phase_tids));
  columns["names"] = Texts(table.names);
  columns["sources"] = SourceNames();
  columns["broken"] = table.broken;
  columns["problems"] = ToTexts(table.problems);
  if (args) AddArguments(std::move(table), &columns);
  return columns;
}

nb::dict ReadSpans(const std::string& folder, int64_t start_us, int64_t end_us,
                   std::vector<std::string> suffixes, int64_t buffer_us, bool args) {
  SpanQuery query;
  query.range = {start_us, end_us};
  query.suffixes = std::move(suffixes);
  query.buffer_us = buffer_us;
  query.args = args;
  return SpanColumns(
      WithoutGil([&] { return timeline::ReadSpans(timeline::NamedProfile(folder), query); }), args);
}

nb::dict MergeTimelines(const std::string& folder, int64_t start_us, int64_t end_us,
                        std::vector<std::string> suffixes, bool bottlenecks, int64_t buffer_us,
                        const std::string& out) {
  timeline::MergeOptions options;
  options.range = {start_us, end_us};
  options.suffixes = std::move(suffixes);
  options.bottlenecks = bottlenecks;
  options.buffer_us = buffer_us;
  options.out = out;
  const auto merged =
      WithoutGil([&] { return timeline::MergeTimelines(timeline::NamedProfile(folder), options); });
  nb::dict result;
  result["spans"] = merged.spans;
  result["counters"] = merged.counters;
  result["marks"] = merged.marks;
  result["problems"] = ToTexts(merged.problems);
  return result;
}

// As the text of a JSON object.
std::string KernelStatisticsText(const std::string& folder, size_t top) {
  return WithoutGil([&]() -> Result<std::string> {
    const auto statistics = timeline::SummarizeKernels(folder, {});
    if (!statistics.ok()) return statistics.status();
    return timeline::KernelStatisticsJson(statistics.value(), top)
        .dump(-1, ' ', false, Json::error_handler_t::replace);
  });
}

}  // namespace

void InitProfile(nb::module_& module) {
  module.def("read_metrics", &ReadMetrics, "folder"_a, "start_us"_a, "end_us"_a, "types"_a,
             "buffer_us"_a, "Returns the system metrics in a profiler's folder as columns.");
  module.def("read_metric_text", &ReadMetricText, "text"_a, "start_us"_a, "end_us"_a, "types"_a,
             "Returns the system metrics in a file's text; skips a last line without a newline.");
  module.def("read_spans", &ReadSpans, "folder"_a, "start_us"_a, "end_us"_a, "suffixes"_a,
             "buffer_us"_a, "args"_a, "Returns the spans in a profiler's folder as columns.");
  module.def("kernel_statistics", &KernelStatisticsText, "folder"_a, "top"_a);
  module.def("merge_timelines", &MergeTimelines, "folder"_a, "start_us"_a, "end_us"_a, "suffixes"_a,
             "bottlenecks"_a, "buffer_us"_a, "out"_a,
             "Merges everything in a profiler's folder into one timeline; returns a summary.");
}

}  // namespace warden::python
