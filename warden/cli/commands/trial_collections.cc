#include <fmt/format.h>

#include <algorithm>

#include "warden/base/json.h"
#include "warden/cli/commands/commands.h"
#include "warden/cli/run.h"
#include "warden/cli/table.h"
#include "warden/cli/text.h"

namespace warden::cli {
namespace {

struct TrialCollectionsOptions {
  std::string run;
  bool json = false;
};

struct CollectionRow {
  config::Collection collection;
  std::vector<std::string> saved;
};

// A collection with invalid patterns is listed too, with nothing saved.
std::vector<CollectionRow> CollectionRows(const trial::Trial& trial, Output* out) {
  std::vector<CollectionRow> rows;
  for (const auto& [name, collection] : trial.collections()) {
    trial::NameFilter filter;
    filter.collection = name;
    auto saved = trial.TensorNames(filter);
    if (!saved.ok()) out->Tell(Printable(saved.status().message()));
    rows.push_back(
        {collection, saved.ok() ? std::move(saved.value()) : std::vector<std::string>()});
  }
  return rows;
}

void PrintRowsAsJson(const std::vector<CollectionRow>& rows, Output* out) {
  Json list = Json::array();
  for (const auto& [collection, saved] : rows) {
    list.push_back(
        {{"name", collection.name},
         {"include_regex", collection.include_regex},
         {"tensor_names", collection.tensor_names},
         {"saved_tensors", saved},
         {"save_config", collection.save_config ? config::ToJson(*collection.save_config) : Json()},
         {"reduction_config",
          collection.reduction_config ? config::ToJson(*collection.reduction_config) : Json()},
         {"save_histogram", collection.save_histogram}});
  }
  out->PrintJson(list);
}

// "every 10", "every 10 from 5 to 100, at 1,2,3".
std::string SaveText(const config::SaveConfigMode& mode) {
  std::string text = fmt::format("every {}", mode.save_interval);
  if (mode.start_step > 0) text += fmt::format(" from {}", mode.start_step);
  if (mode.end_step) text += fmt::format(" to {}", *mode.end_step);
  if (!mode.save_steps.empty()) text += fmt::format(", at {}", fmt::join(mode.save_steps, ","));
  if (mode.save_seconds) text += fmt::format(", every {} s", *mode.save_seconds);
  return text;
}

// Modes that are saved alike are named together; all alike need no name.
std::string SaveText(const std::optional<config::SaveConfig>& config) {
  if (!config) return "-";
  std::vector<std::pair<std::string, std::string>> groups;  // What is saved, modes.
  for (const Mode mode : kAllModes) {
    const std::string text = SaveText(config->mode(mode));
    const auto same = std::find_if(groups.begin(), groups.end(),
                                   [&](const auto& group) { return group.first == text; });
    if (same == groups.end()) {
      groups.emplace_back(text, ModeName(mode));
    } else {
      same->second.append("/").append(ModeName(mode));
    }
  }
  if (groups.size() == 1) return groups[0].first;
  std::vector<std::string> parts;
  for (const auto& [text, modes] : groups) parts.push_back(modes + " " + text);
  return fmt::format("{}", fmt::join(parts, "; "));
}

std::string ReductionsText(const std::optional<config::ReductionConfig>& config) {
  if (!config) return "-";
  std::vector<std::string> parts;
  if (config->save_raw_tensor) parts.emplace_back("raw");
  if (config->save_shape) parts.emplace_back("shape");
  if (config->reductions.all()) {
    parts.emplace_back("all reductions");
  } else if (config->reductions.any()) {
    parts.push_back(config::FormatReductions(config->reductions, config->order));
  }
  return fmt::format("{}", fmt::join(parts, ","));
}

void PrintRows(const std::vector<CollectionRow>& rows, Output* out) {
  Table table({{"NAME"},
               {"SAVED", Align::kRight},
               {"WHAT", Align::kLeft, /*shrinks=*/true},
               {"WHEN", Align::kLeft, /*shrinks=*/true},
               {"PATTERNS", Align::kLeft, /*shrinks=*/true}});
  for (const auto& [collection, saved] : rows) {
    table.Add({collection.name, std::to_string(saved.size()),
               ReductionsText(collection.reduction_config), SaveText(collection.save_config),
               fmt::format("{}", fmt::join(collection.include_regex, ", "))});
  }
  table.Print(out);
}

Result<int> ListCollections(const TrialCollectionsOptions& options, Output* out) {
  const auto run = OpenRun(options.run);
  if (!run.ok()) return run.status();
  const std::vector<CollectionRow> rows = CollectionRows(*run.value().trial, out);
  TellProblems(run.value(), out);
  if (options.json) {
    PrintRowsAsJson(rows, out);
  } else {
    PrintRows(rows, out);
  }
  return kDone;
}

void DefineTrialCollections(Command* command) {
  auto options = std::make_shared<TrialCollectionsOptions>();
  command->Run(&options->run);
  command->Json(&options->json);
  command->Footer("Example:\n  warden trial collections runs/a");
  command->Runs(options, ListCollections);
}

}  // namespace

CommandEntry TrialCollections() {
  return {"collections", "List the collections of a run", DefineTrialCollections};
}

}  // namespace warden::cli
