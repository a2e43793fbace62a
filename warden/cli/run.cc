#include "warden/cli/run.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <filesystem>

#include "warden/base/strings.h"
#include "warden/cli/text.h"
#include "warden/format/layout.h"
#include "warden/trial/find_runs.h"

namespace warden::cli {
namespace {

namespace fs = std::filesystem;

constexpr size_t kMostNames = 3;
constexpr std::array<std::string_view, 3> kRunFolders = {"collections/", "index/", "events/"};

bool HoldsRunFiles(const storage::Store& store) {
  return std::any_of(kRunFolders.begin(), kRunFolders.end(), [&](std::string_view folder) {
    const auto keys = store.List(folder);
    return keys.ok() && !keys.value().empty();
  });
}

// Ends at the first error: a server that does not answer is asked for a while.
Result<std::shared_ptr<const storage::Store>> OpenRunInS3(std::unique_ptr<storage::Store> store,
                                                          const std::string& name) {
  for (const std::string_view folder : kRunFolders) {
    const auto keys = store->List(folder);
    if (!keys.ok()) return keys.status();
    if (!keys.value().empty()) return std::shared_ptr<const storage::Store>(std::move(store));
  }
  return Status(Code::kNotFound,
                fmt::format("not a run: {}: no index/, events/ or collections/ below it", name));
}

}  // namespace

Result<std::shared_ptr<const storage::Store>> OpenRunStore(const std::string& name) {
  auto store = storage::OpenStore(name);
  if (!store.ok()) return store.status();
  if (storage::IsRemote(name)) return OpenRunInS3(std::move(store).value(), name);
  if (HoldsRunFiles(*store.value())) {
    return std::shared_ptr<const storage::Store>(std::move(store.value()));
  }
  std::error_code error;
  if (!fs::is_directory(store.value()->Locate(""), error)) {
    return Status(Code::kNotFound, fmt::format("no such folder: {}", name));
  }
  std::vector<std::string> below = trial::FindRuns(name);
  if (below.size() == 1 && fs::equivalent(below[0], store.value()->Locate(""), error)) {
    // Killed before its first step: it has the folders of a run, and nothing in them.
    return std::shared_ptr<const storage::Store>(std::move(store.value()));
  }
  std::string hint;
  if (!below.empty()) {
    below.resize(std::min(below.size(), kMostNames));
    hint = fmt::format("; found runs in {}", fmt::join(below, ", "));
  }
  return Status(
      Code::kNotFound,
      fmt::format("not a run: {}: no index/, events/ or collections/ below it{}", name, hint));
}

Result<Run> OpenRun(const std::string& name) {
  auto store = OpenRunStore(name);
  if (!store.ok()) return store.status();
  auto trial = trial::Trial::Open(store.value(), trial::LookOptions());
  if (!trial.ok()) return trial.status().WithContext(name);
  return Run{name, std::move(store.value()), std::move(trial.value())};
}

void TellProblems(const Run& run, Output* out) {
  const size_t count = run.trial->problems().size();
  if (count == 0) return;
  out->Tell(fmt::format("cannot read {}; run 'warden trial verify {}'", CountOf(count, "file"),
                        run.name));
}

Status CheckTensor(const Run& run, const std::string& tensor) {
  if (run.trial->HasTensor(tensor)) return Status();
  const auto names = run.trial->TensorNames();
  if (!names.ok()) return names.status();
  const auto nearest = NearestNames(tensor, names.value(), kMostNames);
  const std::string hint =
      nearest.empty()
          ? fmt::format("'warden trial tensors {}' lists all {}", run.name, names.value().size())
          : fmt::format("did you mean {}?", fmt::join(nearest, ", "));
  return Status(Code::kTensorUnavailable, fmt::format("no such tensor: {}: {}", tensor, hint));
}

Status CheckCollection(const Run& run, const std::string& collection) {
  const config::Collections& collections = run.trial->collections();
  if (collections.contains(collection)) return Status();
  std::vector<std::string> names;
  for (const auto& [name, unused] : collections) names.push_back(name);
  return Status(Code::kNotFound, fmt::format("no such collection: {}: the run has {}", collection,
                                             fmt::join(names, ", ")));
}

std::vector<Step> StepsOfTensor(const trial::Trial& trial, std::string_view tensor, Mode mode) {
  for (const bool include_incomplete : {false, true}) {
    auto steps = trial.TensorSteps(tensor, mode, include_incomplete);
    if (!steps.ok() || steps.value().empty()) continue;
    std::vector<Step> global;
    for (const Step step : steps.value()) {
      if (const auto found = trial.GlobalStep(mode, step)) global.push_back(*found);
    }
    return global;
  }
  return {};
}

CollectionFinder::CollectionFinder(const config::Collections& collections) {
  for (const auto& [name, collection] : collections) {
    auto matcher = config::CollectionMatcher::Make(collection);
    if (matcher.ok()) collections_.push_back({name, std::move(matcher.value())});
  }
}

std::vector<std::string> CollectionFinder::Find(std::string_view tensor) const {
  std::vector<std::string> names;
  for (const Named& collection : collections_) {
    if (collection.matcher.Matches(tensor)) names.push_back(collection.name);
  }
  return names;
}

}  // namespace warden::cli
