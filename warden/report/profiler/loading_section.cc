// Whether data comes fast enough.

#include <fmt/format.h>

#include "warden/base/json.h"
#include "warden/report/profiler/details.h"
#include "warden/report/profiler/profiler_sections.h"
#include "warden/report/words.h"

namespace warden::report {
namespace {

Paragraph Workers(const ProfilerInputs& inputs, double workers, double cores) {
  const double least = ParameterOf(inputs, "Dataloader", "min_threshold").value_or(70);
  const double most = ParameterOf(inputs, "Dataloader", "max_threshold").value_or(200);
  const std::string ran = fmt::format("{} data loader workers ran in parallel on {} cores",
                                      ThreeDigits(workers), ThreeDigits(cores));
  if (workers < cores * least / 100) {
    return {fmt::format("{}. More workers, up to one per core (num_workers={}), may load data "
                        "faster.",
                        ran, ThreeDigits(cores)),
            Tone::kWarning};
  }
  if (workers > cores * most / 100) {
    return {fmt::format("{}. They compete with each other and with the training for cores. Try "
                        "num_workers={}.",
                        ran, ThreeDigits(cores)),
            Tone::kWarning};
  }
  return {ran + ", which is a good number.", Tone::kGood};
}

std::optional<Paragraph> Pinning(const Json& details) {
  const auto pinned = FlagAt(details, "pin_memory");
  if (!pinned) return std::nullopt;
  if (*pinned) return Paragraph{"Memory is pinned, so copies to a GPU are fast.", Tone::kGood};
  return Paragraph{
      "Memory is not pinned. With a GPU, pin_memory=True lets batches be copied while the GPU "
      "computes.",
      Tone::kWarning};
}

Table FactsTable(const Json& details) {
  Table table = {.caption = "Data loaders",
                 .columns = {"name", "value"},
                 .rows = {},
                 .numeric = {false, true}};
  const auto add = [&](const char* key, const char* what) {
    const auto value = NumberAt(details, key);
    if (value) table.rows.push_back({what, ThreeDigits(*value)});
  };
  add("dataloaders", "workers in parallel (median)");
  add("num_workers", "num_workers");
  add("prefetch", "prefetch");
  add("cores", "cores");
  add("seconds", "seconds with data loading");
  return table;
}

}  // namespace

Section LoadingSection(const ProfilerInputs& inputs) {
  Section section = {.id = "loading", .title = "Data loading"};
  const Json& details = DetailsOf(inputs, "Dataloader");
  const Json& times = ObjectAt(details, "dataloading_time");
  const auto workers = NumberAt(details, "dataloaders");
  const auto cores = NumberAt(details, "cores");
  const bool loaded = NumberAt(details, "seconds").value_or(1) > 0;
  const bool evaluated = loaded && workers && cores && *cores > 0;
  const auto median = NumberAt(times, "p50");
  if (!evaluated && !median) {
    section.text.push_back(NothingOf(inputs, "Dataloader"));
    return section;
  }
  section.text.push_back(VerdictOf(inputs, "Dataloader", "data points"));
  const rules::ProfilerResult* result = FindResult(inputs, "Dataloader");
  if (evaluated && result->not_evaluated.empty()) {
    section.text.push_back(Workers(inputs, *workers, *cores));
  }
  const auto pinning = Pinning(details);
  if (pinning) section.text.push_back(*pinning);
  if (median) {
    section.text.push_back({fmt::format(
        "Loading a batch takes {} at the median, {} at p25 and {} at p95.", Duration(*median),
        Duration(AmountAt(times, "p25")), Duration(AmountAt(times, "p95")))});
    section.charts.push_back(HistogramChart(
        "Time to load a batch", "seconds",
        {{"batches", NumbersIn(ArrayAt(times, "binedges")), NumbersIn(ArrayAt(times, "probs"))}}));
  }
  section.tables.push_back(FactsTable(details));
  return section;
}

}  // namespace warden::report
