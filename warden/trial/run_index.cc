#include "warden/trial/run_index.h"

#include <algorithm>
#include <iterator>
#include <tuple>

#include "warden/format/reduction_tensor.h"

namespace warden::trial {
namespace {

auto LocationKey(const Location& location) {
  return std::tuple(location.step, location.worker, location.slot);
}

// Puts the item into its place among sorted ones, over one with the same key. Nearly always that
// place is the end.
template <class T, class Key>
void InsertSorted(std::vector<T>* items, T item, Key key) {
  auto place = items->end();
  while (place != items->begin() && key(item) < key(*(place - 1))) --place;
  if (place != items->begin() && key(*(place - 1)) == key(item)) {
    *(place - 1) = std::move(item);
  } else {
    items->insert(place, std::move(item));
  }
}

}  // namespace

void RunIndex::Add(Step step, std::string_view worker_name, const format::IndexFile& file) {
  const WorkerId worker = InternWorker(worker_name);
  const auto id = static_cast<FileId>(files_.size());
  files_.push_back({step, worker, file.mode, file.mode_step, std::string(file.event_file), false});
  if (auto [at, is_new] = file_of_.try_emplace({step, worker}, id); !is_new) {
    files_[at->second].replaced = true;
    at->second = id;
  }
  AddStep(step, worker, file.mode, file.mode_step);

  for (size_t i = 0; i < file.entries.size(); ++i) {
    const format::IndexEntry& entry = file.entries[i];
    const Remembered& what = Resolve(i, entry.tensor);
    InsertSorted(&tensors_[what.tensor].locations,
                 Location{step, worker, id, entry.start, entry.length, what.slot}, LocationKey);
  }
  for (const format::IndexShape& shape : file.shapes) {
    Tensor& tensor = tensors_[InternTensor(shape.tensor)];
    tensor.original_name = shape.original_name;
    InsertSorted(&tensor.shapes, SavedShape{step, worker, id, shape.shape},
                 [](const SavedShape& s) { return std::pair(s.step, s.worker); });
  }
}

bool RunIndex::HasFile(Step step, std::string_view worker) const {
  const auto known = FindWorker(worker);
  return known && file_of_.contains({step, *known});
}

const RunIndex::Remembered& RunIndex::Resolve(size_t place, std::string_view name) {
  if (place >= remembered_.size()) remembered_.resize(place + 1);
  Remembered& here = remembered_[place];
  if (here.name == name && !name.empty()) return here;
  here.name = name;
  if (const auto reduced = format::ParseReductionTensorName(name)) {
    here.tensor = InternTensor(reduced->tensor);
    here.slot = static_cast<Slot>(reduced->reduction.index());
  } else {
    here.tensor = InternTensor(name);
    here.slot = kRawSlot;
  }
  return here;
}

TensorId RunIndex::InternTensor(std::string_view name) {
  if (const auto known = FindTensor(name)) return *known;
  const auto id = static_cast<TensorId>(tensors_.size());
  tensors_.push_back({std::string(name), {}, {}, {}});
  tensor_ids_.emplace(name, id);
  return id;
}

WorkerId RunIndex::InternWorker(std::string_view name) {
  if (const auto known = FindWorker(name)) return *known;
  const auto id = static_cast<WorkerId>(worker_names_.size());
  worker_names_.emplace_back(name);
  worker_ids_.emplace(name, id);
  return id;
}

std::optional<WorkerId> RunIndex::FindWorker(std::string_view name) const {
  const auto found = worker_ids_.find(name);
  return found == worker_ids_.end() ? std::nullopt : std::optional(found->second);
}

void RunIndex::AddStep(Step step, WorkerId worker, Mode mode, Step mode_step) {
  // The first to tell of a step decides its mode, here and in the mode's own map.
  if (mode != Mode::kGlobal) mode_to_global_[mode].try_emplace(mode_step, step);
  StepInfo& info = steps_.try_emplace(step, StepInfo{{mode, mode_step}, {}}).first->second;
  info.workers.insert(worker);
  if (AllWorkersWrote(step)) last_complete_step_ = std::max(last_complete_step_, step);
}

void RunIndex::GiveUpOldSteps(int64_t window) {
  const auto known = static_cast<int64_t>(steps_.size());
  if (known - (last_complete_step_ + 1) > window) last_complete_step_ += window / 2;
}

void RunIndex::MarkEnded() {
  ended_ = true;
  if (!steps_.empty()) last_complete_step_ = steps_.rbegin()->first;
}

bool RunIndex::AllWorkersWrote(Step global_step) const {
  const auto found = steps_.find(global_step);
  return found != steps_.end() && std::ssize(found->second.workers) == num_workers_;
}

bool RunIndex::IsComplete(Step global_step) const {
  return ended_ || global_step <= last_complete_step_ || AllWorkersWrote(global_step);
}

std::vector<Step> RunIndex::Steps(Mode mode, bool include_incomplete) const {
  std::vector<Step> steps;
  const auto add = [&](Step shown, Step global) {
    if (include_incomplete || IsComplete(global)) steps.push_back(shown);
  };
  if (mode == Mode::kGlobal) {
    for (const auto& [step, info] : steps_) add(step, step);
  } else if (const auto of_mode = mode_to_global_.find(mode); of_mode != mode_to_global_.end()) {
    for (const auto& [step, global] : of_mode->second) add(step, global);
  }
  return steps;
}

std::vector<Step> RunIndex::StepsAfter(Step step) const {
  std::vector<Step> steps;
  for (auto at = steps_.upper_bound(step); at != steps_.end(); ++at) {
    if (IsComplete(at->first)) steps.push_back(at->first);
  }
  return steps;
}

std::optional<Step> RunIndex::NextStep(Mode mode, Step step) const {
  if (mode == Mode::kGlobal) {
    const auto next = steps_.lower_bound(step);
    return next == steps_.end() ? std::nullopt : std::optional(next->first);
  }
  const auto of_mode = mode_to_global_.find(mode);
  if (of_mode == mode_to_global_.end()) return std::nullopt;
  const auto next = of_mode->second.lower_bound(step);
  return next == of_mode->second.end() ? std::nullopt : std::optional(next->first);
}

std::optional<Step> RunIndex::LastStep(Mode mode) const {
  const std::vector<Step> steps = Steps(mode, /*include_incomplete=*/true);
  return steps.empty() ? std::nullopt : std::optional(steps.back());
}

std::optional<ModeStep> RunIndex::ModeOf(Step global_step) const {
  const auto found = steps_.find(global_step);
  return found == steps_.end() ? std::nullopt : std::optional(found->second.mode);
}

std::optional<Step> RunIndex::GlobalStep(Mode mode, Step step) const {
  if (mode == Mode::kGlobal) return step;
  const auto of_mode = mode_to_global_.find(mode);
  if (of_mode == mode_to_global_.end()) return std::nullopt;
  const auto found = of_mode->second.find(step);
  return found == of_mode->second.end() ? std::nullopt : std::optional(found->second);
}

std::vector<Mode> RunIndex::Modes() const {
  std::vector<Mode> modes;
  for (const auto& [mode, steps] : mode_to_global_) modes.push_back(mode);
  return modes;
}

std::vector<std::string> RunIndex::Workers() const {
  std::vector<std::string> names = worker_names_;
  std::sort(names.begin(), names.end());
  return names;
}

std::optional<TensorId> RunIndex::FindTensor(std::string_view name) const {
  const auto found = tensor_ids_.find(name);
  return found == tensor_ids_.end() ? std::nullopt : std::optional(found->second);
}

bool RunIndex::SavedInMode(TensorId tensor, Mode mode) const {
  const auto in_mode = [&](const auto& saved) {
    return Counts(saved.file) && files_[saved.file].mode == mode;
  };
  const Tensor& t = tensors_[tensor];
  return std::any_of(t.locations.begin(), t.locations.end(), in_mode) ||
         std::any_of(t.shapes.begin(), t.shapes.end(), in_mode);
}

bool RunIndex::SavedAt(TensorId tensor, Step global_step) const {
  return !WorkersOf(tensor, global_step).empty();
}

bool RunIndex::SavedByWorker(TensorId tensor, std::string_view worker,
                             std::optional<Step> global_step) const {
  if (global_step) return Find(tensor, *global_step, worker).has_value();
  const auto known = FindWorker(worker);
  const auto by_worker = [&](const auto& saved) {
    return Counts(saved.file) && saved.worker == known;
  };
  const Tensor& t = tensors_[tensor];
  return std::any_of(t.locations.begin(), t.locations.end(), by_worker) ||
         std::any_of(t.shapes.begin(), t.shapes.end(), by_worker);
}

std::vector<Step> RunIndex::StepsOf(TensorId tensor) const {
  const auto steps_in = [&](const auto& saved) {
    std::vector<Step> steps;
    for (const auto& item : saved) {
      if (Counts(item.file) && (steps.empty() || steps.back() != item.step)) {
        steps.push_back(item.step);
      }
    }
    return steps;
  };
  const std::vector<Step> located = steps_in(tensors_[tensor].locations);
  const std::vector<Step> shaped = steps_in(tensors_[tensor].shapes);
  std::vector<Step> all;
  std::set_union(located.begin(), located.end(), shaped.begin(), shaped.end(),
                 std::back_inserter(all));
  return all;
}

std::vector<std::string> RunIndex::WorkersOf(TensorId tensor, Step global_step) const {
  std::set<std::string> names;
  const auto collect = [&](const auto& saved) {
    auto at = std::lower_bound(saved.begin(), saved.end(), global_step,
                               [](const auto& item, Step step) { return item.step < step; });
    for (; at != saved.end() && at->step == global_step; ++at) {
      if (Counts(at->file)) names.insert(worker_names_[at->worker]);
    }
  };
  collect(tensors_[tensor].locations);
  collect(tensors_[tensor].shapes);
  return {names.begin(), names.end()};
}

std::vector<StepRecord> RunIndex::RecordsAt(Step global_step) const {
  std::vector<StepRecord> records;
  const auto at_step = [&](const auto& saved) {
    return std::lower_bound(saved.begin(), saved.end(), global_step,
                            [](const auto& item, Step step) { return item.step < step; });
  };
  const auto has = [&](TensorId tensor, WorkerId worker, size_t first) {
    return std::any_of(records.begin() + static_cast<ptrdiff_t>(first), records.end(),
                       [&](const StepRecord& record) {
                         return record.tensor == tensor && record.location.worker == worker;
                       });
  };
  for (TensorId id = 0; id < tensors_.size(); ++id) {
    const Tensor& t = tensors_[id];
    const size_t first = records.size();
    for (auto at = at_step(t.locations); at != t.locations.end() && at->step == global_step; ++at) {
      if (Counts(at->file)) records.push_back({id, *at});
    }
    for (auto at = at_step(t.shapes); at != t.shapes.end() && at->step == global_step; ++at) {
      if (!Counts(at->file) || has(id, at->worker, first)) continue;
      records.push_back({id, {global_step, at->worker, at->file, 0, 0, kRawSlot}});
    }
  }
  return records;
}

std::optional<SavedTensor> RunIndex::Find(TensorId tensor, Step global_step,
                                          std::string_view worker) const {
  const auto known = FindWorker(worker);
  if (!known) return std::nullopt;
  const std::pair key(global_step, *known);
  const auto before = [](const auto& item, const auto& wanted) {
    return std::pair(item.step, item.worker) < wanted;
  };
  const auto same = [&](const auto& item) { return std::pair(item.step, item.worker) == key; };

  SavedTensor saved;
  bool any = false;
  const Tensor& t = tensors_[tensor];
  auto at = std::lower_bound(t.locations.begin(), t.locations.end(), key, before);
  for (; at != t.locations.end() && same(*at); ++at) {
    if (!Counts(at->file)) continue;
    any = true;
    if (at->slot == kRawSlot) {
      saved.raw = &*at;
    } else {
      saved.reductions.push_back(&*at);
    }
  }
  const auto shape = std::lower_bound(t.shapes.begin(), t.shapes.end(), key, before);
  if (shape != t.shapes.end() && same(*shape) && Counts(shape->file)) {
    any = true;
    saved.shape = &shape->shape;
  }
  return any ? std::optional(std::move(saved)) : std::nullopt;
}

}  // namespace warden::trial
