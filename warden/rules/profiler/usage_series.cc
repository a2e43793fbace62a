#include "warden/rules/profiler/usage_series.h"

#include <algorithm>
#include <cmath>

#include "warden/base/json.h"
#include "warden/rules/profiler/value_distribution.h"

namespace warden::rules {

int64_t SeriesClock::Place(double time_s, int* doubled) {
  constexpr double kLatest = 1e11;  // The year 5138.
  *doubled = 0;
  if (!(time_s > 0 && time_s < kLatest)) return -1;
  if (samples_ == 0) start_s_ = last_s_ = time_s;
  if (time_s < start_s_) return -1;
  ++samples_;
  last_s_ = std::max(last_s_, time_s);
  const auto most = static_cast<double>(kMostStretches);
  for (; (time_s - start_s_) / interval_s_ >= most; ++*doubled) interval_s_ *= 2;
  return static_cast<int64_t>((time_s - start_s_) / interval_s_);
}

int SeriesClock::Coarser() const {
  if (samples_ < 2) return 0;
  const double spacing_s = (last_s_ - start_s_) / static_cast<double>(samples_ - 1);
  int coarser = 0;
  for (double interval_s = interval_s_; interval_s < 1.5 * spacing_s; interval_s *= 2) ++coarser;
  return coarser;
}

void UsageSeries::Add(int64_t stretch, double value) {
  if (!std::isfinite(value)) return;
  const auto at = static_cast<size_t>(stretch);
  if (at >= stretches_.size()) stretches_.resize(at + 1);
  Stretch& into = stretches_[at];
  into.min = std::min(into.min, value);
  into.max = std::max(into.max, value);
  into.sum += value;
  ++into.count;
}

void UsageSeries::Double() {
  for (size_t i = 0; i < stretches_.size(); ++i) {
    if (i % 2 == 0) {
      stretches_[i / 2] = stretches_[i];
      continue;
    }
    Stretch& into = stretches_[i / 2];
    into.min = std::min(into.min, stretches_[i].min);
    into.max = std::max(into.max, stretches_[i].max);
    into.sum += stretches_[i].sum;
    into.count += stretches_[i].count;
  }
  stretches_.resize((stretches_.size() + 1) / 2);
}

void UsageSeries::AppendTo(size_t length, bool only_mean, Json* json) const {
  Json min = Json::array();
  Json mean = Json::array();
  Json max = Json::array();
  for (size_t i = 0; i < length; ++i) {
    const Stretch stretch = i < stretches_.size() ? stretches_[i] : Stretch();
    min.push_back(Rounded(stretch.min));  // Null where nothing was measured.
    mean.push_back(Rounded(stretch.sum / static_cast<double>(stretch.count)));
    max.push_back(Rounded(stretch.max));
  }
  *json = Json::object();
  if (!only_mean) (*json)["min"] = std::move(min);
  (*json)["mean"] = std::move(mean);
  if (!only_mean) (*json)["max"] = std::move(max);
}

}  // namespace warden::rules
