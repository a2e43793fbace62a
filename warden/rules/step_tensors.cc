#include "warden/rules/step_tensors.h"

#include <algorithm>
#include <numeric>
#include <tuple>

namespace warden::rules {

StepTensors::StepTensors(const trial::Trial* trial, std::vector<Matcher> selectors)
    : trial_(trial),
      matchers_(std::move(selectors)),
      ever_matched_(matchers_.size(), false),
      chosen_(matchers_.size()),
      selected_(matchers_.size()) {}

void StepTensors::Load(trial::StepReader* reader) {
  const std::vector<trial::StepRecord>& records = reader->records();
  std::vector<Place> places = PlacesOf(records);
  if (places != places_) {
    places_ = std::move(places);
    Arrange();
  }
  views_.clear();
  views_.reserve(order_.size());
  for (size_t i = 0; i < order_.size(); ++i) {
    const Place& place = places_[order_[i]];
    views_.emplace_back(view_ids_[i], names_[place.tensor], workers_[place.worker],
                        std::span(records).subspan(place.first_record, place.record_count), reader);
  }
  for (size_t selector = 0; selector < selected_.size(); ++selector) {
    selected_[selector].clear();
    for (const uint32_t view : chosen_[selector]) selected_[selector].push_back(&views_[view]);
  }
}

std::vector<StepTensors::Place> StepTensors::PlacesOf(
    const std::vector<trial::StepRecord>& records) const {
  std::vector<Place> places;
  places.reserve(records.size());
  for (uint32_t i = 0; i < records.size(); ++i) {
    const trial::StepRecord& record = records[i];
    if (places.empty() || places.back().tensor != record.tensor ||
        places.back().worker != record.location.worker) {
      places.push_back({record.tensor, record.location.worker, i, 0});
    }
    ++places.back().record_count;
  }
  return places;
}

void StepTensors::Arrange() {
  for (const Place& place : places_) {
    LearnName(place.tensor);
    LearnWorker(place.worker);
  }
  order_.resize(places_.size());
  std::iota(order_.begin(), order_.end(), 0);
  std::sort(order_.begin(), order_.end(), [&](uint32_t a, uint32_t b) {
    const Place& x = places_[a];
    const Place& y = places_[b];
    return std::tie(names_[x.tensor], workers_[x.worker]) <
           std::tie(names_[y.tensor], workers_[y.worker]);
  });
  view_ids_.clear();
  for (auto& chosen : chosen_) chosen.clear();
  for (uint32_t i = 0; i < order_.size(); ++i) {
    const Place& place = places_[order_[i]];
    view_ids_.push_back(IdOf(place));
    for (size_t selector = 0; selector < chosen_.size(); ++selector) {
      if (!matches_[place.tensor][selector]) continue;
      chosen_[selector].push_back(i);
      ever_matched_[selector] = true;
    }
  }
}

void StepTensors::LearnName(trial::TensorId tensor) {
  while (names_.size() <= tensor) {
    names_.push_back(trial_->TensorName(static_cast<trial::TensorId>(names_.size())));
    std::vector<bool>& matches = matches_.emplace_back();
    for (const Matcher& matcher : matchers_) matches.push_back(matcher.Matches(names_.back()));
  }
}

void StepTensors::LearnWorker(trial::WorkerId worker) {
  while (workers_.size() <= worker) {
    workers_.push_back(trial_->WorkerName(static_cast<trial::WorkerId>(workers_.size())));
  }
}

uint32_t StepTensors::IdOf(const Place& place) {
  const uint64_t key = uint64_t{place.tensor} << 32 | place.worker;
  return ids_.try_emplace(key, static_cast<uint32_t>(ids_.size())).first->second;
}

}  // namespace warden::rules
