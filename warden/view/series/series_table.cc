#include "warden/view/series/series_table.h"

#include <algorithm>
#include <cmath>

namespace warden::view {
namespace {

// With fewer slots there is nothing left to see, and joining has no end.
constexpr size_t kFewestSlots = 64;
// What a column takes before it has any number, about.
constexpr size_t kColumnBytes = sizeof(std::pair<Statistic, Column>);

}  // namespace

const Column* Saved::Find(Statistic statistic) const {
  const auto found = std::ranges::lower_bound(columns, statistic, {},
                                              [](const auto& column) { return column.first; });
  return found == columns.end() || found->first != statistic ? nullptr : &found->second;
}

void Table::AddSteps(std::span<const Step> steps) {
  const std::vector<size_t> moved = axis_.Add(steps);
  if (moved.empty()) return;
  const size_t per = steps_per_slot_;
  MoveAll([&](size_t slot) { return moved[slot * per] / per; });
}

WorkerId Table::AddWorker(std::string_view name) {
  if (const auto known = worker_ids_.find(name); known != worker_ids_.end()) return known->second;
  const auto id = static_cast<WorkerId>(workers_.size());
  workers_.emplace_back(name);
  worker_ids_.emplace(name, id);
  return id;
}

void Table::Describe(const Description& described) {
  if (described.name) {
    ids_.emplace(*described.name, described.tensor);
    tensors_.emplace_back().name = *described.name;
    bytes_ += sizeof(TensorEntry) + 2 * described.name->size() + 64;
  }
  TensorEntry& tensor = tensors_[described.tensor];
  if (described.dtype) tensor.dtype = described.dtype;
  if (described.shape) tensor.shape = described.shape;
}

Saved& Table::SavedOf(TensorEntry* tensor, WorkerId worker, Mode mode) {
  for (Saved& saved : tensor->saved) {
    if (saved.worker == worker && saved.mode == mode) return saved;
  }
  bytes_ += sizeof(Saved);
  return tensor->saved.emplace_back(
      Saved{.worker = worker, .mode = mode, .columns = {}, .bare = {}});
}

Column* Table::ColumnOf(Saved* saved, Statistic statistic) {
  auto& columns = saved->columns;
  const auto place = std::ranges::lower_bound(columns, statistic, {},
                                              [](const auto& column) { return column.first; });
  if (place != columns.end() && place->first == statistic) return &place->second;
  const bool full = bytes_ > budget_ && slots() <= kFewestSlots;
  if (full) return nullptr;
  bytes_ += kColumnBytes;
  return &columns.emplace(place, statistic, Column())->second;
}

void Table::Put(Column* column, size_t slot, double value) {
  const size_t before = column->bytes();
  if (steps_per_slot_ == 1) {
    column->Set(slot, value);
  } else {
    column->Widen(slot, value, value);
  }
  bytes_ += column->bytes() - before;
}

void Table::Add(WorkerId worker, const StepData& data) {
  for (const Description& described : data.described) Describe(described);
  const std::optional<size_t> position = axis_.Find(data.step);
  if (!position) return;
  AxisStep& step = axis_[*position];
  step.mode = data.mode;
  step.mode_step = data.mode_step;
  if (!std::isnan(data.time) && !(step.time <= data.time)) step.time = data.time;
  const size_t slot = *position / steps_per_slot_;
  auto cell = data.cells.begin();
  for (const TensorId id : data.saved) {
    Saved& saved = SavedOf(&tensors_[id], worker, data.mode);
    saved.first = saved.steps == 0 ? data.step : std::min(saved.first, data.step);
    saved.last = saved.steps == 0 ? data.step : std::max(saved.last, data.step);
    ++saved.steps;
    if (cell == data.cells.end() || cell->tensor != id) AddBare(&saved, data.step);
    for (; cell != data.cells.end() && cell->tensor == id; ++cell) {
      Column* column = ColumnOf(&saved, cell->statistic);
      if (column == nullptr) {
        ++left_out_;
      } else {
        Put(column, slot, cell->value);
      }
    }
  }
  KeepWithinBudget();
}

void Table::AddBare(Saved* saved, Step step) {
  if (steps_per_slot_ > 1) return;
  saved->bare.push_back(step);
  bytes_ += sizeof(Step);
}

void Table::Forget(WorkerId worker, Step step) {
  const std::optional<size_t> position = axis_.Find(step);
  // What is joined stays: the least and the most do not tell whose they are.
  if (!position || steps_per_slot_ > 1) return;
  axis_[*position].time = std::numeric_limits<double>::quiet_NaN();
  for (TensorEntry& tensor : tensors_) {
    for (Saved& saved : tensor.saved) {
      if (saved.worker != worker) continue;
      bool erased = std::erase(saved.bare, step) > 0;
      if (erased) bytes_ -= sizeof(Step);
      for (auto& [statistic, column] : saved.columns) erased |= column.Erase(*position);
      if (erased) --saved.steps;
    }
  }
}

void Table::set_collections(std::vector<std::string> collections) {
  collections_ = std::move(collections);
  for (TensorEntry& tensor : tensors_) tensor.collections.clear();
}

bool Table::IsIn(const TensorEntry& tensor, std::string_view collection) const {
  return collection.empty() || std::ranges::any_of(tensor.collections, [&](uint32_t place) {
           return collections_[place] == collection;
         });
}

const TensorEntry* Table::Find(std::string_view tensor) const {
  const auto found = ids_.find(tensor);
  return found == ids_.end() ? nullptr : &tensors_[found->second];
}

void Table::MoveAll(const std::function<size_t(size_t)>& place) {
  for (TensorEntry& tensor : tensors_) {
    for (Saved& saved : tensor.saved) {
      for (auto& [statistic, column] : saved.columns) {
        const size_t before = column.bytes();
        column.Move(place);
        bytes_ += column.bytes() - before;
      }
    }
  }
}

void Table::DropBare() {
  for (TensorEntry& tensor : tensors_) {
    for (Saved& saved : tensor.saved) {
      bytes_ -= saved.bare.size() * sizeof(Step);
      saved.bare = {};
    }
  }
}

void Table::KeepWithinBudget() {
  while (bytes_ > budget_ && slots() > kFewestSlots) {
    // Joined slots have two numbers each, so that the first time it takes four to gain anything.
    const size_t factor = steps_per_slot_ == 1 ? 4 : 2;
    MoveAll([&](size_t slot) { return slot / factor; });
    steps_per_slot_ *= factor;
    DropBare();
  }
}

}  // namespace warden::view
