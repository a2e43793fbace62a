#ifndef WARDEN_VIEW_SERIES_SERIES_TABLE_H_
#define WARDEN_VIEW_SERIES_SERIES_TABLE_H_

// All statistics of a run over its steps, in bounded memory: the data behind the dashboard's charts
// of tensors. RunSeries fills it on its thread; curve.h, heatmap.h, tensor_list.h and compare.h
// read it.
//
//   table.AddSteps(steps);
//   table.Add(table.AddWorker("worker_0"), data);
//   if (const TensorEntry* tensor = table.Find("loss")) Use(tensor->saved);

#include <cstdint>
#include <functional>
#include <map>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <unordered_map>
#include <utility>
#include <vector>

#include "warden/base/strings.h"
#include "warden/view/series/axis.h"
#include "warden/view/series/column.h"
#include "warden/view/series/step_data.h"

namespace warden::view {

// What one worker saved of a tensor in one mode. Workers and modes are kept apart, since their
// steps differ.
struct Saved {
  WorkerId worker = 0;
  Mode mode = Mode::kGlobal;
  int64_t steps = 0;  // How many steps; may be too large where steps were read again after joining.
  Step first = 0;     // Global.
  Step last = 0;
  std::vector<std::pair<Statistic, Column>> columns;  // By statistic.
  // Those of its steps without any number, such as of text, so that they can be forgotten; not kept
  // where steps are joined.
  std::vector<Step> bare;

  // The column of a statistic, or null if it was not kept. Belongs to this object. A binary search.
  const Column* Find(Statistic statistic) const;
};

// One tensor of the run. Owns its numbers. shape is the last one that was saved: batches may differ
// in size.
struct TensorEntry {
  std::string name;
  std::optional<DType> dtype;  // None: its values were never saved.
  std::optional<std::vector<int64_t>> shape;
  std::vector<uint32_t> collections;  // Positions in Table::collections().
  std::vector<Saved> saved;           // By worker and mode, in the order in which they came.
};

// Statistics of all tensors of a run over its steps, in bounded memory: where they would take more,
// neighboring steps are joined, and the minimum and maximum of their numbers are kept. Not safe for
// threads; RunSeries guards it with a lock. With 64 slots or fewer nothing is joined any more:
// numbers of further tensors are left out then.
class Table {
 public:
  // budget: what the columns may take, in bytes. It may be exceeded by a little.
  explicit Table(size_t budget) : budget_(budget) {}

  // Adds steps to the axis, ascending, each once; known ones are ignored. Steps that belong before
  // known ones move all numbers, which takes time in proportion to the table; a run that grows
  // never does that.
  void AddSteps(std::span<const Step> steps);
  // The number of a worker, which is added if it is new.
  WorkerId AddWorker(std::string_view name);
  // Adds what a worker saved in a step. May join steps to stay within the budget, which invalidates
  // slots. REQUIRES: the step and the worker were added, and descriptions come in the order of
  // TensorIds. Where several workers saved a step, its time is the earliest.
  void Add(WorkerId worker, const StepData& data);
  // Removes what a worker saved in a step, before it is added again because its files were
  // rewritten. Does nothing once steps are joined: minimum and maximum do not show what they came
  // from.
  void Forget(WorkerId worker, Step step);

  // The steps; slot i has the positions from i * steps_per_slot() on.
  const Axis& axis() const { return axis_; }
  Axis& axis() { return axis_; }
  // How many steps share a slot: 1, then 4, 8, 16, ...
  size_t steps_per_slot() const { return steps_per_slot_; }
  size_t slots() const { return (axis_.size() + steps_per_slot_ - 1) / steps_per_slot_; }
  // By TensorId, in the order in which the first steps have them, which is that of the model.
  // Entries may move when tensors are added.
  const std::vector<TensorEntry>& tensors() const { return tensors_; }
  std::vector<TensorEntry>& tensors() { return tensors_; }
  // Names by WorkerId.
  const std::vector<std::string>& workers() const { return workers_; }
  // Names of collections. Setting other ones removes every tensor from its collections.
  const std::vector<std::string>& collections() const { return collections_; }
  void set_collections(std::vector<std::string> collections);
  // Whether the tensor is in the collection of that name; every tensor is in the one with an empty
  // name.
  bool IsIn(const TensorEntry& tensor, std::string_view collection) const;
  // By name; null if there is no such tensor. Valid until tensors are added.
  const TensorEntry* Find(std::string_view tensor) const;
  // Memory in use, by its own estimate.
  size_t bytes() const { return bytes_; }
  // Numbers that were dropped since there is no memory for them even with few slots left.
  uint64_t left_out() const { return left_out_; }

 private:
  // The entry of a worker and mode, made if it is new.
  Saved& SavedOf(TensorEntry* tensor, WorkerId worker, Mode mode);
  // The column, created if it is new; null if there is no memory for another.
  Column* ColumnOf(Saved* saved, Statistic statistic);
  // Takes in a new tensor, or what has changed of a known one.
  void Describe(const Description& described);
  // Replaces the number where each step has its slot; widens minimum and maximum where steps are
  // joined.
  void Put(Column* column, size_t slot, double value);
  // Notes a step without numbers; DropBare forgets all of them, once steps are joined.
  void AddBare(Saved* saved, Step step);
  void DropBare();
  // Moves the numbers of each slot to place(slot); those that meet are joined.
  void MoveAll(const std::function<size_t(size_t)>& place);
  // Joins four slots at first and two from then on: a joined slot has two numbers, so joining two
  // would gain nothing the first time.
  void KeepWithinBudget();

  const size_t budget_;
  Axis axis_;
  size_t steps_per_slot_ = 1;
  std::vector<TensorEntry> tensors_;
  std::unordered_map<std::string, TensorId, StringHash, std::equal_to<>> ids_;
  std::vector<std::string> workers_;
  std::vector<std::string> collections_;
  std::map<std::string, WorkerId, std::less<>> worker_ids_;
  size_t bytes_ = 0;
  uint64_t left_out_ = 0;
};

}  // namespace warden::view

#endif  // WARDEN_VIEW_SERIES_SERIES_TABLE_H_
