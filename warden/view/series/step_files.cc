#include "warden/view/series/step_files.h"

#include <algorithm>

#include "warden/format/layout.h"

namespace warden::view {
namespace {

std::pair<Step, WorkerId> KeyFor(const StepFile& file) { return {file.step, file.worker}; }

}  // namespace

void StepFiles::Add(std::vector<Found>* found) {
  const auto id = [](const Found& file) { return std::pair(file.step, file.worker); };
  std::ranges::sort(*found, {}, id);
  const auto twice = std::ranges::unique(*found, {}, id);
  found->erase(twice.begin(), twice.end());

  const auto known = static_cast<ptrdiff_t>(files_.size());
  std::erase_if(*found, [&](const Found& file) {
    SetKey(file);
    const auto end = files_.begin() + known;
    const auto at = std::ranges::lower_bound(files_.begin(), end, id(file), {}, KeyFor);
    if (at == end || KeyFor(*at) != id(file)) {
      files_.push_back({.step = file.step, .worker = file.worker});
      return false;
    }
    at->tries = 0;
    at->counted |= !at->waits;
    return std::exchange(at->waits, true);
  });
  const auto middle = files_.begin() + known;
  if (known > 0 && middle != files_.end() && KeyFor(*middle) < KeyFor(*(middle - 1))) {
    std::ranges::sort(files_, {}, KeyFor);
  }
}

void StepFiles::SetKey(const Found& file) {
  const std::pair id(file.step, file.worker);
  if (file.key == format::IndexFileKey(file.step, file.worker_name)) {
    unusual_keys_.erase(id);
  } else {
    unusual_keys_[id] = file.key;
  }
}

bool StepFiles::Knows(Step step, WorkerId worker) const {
  return std::ranges::binary_search(files_, std::pair(step, worker), {}, KeyFor);
}

std::span<StepFile> StepFiles::At(Step step) {
  const auto range = std::ranges::equal_range(files_, step, {}, &StepFile::step);
  return {range.begin(), range.end()};
}

std::string StepFiles::KeyOf(const StepFile& file, std::string_view worker_name) const {
  const auto unusual = unusual_keys_.find(KeyFor(file));
  if (unusual != unusual_keys_.end()) return unusual->second;
  return format::IndexFileKey(file.step, worker_name);
}

std::vector<Step> StepFiles::Waiting() const {
  std::vector<Step> steps;
  for (const StepFile& file : files_) {
    if (file.waits && (steps.empty() || steps.back() != file.step)) steps.push_back(file.step);
  }
  return steps;
}

}  // namespace warden::view
