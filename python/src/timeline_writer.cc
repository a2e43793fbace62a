// Binds capture::TimelineWriter. Functions called for every event take only numbers, and a span
// ends at the time of the call.
#include "warden/capture/timeline_writer.h"

#include <nanobind/nanobind.h>
#include <nanobind/stl/map.h>
#include <nanobind/stl/string.h>
#include <nanobind/stl/string_view.h>

#include <chrono>
#include <cmath>
#include <map>
#include <string>
#include <utility>

namespace nb = nanobind;
using namespace nb::literals;

namespace warden::python {
namespace {

using capture::TimelineEvent;
using capture::TimelineNowUs;
using capture::TimelineSettings;
using capture::TimelineWriter;

TimelineSettings Settings(std::string folder, uint64_t max_file_bytes, double close_interval_s,
                          int open_fail_threshold) {
  return {std::move(folder), close_interval_s, max_file_bytes, open_fail_threshold};
}

void MakeWriter(TimelineWriter* self, std::string folder, uint64_t max_file_bytes,
                double close_interval_s, int open_fail_threshold, std::string node,
                std::string suffix, int64_t base_us, size_t most_pending) {
  capture::TimelineOptions options;
  options.settings =
      Settings(std::move(folder), max_file_bytes, close_interval_s, open_fail_threshold);
  options.node = std::move(node);
  options.suffix = std::move(suffix);
  options.base_us = base_us;
  options.most_pending = most_pending;
  new (self) TimelineWriter(std::move(options));
}

std::map<std::string, uint64_t> Counters(const TimelineWriter& writer) {
  const auto counters = writer.counters();
  return {{"recorded", counters.recorded}, {"dropped", counters.dropped}, {"lost", counters.lost}};
}

}  // namespace

void InitTimelineWriter(nb::module_& module) {
  const auto released = nb::call_guard<nb::gil_scoped_release>();
  nb::class_<TimelineWriter>(module, "TimelineWriter",
                             "Records events of a training in timeline files.")
      .def("__init__", &MakeWriter, "folder"_a, "max_file_bytes"_a, "close_interval_s"_a,
           "open_fail_threshold"_a, "node"_a, "suffix"_a, "base_us"_a, "most_pending"_a)
      .def("add_kind", &TimelineWriter::AddKind, "phase"_a, "name"_a, "args"_a,
           "Returns a number for repeated spans; args: members of a JSON object.")
      .def(
          "span",
          [](TimelineWriter& writer, TimelineWriter::Kind kind, int64_t start_us) {
            writer.Record(kind, start_us, TimelineNowUs() - start_us);
          },
          "kind"_a, "start_us"_a, "Records a span that ends now.")
      .def(
          "span_of_step",
          [](TimelineWriter& writer, TimelineWriter::Kind kind, int64_t start_us, int64_t step) {
            const int64_t now = TimelineNowUs();
            writer.Record(kind, start_us, now - start_us, step);
            return now;
          },
          "kind"_a, "start_us"_a, "step"_a,
          "Records a span of a step that ends now; returns its end.")
      .def(
          "span_until",
          [](TimelineWriter& writer, TimelineWriter::Kind kind, int64_t start_us, int64_t end_us,
             int64_t step) { writer.Record(kind, start_us, end_us - start_us, step); },
          "kind"_a, "start_us"_a, "end_us"_a, "step"_a, "Records a span of a step that has ended.")
      .def(
          "event",
          [](TimelineWriter& writer, std::string_view phase, std::string_view name,
             int64_t start_us, int64_t duration_us, std::string_view args, std::string_view kind,
             std::string_view scope) {
            writer.Record(TimelineEvent{.phase = phase,
                                        .name = name,
                                        .kind = kind,
                                        .scope = scope,
                                        .args = args,
                                        .start_us = start_us,
                                        .duration_us = duration_us});
          },
          "phase"_a, "name"_a, "start_us"_a, "duration_us"_a, "args"_a = "", "kind"_a = "X",
          "scope"_a = "", "Records any event.")
      .def(
          "configure",
          [](TimelineWriter& writer, std::string folder, uint64_t max_file_bytes,
             double close_interval_s, int open_fail_threshold) {
            writer.Configure(
                Settings(std::move(folder), max_file_bytes, close_interval_s, open_fail_threshold));
          },
          "folder"_a, "max_file_bytes"_a, "close_interval_s"_a, "open_fail_threshold"_a)
      .def("rebase", &TimelineWriter::Rebase, "base_us"_a,
           "Sets the base time; call it before the first event.")
      .def_prop_ro("base_us", &TimelineWriter::base_us)
      .def(
          "flush", [](TimelineWriter& writer) { return writer.Flush(); }, released,
          "Waits until everything is in the file; False if the disk does not respond.")
      .def(
          "close", [](TimelineWriter& writer, bool finish) { return writer.Close(finish); },
          "finish"_a, released,
          "Ends the file; without finish it keeps its temporary name. False if the disk does not "
          "respond.")
      .def("counters", &Counters, "Returns the counters recorded, dropped and lost.")
      .def_prop_ro("healthy", &TimelineWriter::healthy, "Whether files can be opened.");
  module.def("timeline_now_us", &TimelineNowUs,
             "Returns the time of timelines in microseconds since 1970.");
}

}  // namespace warden::python
