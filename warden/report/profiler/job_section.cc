// When the job began and ended, and how long it took to begin and to end.

#include <fmt/format.h>

#include "warden/base/json.h"
#include "warden/report/profiler/details.h"
#include "warden/report/profiler/profiler_sections.h"
#include "warden/report/words.h"

namespace warden::report {
namespace {

// The parts of a job, in seconds; nothing where the run does not tell.
struct Parts {
  JobTimes times;
  std::optional<double> all, initialization, loop, finalization;

  std::optional<double> PercentOf(const std::optional<double>& part) const {
    if (!part || !all || !(*all > 0)) return std::nullopt;
    return 100 * *part / *all;
  }
};

std::optional<double> Between(const std::optional<double>& from, const std::optional<double>& to) {
  if (!from || !to || *to < *from) return std::nullopt;
  return *to - *from;
}

Parts PartsOf(const JobTimes& times) {
  return {times, Between(times.start, times.end), Between(times.start, times.loop_start),
          Between(times.loop_start, times.loop_end), Between(times.loop_end, times.end)};
}

std::string Seconds(const std::optional<double>& seconds) {
  return seconds ? Fixed(*seconds, 1) : "–";
}

std::string Moment(const std::optional<double>& time) { return time ? UtcTime(*time) : "–"; }

Table TimesTable(const Parts& parts) {
  const auto percent = [&](const std::optional<double>& part) {
    const auto value = parts.PercentOf(part);
    return value ? Fixed(*value, 1) : "–";
  };
  const JobTimes& times = parts.times;
  return {.caption = "Training job summary",
          .columns = {"name", "value"},
          .rows = {{"start_time", Moment(times.start)},
                   {"end_time", Moment(times.end)},
                   {"job_duration_in_seconds", Seconds(parts.all)},
                   {"training_loop_start", Moment(times.loop_start)},
                   {"training_loop_end", Moment(times.loop_end)},
                   {"training_loop_duration_in_seconds", Seconds(parts.loop)},
                   {"initialization_in_seconds", Seconds(parts.initialization)},
                   {"finalization_in_seconds", Seconds(parts.finalization)},
                   {"initialization (%)", percent(parts.initialization)},
                   {"training loop (%)", percent(parts.loop)},
                   {"finalization (%)", percent(parts.finalization)}},
          .numeric = {false, true}};
}

Table FactsTable(const JobFacts& job) {
  Table table = {.caption = "Job", .columns = {"name", "value"}, .rows = {}};
  const auto add = [&](std::string what, std::string value) {
    if (!value.empty()) table.rows.push_back({std::move(what), std::move(value)});
  };
  add("Job", job.name);
  add("Command", job.command);
  add("Run folder", job.folder);
  std::string hosts;
  for (const std::string& host : job.hosts) hosts += (hosts.empty() ? "" : ", ") + host;
  add(job.hosts.size() == 1 ? "Host" : "Hosts", hosts);
  return table;
}

Paragraph Sentence(const JobFacts& job, const Parts& parts) {
  if (!parts.all) {
    return {"Start and end of the job are unknown: no metrics and no steps were recorded.",
            Tone::kQuiet};
  }
  std::string text =
      fmt::format("The job started at {} and {} {}.", UtcTime(*parts.times.start),
                  job.still_running ? "has been running for" : "ran for", Duration(*parts.all));
  const auto loop = parts.PercentOf(parts.loop);
  if (!loop) {
    return {text +
            " No steps were recorded, so initialization, training loop and finalization cannot be "
            "separated."};
  }
  text += fmt::format(" The training loop took {} of that ({}).", Duration(*parts.loop),
                      Percent(*loop));
  if (parts.initialization) {
    text += fmt::format(" {} passed before the first step", Duration(*parts.initialization));
    text += parts.finalization && !job.still_running
                ? fmt::format(" and {} after the last.", Duration(*parts.finalization))
                : ".";
  }
  return {text};
}

}  // namespace

Section JobSection(const ProfilerInputs& inputs) {
  Section section = {.id = "job", .title = "Training job summary"};
  const Parts parts = PartsOf(TimesOf(inputs));
  section.text.push_back(Sentence(inputs.job, parts));
  if (Fired(inputs, "MaxInitializationTime")) {
    section.text.push_back(
        {fmt::format(
             "Initialization took longer than the MaxInitializationTime limit of {} min.",
             ThreeDigits(ParameterOf(inputs, "MaxInitializationTime", "threshold").value_or(20))),
         Tone::kWarning});
  }
  if (parts.all && parts.loop) {
    section.charts.push_back(PieChart("Job time",
                                      {{"Initialization", parts.initialization.value_or(0)},
                                       {"Training loop", *parts.loop},
                                       {"Finalization", parts.finalization.value_or(0)}},
                                      {.unit = "s"}));
  }
  section.tables.push_back(TimesTable(parts));
  Table facts = FactsTable(inputs.job);
  if (!facts.rows.empty()) section.tables.push_back(std::move(facts));
  return section;
}

}  // namespace warden::report
