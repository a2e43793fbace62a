// The input as a file of a run that is read for few of its values: an index, in which records of
// single tensors are looked up; the records of scalars; the facts that the hook has noted of a
// training.

#include <algorithm>
#include <cmath>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "fuzz/check.h"
#include "warden/base/json.h"
#include "warden/base/json_members.h"
#include "warden/format/event_message.h"
#include "warden/format/index_file.h"
#include "warden/format/layout.h"
#include "warden/rules/step_tensors.h"
#include "warden/rules/training/training_log.h"
#include "warden/storage/mem_store.h"
#include "warden/trial/run_scalars.h"
#include "warden/trial/step_reader.h"
#include "warden/view/series/worker_place.h"
#include "warden/view/values/index_look.h"

namespace warden::fuzz {
namespace {

constexpr char kWorker[] = "worker_0";
constexpr char kFacts[] = "training/facts";

void Put(storage::Store* store, std::string_view key, std::string_view text) {
  Check(store->Put(key, AsBytes(text)).ok());
}

struct Tensor {
  std::string name;
  DType dtype = DType::kFloat32;
  std::string bytes;
};

// Adds a step whose tensors have one dimension.
void AddStep(storage::Store* store, Step step, const std::vector<Tensor>& tensors) {
  const std::string key = format::EventFileKey(step, kWorker);
  format::IndexFile index;
  index.mode_step = step;
  index.event_file = key;
  std::string events;
  for (const Tensor& tensor : tensors) {
    const int64_t size = tensor.dtype == DType::kUInt8 ? 1 : 4;
    const std::vector<int64_t> shape = {static_cast<int64_t>(tensor.bytes.size()) / size};
    const format::TensorEventHeader header{1.0,  step,         tensor.name, Mode::kGlobal,
                                           step, tensor.dtype, shape,       tensor.bytes.size()};
    std::string head, tail;
    format::EncodeTensorRecord(header, &head, &tail);
    const size_t start = events.size();
    events += head + tensor.bytes + tail;
    index.entries.push_back({tensor.name, start, events.size() - start});
  }
  Put(store, key, events);
  Put(store, format::IndexFileKey(step, kWorker), format::EncodeIndexFile(index));
}

const Tensor kOne = {"scalar/loss", DType::kFloat32, std::string("\0\0\x80\x3f", 4)};

// The facts about a scalar agree with each other.
void ReadScalars(const storage::Store& store) {
  const auto read = trial::ReadRunScalars(store, {});
  Check(read.ok());
  const trial::RunScalars& run = read.value();
  Check(run.scalars.size() <= 64 && run.hyper_parameters.size() <= 64);
  for (const auto& [name, summary] : run.scalars) {
    Check(summary.min.has_value() == summary.max.has_value());
    if (!summary.min) continue;
    Check(summary.min->first <= summary.max->first && std::isfinite(summary.max->first));
    Check(summary.min->second <= summary.last_step && summary.max->second <= summary.last_step);
  }
  for (const trial::BestStep& best : run.best) {
    const auto named = [&](const auto& pair) { return pair.first == best.name; };
    Check(std::ranges::any_of(run.scalars, named));
    Check(best.values.size() <= 32 && std::ranges::any_of(best.values, named));
  }
}

// A record of an index is found where the index has it.
void UseAsIndex(std::string_view text) {
  const auto store = storage::NewMemStore();
  AddStep(store.get(), 0, {kOne});
  const std::string key = format::IndexFileKey(1, kWorker);
  Put(store.get(), key, text);
  const auto mode = view::ReadModeStep(*store, key);
  if (!mode.ok()) Check(mode.status().code() == Code::kBadIndex);
  format::IndexParser parser;
  const auto parsed = parser.Parse(text);
  for (const char* name : {"a", "scalar/loss", "gradient/fc.weight", ""}) {
    const auto saved = view::ReadSavedRecords(*store, key, name);
    Check(saved.ok() || (!parsed.ok() && saved.status().code() == Code::kBadIndex));
  }
  ReadScalars(*store);
  if (!parsed.ok()) return;
  Check(mode.ok());
  // With escapes, the same name may be written in other ways.
  if (text.find('\\') != std::string_view::npos) return;
  const auto& entries = parsed.value()->entries;
  for (size_t i = 0; i < entries.size() && i < 8; ++i) {
    const auto saved = view::ReadSavedRecords(*store, key, entries[i].tensor);
    Check(saved.ok());
    if (!saved.value()) continue;  // Of a reduction, which is looked up by its tensor.
    Check(saved.value()->event_file == parsed.value()->event_file);
    if (!saved.value()->raw) continue;
    Check(std::ranges::any_of(entries, [&](const format::IndexEntry& entry) {
      return entry.tensor == entries[i].tensor && entry.start == saved.value()->raw->start &&
             entry.length == saved.value()->raw->length;
    }));
  }
}

// All of an event file is one record, whatever it is.
void UseAsRecord(std::string_view text) {
  const auto store = storage::NewMemStore();
  AddStep(store.get(), 0, {kOne});
  format::IndexFile index;
  const std::string key = format::EventFileKey(1, kWorker);
  index.event_file = key;
  for (const char* name : {"scalar/loss", "odd", "hyperparameters/eta"}) {
    index.entries.push_back({name, 0, text.size()});
  }
  Put(store.get(), key, text);
  Put(store.get(), format::IndexFileKey(1, kWorker), format::EncodeIndexFile(index));
  ReadScalars(*store);
}

// What a parser of JSON finds in the facts is what the log and the place of a worker have.
void UseAsFacts(std::string_view text) {
  auto owned = storage::NewMemStore();
  AddStep(owned.get(), 0, {{kFacts, DType::kUInt8, std::string(text)}, kOne});
  Put(owned.get(), format::kEndMarker, "");
  const std::shared_ptr<storage::Store> store = std::move(owned);
  const auto trial = trial::Trial::Open(store, trial::LookOptions());
  Check(trial.ok());
  const auto json = ParseJson(text);
  const bool is_object = json.ok() && json.value().is_object();
  const view::WorkerPlace place = view::PlaceOf(*trial.value(), kWorker);
  Check(place.host == (is_object ? TextOf(MemberOf(json.value(), "host")) : ""));

  std::vector<rules::Matcher> matchers;
  matchers.push_back(rules::Matcher::Make(rules::TrainingLog::Input(), *trial.value()).value());
  rules::StepTensors tensors(trial.value().get(), std::move(matchers));
  trial::StepReader reader = trial.value()->ReaderOf(0);
  tensors.Load(&reader);
  rules::TrainingLog log;
  log.Read(tensors.Selected(0));
  Check(log.facts_are_new() == is_object && log.facts().is_object());
  for (const auto& [name, value] : log.facts().items()) {
    const std::vector<std::string> names = log.Names(name);
    Check(names.size() <= value.size());
    Check(names.empty() == rules::SomeOf(names).empty() || names.front().empty() ||
          rules::Short(names.front()).empty());
    Check(log.Line(name).empty() == log.Text(name).empty());
    Check(log.ModuleOf(name).empty() || log.facts().contains("parameters"));
    (void)log.RankOf(name);
  }
}

}  // namespace
}  // namespace warden::fuzz

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  const std::string_view text = warden::fuzz::Text(data, size);
  warden::fuzz::UseAsIndex(text);
  warden::fuzz::UseAsRecord(text);
  warden::fuzz::UseAsFacts(text);
  return 0;
}
