#include "warden/view/series/tensor_names.h"

#include "warden/format/reduction_tensor.h"

namespace warden::view {

std::optional<TensorNames::Meaning> TensorNames::Intern(std::string_view tensor) {
  if (const auto known = ids_.find(tensor); known != ids_.end()) {
    return Meaning{.tensor = known->second, .reduction = {}};
  }
  if (names_.size() >= kMost) return std::nullopt;
  const auto id = static_cast<TensorId>(names_.size());
  names_.push_back(&ids_.emplace(tensor, id).first->first);
  return Meaning{.tensor = id, .reduction = {}, .is_new = true};
}

std::optional<TensorNames::Meaning> TensorNames::Resolve(size_t place, std::string_view record) {
  if (place < remembered_.size() && remembered_[place].record == record) {
    return remembered_[place].meaning;
  }
  const auto reduced = format::ParseReductionTensorName(record);
  std::optional<Meaning> meaning = Intern(reduced ? reduced->tensor : record);
  if (!meaning) return std::nullopt;
  if (reduced) meaning->reduction = static_cast<Statistic>(reduced->reduction.index());
  if (place < kMost) {
    if (place >= remembered_.size()) remembered_.resize(place + 1);
    remembered_[place] = {std::string(record), *meaning};
    remembered_[place].meaning.is_new = false;
  }
  return meaning;
}

}  // namespace warden::view
