#ifndef WARDEN_VIEW_SERIES_TABLE_H_
#define WARDEN_VIEW_SERIES_TABLE_H_

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

// What one worker saved of a tensor in one mode.
struct Saved {
  WorkerId worker = 0;
  Mode mode = Mode::kGlobal;
  int64_t steps = 0;
  Step first = 0;  // Global.
  Step last = 0;
  std::vector<std::pair<Statistic, Column>> columns;  // By statistic.
  // Those of its steps without any number, such as of text, so that they can be forgotten; not kept
  // where steps are joined.
  std::vector<Step> bare;

  const Column* Find(Statistic statistic) const;
};

struct TensorEntry {
  std::string name;
  std::optional<DType> dtype;  // None: its values were never saved.
  std::optional<std::vector<int64_t>> shape;
  std::vector<uint32_t> collections;  // Their numbers.
  std::vector<Saved> saved;
};

// Statistics of all tensors of a run over its steps, in bounded memory: where they would take more,
// neighbouring steps are joined, and of their numbers the least and the most are kept. Not safe for
// threads.
class Table {
 public:
  // What the columns may take, in bytes.
  explicit Table(size_t budget) : budget_(budget) {}

  // Ascending, each once; known ones are passed over.
  void AddSteps(std::span<const Step> steps);
  // The number of a worker, who is added if he is new.
  WorkerId AddWorker(std::string_view name);
  // REQUIRES: the step and the worker were added.
  void Add(WorkerId worker, const StepData& data);
  // Before a step is added again that the worker has written anew.
  void Forget(WorkerId worker, Step step);

  const Axis& axis() const { return axis_; }
  Axis& axis() { return axis_; }
  // How many steps share a slot.
  size_t steps_per_slot() const { return steps_per_slot_; }
  size_t slots() const { return (axis_.size() + steps_per_slot_ - 1) / steps_per_slot_; }
  // In the order in which the first steps have them, which is that of the model.
  const std::vector<TensorEntry>& tensors() const { return tensors_; }
  std::vector<TensorEntry>& tensors() { return tensors_; }
  const std::vector<std::string>& workers() const { return workers_; }
  // A tensor's collections are places among these. With other ones, no tensor is in any.
  const std::vector<std::string>& collections() const { return collections_; }
  void set_collections(std::vector<std::string> collections);
  // Whether the tensor is in the collection of that name; every one is in the one without a name.
  bool IsIn(const TensorEntry& tensor, std::string_view collection) const;
  const TensorEntry* Find(std::string_view tensor) const;
  size_t bytes() const { return bytes_; }
  // Numbers that were left out since there is no memory for them even with all steps joined.
  uint64_t left_out() const { return left_out_; }

 private:
  Saved& SavedOf(TensorEntry* tensor, WorkerId worker, Mode mode);
  // None if there is no memory for another.
  Column* ColumnOf(Saved* saved, Statistic statistic);
  void Describe(const Description& described);
  void Put(Column* column, size_t slot, double value);
  void AddBare(Saved* saved, Step step);
  void DropBare();
  void MoveAll(const std::function<size_t(size_t)>& place);
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

#endif  // WARDEN_VIEW_SERIES_TABLE_H_
