#include "warden/format/layout.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>

#include "warden/base/strings.h"

namespace warden::format {
namespace {

constexpr Step kStepsPerIndexFolder = 1000;
constexpr std::array<std::string_view, 3> kStepFileEndings = {".json", ".csv", ".tfevents"};
constexpr std::string_view kManifestEnding = "_collections.json";

std::string StepFileStem(Step step, std::string_view worker) {
  return fmt::format("{:012}_{}", step, WorkerToFileName(worker));
}

// The name without one of the endings of step files; empty if it has none.
std::string_view StripStepFileEnding(std::string_view name) {
  for (const std::string_view ending : kStepFileEndings) {
    if (name.ends_with(ending)) return name.substr(0, name.size() - ending.size());
  }
  return {};
}

std::string ReplaceBoth(std::string_view text, char a, char new_a, char b, char new_b) {
  std::string out(text);
  std::replace(out.begin(), out.end(), a, new_a);
  std::replace(out.begin(), out.end(), b, new_b);
  return out;
}

}  // namespace

std::string EventFileKey(Step step, std::string_view worker) {
  return fmt::format("{}{:012}/{}.tfevents", kEventsPrefix, step, StepFileStem(step, worker));
}

std::string IndexFileKey(Step step, std::string_view worker) {
  return fmt::format("{}{:09}/{}.json", kIndexPrefix, step / kStepsPerIndexFolder,
                     StepFileStem(step, worker));
}

std::string ManifestKey(std::string_view worker) {
  return fmt::format("{}{}{}", kCollectionsPrefix, WorkerToFileName(worker), kManifestEnding);
}

std::string TensorBoardKey(Mode mode, Step step, int pid, std::string_view host) {
  return fmt::format("{}/{:012}_{}_{}.tfevents", ModeName(mode), step, pid, host);
}

std::string_view BaseName(std::string_view key) { return key.substr(key.rfind('/') + 1); }

std::optional<StepFileName> ParseStepFileName(std::string_view key) {
  const std::string_view stem = StripStepFileEnding(BaseName(key));
  const size_t digits = stem.find_first_not_of("0123456789");
  if (digits == std::string_view::npos || stem[digits] != '_') return std::nullopt;
  const std::optional<Step> step = ParseInt(stem.substr(0, digits));
  const std::string_view worker = stem.substr(digits + 1);
  if (!step || worker.empty()) return std::nullopt;
  return StepFileName{*step, WorkerFromFileName(worker)};
}

std::optional<std::string> ParseManifestKey(std::string_view key) {
  const std::string_view name = BaseName(key);
  if (!name.ends_with(kManifestEnding) || name.size() == kManifestEnding.size()) {
    return std::nullopt;
  }
  return WorkerFromFileName(name.substr(0, name.size() - kManifestEnding.size()));
}

std::string WorkerToFileName(std::string_view worker) {
  if (!worker.starts_with('/')) return std::string(worker);
  return ReplaceBoth(worker, '/', '_', ':', '-');
}

std::string WorkerFromFileName(std::string_view name) {
  // The original turns back whatever has "__" anywhere in its path, so that a run under "my__runs"
  // has a worker "worker/0" in its index and "worker_0" in its collections. That a device's name
  // begins with '/' is enough to tell it, here as in the names of collections files.
  if (!name.starts_with('_')) return std::string(name);
  return ReplaceBoth(name, '_', '/', '-', ':');
}

}  // namespace warden::format
