// Binds warden/trial: the content of a run. trial_values.cc binds the values.
#include "warden/trial/trial.h"

#include <nanobind/nanobind.h>
#include <nanobind/stl/optional.h>
#include <nanobind/stl/pair.h>
#include <nanobind/stl/string.h>
#include <nanobind/stl/string_view.h>
#include <nanobind/stl/unique_ptr.h>
#include <nanobind/stl/vector.h>

#include "python/src/conversions.h"
#include "python/src/gil.h"
#include "warden/base/json.h"
#include "warden/trial/run_origin.h"

namespace nb = nanobind;
using namespace nb::literals;

namespace warden::python {
namespace {

using trial::Trial;
using NameList = std::vector<std::string>;

std::unique_ptr<Trial> Open(const std::string& path, std::optional<Step> range_begin,
                            std::optional<Step> range_end, double timeout_s) {
  trial::TrialOptions options = trial::TrialOptions::FromEnvironment();
  options.range_begin = range_begin;
  options.range_end = range_end;
  options.collections_timeout = ToMilliseconds(timeout_s);
  options.give_up = Interrupted;
  return WithoutGil([&]() -> Result<std::unique_ptr<Trial>> {
    auto store = storage::OpenStore(path);
    if (!store.ok()) return store.status();
    return Trial::Open(std::move(store.value()), options);
  });
}

std::pair<int, size_t> Refresh(Trial* trial) {
  const int new_files = WithoutGil([&] { return trial->Refresh(); }).new_files;
  return {new_files, trial->problems().size()};
}

bool WaitForChange(Trial* trial, double timeout_s) {
  const nb::gil_scoped_release released;
  return trial->WaitForChange(ToMilliseconds(timeout_s));
}

Step LastStep(const Trial& trial, int mode) {
  const std::vector<Step> steps = trial.Steps(ToMode(mode), /*include_incomplete=*/true);
  return steps.empty() ? -1 : steps.back();
}

std::vector<int> Modes(const Trial& trial) {
  std::vector<int> modes;
  for (const Mode mode : trial.Modes()) modes.push_back(static_cast<int>(mode));
  return modes;
}

std::optional<std::pair<int, Step>> ModeOf(const Trial& trial, Step global_step) {
  const auto at = trial.ModeOf(global_step);
  if (!at) return std::nullopt;
  return std::pair(static_cast<int>(at->mode), at->step);
}

// Returns the names of the tensors saved at the step and in the mode. `only` limits them to its
// names and to those that match one of its patterns.
NameList TensorNames(const Trial& trial, std::optional<Step> step, int mode,
                     const std::optional<std::pair<NameList, NameList>>& only) {
  const trial::NameFilter filter = {.step = step, .mode = ToMode(mode)};
  return WithoutGil([&]() -> Result<NameList> {
    auto names = trial.TensorNames(filter);
    if (!only || !names.ok()) return names;
    config::Collection wanted;
    wanted.tensor_names = {only->first.begin(), only->first.end()};
    wanted.include_regex = only->second;
    const auto matcher = config::CollectionMatcher::Make(wanted);
    if (!matcher.ok()) return matcher.status();
    std::erase_if(names.value(),
                  [&](const std::string& name) { return !matcher.value().Matches(name); });
    return names;
  });
}

NameList Collections(const Trial& trial) {
  NameList json;
  for (const auto& [name, collection] : trial.collections()) {
    json.push_back(DumpLikePython(config::ToJson(collection)));
  }
  return json;
}

nb::list Problems(const Trial& trial) {
  nb::list problems;
  for (const trial::Problem& problem : trial.problems()) {
    problems.append(nb::make_tuple(ToText(problem.file), problem.offset, ToText(problem.message)));
  }
  return problems;
}

}  // namespace

void InitTrialValues(nb::class_<Trial>& trial);

void InitTrial(nb::module_& module) {
  module.def("is_secret_name", &trial::IsSecretName, "name"_a,
             "Whether a variable or argument of this name holds a secret.");
  nb::class_<Trial> trial(module, "Trial",
                          "A run. Modes are numbers; an empty worker means the first.");
  trial
      .def_static("open", &Open, "path"_a, "range_begin"_a.none(), "range_end"_a.none(),
                  "timeout_s"_a, "Raises Unavailable if the collections do not appear in time.")
      .def("refresh", &Refresh, "Reads new data; returns new index files and problems so far.")
      .def("wait_for_change", &WaitForChange, "timeout_s"_a,
           "Returns False if there is nothing new.")
      .def_prop_ro("location", [](const Trial& t) { return ToText(t.location()); })
      .def_prop_ro("num_workers", &Trial::num_workers)
      .def_prop_ro("workers", [](const Trial& t) { return ToTexts(t.workers()); })
      .def_prop_ro("loaded_all_steps", &Trial::loaded_all_steps)
      .def_prop_ro("last_complete_step", &Trial::last_complete_step)
      .def("problems", &Problems, "Returns (file, byte offset or None, message) of each problem.")
      .def("collections", &Collections, "Returns each as JSON, in the order of the manifest.")
      .def(
          "steps",
          [](const Trial& t, int mode, bool incomplete) {
            return t.Steps(ToMode(mode), incomplete);
          },
          "mode"_a, "include_incomplete"_a)
      .def("last_step", &LastStep, "mode"_a,
           "Returns the last step, complete or not; -1 if there is none.")
      .def("modes", &Modes)
      .def("mode_of", &ModeOf, "global_step"_a)
      .def(
          "global_step",
          [](const Trial& t, int mode, Step step) { return t.GlobalStep(ToMode(mode), step); },
          "mode"_a, "step"_a)
      .def(
          "has_passed_step",
          [](const Trial& t, Step step, int mode) {
            return static_cast<int>(t.HasPassedStep(step, ToMode(mode)));
          },
          "step"_a, "mode"_a)
      .def("tensor_names", &TensorNames, "step"_a.none(), "mode"_a, "only"_a.none(),
           "only: names and patterns, one of which must match.")
      .def("has_tensor", &Trial::HasTensor, "tensor"_a);
  InitTrialValues(trial);
}

}  // namespace warden::python
