// Where the time of the training went, as the framework and its operators tell it.

#include <fmt/format.h>

#include "warden/base/json.h"
#include "warden/report/profiler/details.h"
#include "warden/report/profiler/profiler_sections.h"
#include "warden/report/words.h"

namespace warden::report {
namespace {

constexpr double kOneSided = 70;  // Percent.
constexpr size_t kShownOperators = 15;

double ShareOf(const std::vector<Named>& all, std::string_view name) {
  double sum = 0;
  double own = 0;
  for (const Named& one : all) {
    sum += one.value;
    if (one.name == name) own = one.value;
  }
  return sum > 0 ? 100 * own / sum : 0;
}

std::vector<Paragraph> Sentences(const Json& details) {
  std::vector<Paragraph> text;
  const auto ratio = LargestFirst(ObjectAt(details, "ratio"));
  const double others = ShareOf(ratio, "others");
  if (!ratio.empty()) {
    const bool much = others > kMuchBetweenSteps;
    text.push_back(
        {fmt::format("No step ran for {} of the time between the first and the last step{}.",
                     Percent(others),
                     much ? ". Check what the script does between steps: saving, logging, or "
                            "waiting for data"
                          : ""),
         much ? Tone::kWarning : Tone::kGood});
  }
  const auto passes = LargestFirst(ObjectAt(details, "forward_backward"));
  for (const std::string_view pass : {"Forward", "Backward", "DataLoader"}) {
    const double share = ShareOf(passes, pass);
    if (share <= kOneSided) continue;
    text.push_back({fmt::format("{} takes {} of the time within steps, much more than the rest.",
                                pass, Percent(share)),
                    Tone::kWarning});
  }
  return text;
}

Section Operators(const Json& details, std::string_view device) {
  Section part = {.id = fmt::format("operators-{}", device == "CPU" ? "cpu" : "gpu"),
                  .title = fmt::format("{} operators", device)};
  const auto operators = LargestFirst(ObjectAt(details, std::string(device) + "_self"));
  if (operators.empty()) {
    part.text.push_back(
        {fmt::format("No {} operators ran in the profiled steps.", device), Tone::kQuiet});
    return part;
  }
  double sum = 0;
  for (const Named& one : operators) sum += one.value;
  part.text.push_back({fmt::format(
      "The most expensive operator is {}: {} of the time of all {} operators. Self time excludes "
      "operators that it calls; total time includes them.",
      operators[0].name, Percent(100 * operators[0].value / sum), device)});
  Table table = {.caption = fmt::format("{} operators", device),
                 .columns = {"share (%)", "self time (ms)", "total time (ms)", "operator"},
                 .rows = {},
                 .numeric = {true, true, true, false},
                 .shown = kShownOperators};
  const Json& totals = ObjectAt(details, std::string(device) + "_total");
  for (const Named& one : operators) {
    table.rows.push_back({Fixed(100 * one.value / sum, 2), Fixed(one.value / 1e3, 3),
                          Fixed(NumberAt(totals, one.name).value_or(one.value) / 1e3, 3),
                          one.name});
  }
  part.tables.push_back(std::move(table));
  return part;
}

}  // namespace

std::vector<Chart> FrameworkCharts(const Json& details, const std::string& when) {
  std::vector<Chart> charts;
  const auto pie = [&](std::string_view member, const std::string& title) {
    auto slices = LargestFirst(ObjectAt(details, member));
    if (!slices.empty()) charts.push_back(PieChart(title + when, std::move(slices)));
  };
  pie("ratio", "Time in steps by mode and between steps");
  pie("forward_backward", "Time within steps");
  pie("CPU_GPU", "Operator time on CPU and GPU");
  pie("horovod", "Horovod");
  const auto general = LargestFirst(ObjectAt(details, "general"));
  if (!general.empty()) {
    charts.push_back(BarsChart("Other events by name" + when, general, "%"));
  }
  return charts;
}

Section FrameworkSection(const ProfilerInputs& inputs) {
  Section section = {.id = "framework", .title = "Framework metrics"};
  const Json& details = DetailsOf(inputs, "OverallFrameworkMetrics");
  section.charts = FrameworkCharts(details, "");
  const bool operators =
      !ObjectAt(details, "CPU_self").empty() || !ObjectAt(details, "GPU_self").empty();
  if (section.charts.empty() && !operators) {
    section.text.push_back(NothingOf(inputs, "OverallFrameworkMetrics"));
    return section;
  }
  section.text = Sentences(details);
  if (!operators) {
    section.text.push_back(
        {"No operators were recorded. Turn on the framework profiler with --profile full.",
         Tone::kQuiet});
    return section;
  }
  section.parts = {Operators(details, "CPU"), Operators(details, "GPU")};
  return section;
}

}  // namespace warden::report
