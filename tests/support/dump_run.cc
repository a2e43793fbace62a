// Writes what trial::Trial sees in a run as JSON, in the form of tests/conformance/snapshot.py.
//   dump_run RUN OUT.json
#include <fmt/format.h>

#include <cstdio>
#include <fstream>
#include <string>

#include "warden/base/json.h"
#include "warden/trial/trial.h"

namespace {

using warden::Json;
using warden::Mode;
using warden::Step;
using warden::trial::Trial;

Json ToJson(const warden::trial::TensorValue& value) {
  std::string hex;
  for (const std::byte byte : value.data) {
    fmt::format_to(std::back_inserter(hex), "{:02x}", std::to_integer<int>(byte));
  }
  return {{"dtype", DTypeName(value.dtype)},
          {"shape", value.shape},
          {"data", hex},
          {"strings", value.strings}};
}

Json EntryOf(const Trial& trial, const std::string& name, Step step, const std::string& worker) {
  const auto at = trial.ModeOf(step).value();
  Json entry = {{"name", name},         {"step", step},
                {"worker", worker},     {"mode", ModeName(at.mode)},
                {"mode_step", at.step}, {"value", nullptr},
                {"shape", nullptr},     {"reductions", Json::object()},
                {"error", ""}};
  const auto value = trial.Value(name, step, Mode::kGlobal, worker);
  if (value.ok()) {
    entry["value"] = ToJson(value.value());
  } else if (value.status().code() != warden::Code::kTensorUnavailableForStep) {
    entry["error"] = value.status().message();
  }
  const auto shape = trial.Shape(name, step, Mode::kGlobal, worker);
  if (shape.ok()) entry["shape"] = shape.value();
  const auto reductions = trial.SavedReductions(name, step, Mode::kGlobal, worker);
  if (!reductions.ok()) return entry;
  for (const warden::Reduction reduction : reductions.value()) {
    const auto saved = trial.SavedReduction(name, step, reduction, Mode::kGlobal, worker);
    if (saved.ok()) entry["reductions"][ReductionName(reduction)] = ToJson(saved.value());
  }
  return entry;
}

Json Dump(const Trial& trial) {
  Json steps = Json::object(), tensor_steps = Json::object(), collections = Json::object();
  for (const Mode mode : warden::kAllModes) {
    steps[std::string(ModeName(mode))] = trial.Steps(mode);
  }
  for (const auto& [name, collection] : trial.collections()) {
    collections[name] = collection.tensor_names;
  }
  Json entries = Json::array();
  for (const std::string& name : trial.TensorNames().value()) {
    for (const Mode mode : warden::kAllModes) {
      tensor_steps[name][std::string(ModeName(mode))] = trial.TensorSteps(name, mode).value();
    }
    for (const Step step : trial.TensorSteps(name).value()) {
      for (const std::string& worker : trial.TensorWorkers(name, step).value()) {
        entries.push_back(EntryOf(trial, name, step, worker));
      }
    }
  }
  return {
      {"workers", trial.workers()},   {"num_workers", trial.num_workers()}, {"steps", steps},
      {"tensor_steps", tensor_steps}, {"collections", collections},         {"entries", entries}};
}

int Fail(const std::string& why) {
  fmt::print(stderr, "dump_run: {}\n", why);
  return 1;
}

}  // namespace

int main(int argc, char** argv) {
  if (argc != 3) return Fail("usage: dump_run RUN OUT.json");
  auto store = warden::storage::OpenStore(argv[1]);
  if (!store.ok()) return Fail(store.status().message());
  const auto trial = Trial::Open(std::move(store.value()), warden::trial::LookOptions());
  if (!trial.ok()) return Fail(trial.status().message());
  for (const warden::trial::Problem& problem : trial.value()->problems()) {
    return Fail(problem.file + ": " + problem.message);
  }
  std::ofstream out(argv[2]);
  out << warden::DumpLikePython(Dump(*trial.value()));
  out.close();
  return out ? 0 : Fail(std::string("cannot write ") + argv[2]);
}
