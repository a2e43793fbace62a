#include "warden/view/values/step_sampler.h"

#include <algorithm>

namespace warden::view {
namespace {

constexpr size_t kMostReads = 4096;  // A quarter of a second where steps have a thousand tensors.

// Evenly, with the first and the last.
std::vector<SavedTensor> Thin(std::vector<SavedTensor> all, size_t most) {
  if (all.size() <= most) return all;
  if (most == 1) return {std::move(all.back())};
  std::vector<SavedTensor> some;
  for (size_t i = 0; i < most; ++i) {
    some.push_back(std::move(all[i * (all.size() - 1) / (most - 1)]));
  }
  return some;
}

}  // namespace

std::optional<SavedTensor> StepSampler::LookAt(size_t place) {
  size_t reads = 0;
  auto found = look_(place, &reads);
  reads_left_ -= std::min(reads_left_, std::max<size_t>(reads, 1));
  return found;
}

std::vector<SavedTensor> StepSampler::Take(size_t begin, size_t end, size_t most) {
  if (begin >= end || most == 0) return {};
  if (end - begin <= kMostReads) {
    // A place may take several: of its mode, of workers that do not have the tensor.
    reads_left_ = 2 * kMostReads;
    auto all = TakeAll(begin, end);
    if (reads_left_ > 0) return Thin(std::move(all), most);
  }
  reads_left_ = kMostReads;
  return TakeParts(begin, end, std::min(most, end - begin));
}

std::vector<SavedTensor> StepSampler::TakeAll(size_t begin, size_t end) {
  std::vector<SavedTensor> all;
  for (size_t place = begin; place < end && reads_left_ > 0; ++place) {
    if (auto found = LookAt(place)) all.push_back(*std::move(found));
  }
  return all;
}

// Looks for two neighbours that have the tensor.
std::optional<StepSampler::Rhythm> StepSampler::LearnFrom(size_t begin, size_t end) {
  std::optional<Rhythm> rhythm;
  const size_t keep = reads_left_ - reads_left_ / 4;
  for (size_t place = begin; place < end && reads_left_ > keep; ++place) {
    const auto found = LookAt(place);
    if (!found) continue;
    const trial::ModeStep at = found->records.mode;
    const Step step = at.mode == Mode::kGlobal ? catalog_.StepAt(place) : at.step;
    if (!rhythm) {
      rhythm = Rhythm{at.mode, step, 1};
    } else if (at.mode == rhythm->mode && step > rhythm->first) {
      rhythm->interval = step - rhythm->first;
      return rhythm;
    }
  }
  return rhythm;
}

// From the beginning, and from where each mode begins: what is saved only there may begin late.
std::optional<StepSampler::Rhythm> StepSampler::Learn(size_t begin, size_t end) {
  for (const Mode mode : {Mode::kGlobal, Mode::kTrain, Mode::kEval, Mode::kPredict}) {
    if (mode_ != Mode::kGlobal && mode != mode_) continue;
    const size_t first = mode == Mode::kGlobal ? 0 : modes_->FirstAtOrAfter(catalog_, mode, 0);
    if (const auto rhythm = LearnFrom(std::max(begin, first), end)) return rhythm;
  }
  return std::nullopt;
}

std::optional<size_t> StepSampler::NextInRhythm(const Rhythm& rhythm, Step step) {
  const Step behind = (step - rhythm.first) % rhythm.interval;
  const Step more = behind == 0 ? 0 : rhythm.interval - behind;
  if (__builtin_add_overflow(step, more, &step)) return std::nullopt;  // Hostile names.
  const size_t place = modes_->FirstAtOrAfter(catalog_, rhythm.mode, step);
  return place < catalog_.size() ? std::optional(place) : std::nullopt;
}

std::vector<SavedTensor> StepSampler::TakeParts(size_t begin, size_t end, size_t most) {
  const auto rhythm = Learn(begin, end);
  if (!rhythm) return {};
  const Step length =
      modes_->LastBefore(catalog_, rhythm->mode, end).value_or(rhythm->first) - rhythm->first;
  // From the first to the last in the rhythm, which of a live run is what people wait for.
  const Step whole = std::max<Step>(length, 0) / rhythm->interval * rhythm->interval;
  const auto edge = [&](size_t part) {
    if (part + 1 >= most) return rhythm->first + whole;
    const double share = static_cast<double>(part) / static_cast<double>(most - 1);
    return rhythm->first + static_cast<Step>(share * static_cast<double>(whole));
  };
  std::vector<SavedTensor> found;
  size_t from = begin;  // So that none is taken twice.
  for (size_t part = 0; part < most && from < end; ++part) {
    // What a part does not use is left to those after it.
    const size_t keep = reads_left_ - reads_left_ / (most - part);
    const size_t first = modes_->FirstAtOrAfter(catalog_, rhythm->mode, edge(part));
    const size_t next =
        part + 1 == most ? end : modes_->FirstAtOrAfter(catalog_, rhythm->mode, edge(part + 1));
    std::optional<SavedTensor> one;
    size_t place = std::max(from, first);
    const auto guess = NextInRhythm(*rhythm, edge(part));
    if (guess && *guess >= place && *guess < std::min(next, end)) {
      one = LookAt(*guess);
      if (one) place = *guess + 1;
    }
    for (; !one && place < std::min(next, end) && reads_left_ > keep; ++place) one = LookAt(place);
    if (!one) continue;
    found.push_back(*std::move(one));
    from = place;
  }
  return found;
}

}  // namespace warden::view
