#include "warden/rules/profiler/trend.h"

#include <algorithm>
#include <cmath>

namespace warden::rules {
namespace {

constexpr size_t kLeastStretches = 32;
constexpr size_t kMostStretches = 2 * kLeastStretches;
constexpr size_t kParts = 4;

// Below which 99 % of Student's t lie, by Cornish and Fisher's expansion: within 1 % from 5 degrees
// of freedom on.
double T99(double freedom) {
  constexpr double kZ = 2.3263478740408408;
  const double z3 = kZ * kZ * kZ;
  const double z5 = z3 * kZ * kZ;
  return kZ + (z3 + kZ) / (4 * freedom) + (5 * z5 + 16 * z3 + 3 * kZ) / (96 * freedom * freedom);
}

}  // namespace

void Trend::Add(double time_s, double value) {
  if (!std::isfinite(time_s) || !std::isfinite(value)) return;
  open_.time_s += time_s;
  open_.value += value;
  if (++in_open_ < in_each_) return;
  const auto count = static_cast<double>(in_open_);
  full_.push_back({open_.time_s / count, open_.value / count});
  open_ = {};
  in_open_ = 0;
  if (full_.size() < kMostStretches) return;
  for (size_t i = 0; i < kLeastStretches; ++i) {
    const Stretch& a = full_[2 * i];
    const Stretch& b = full_[2 * i + 1];
    full_[i] = {(a.time_s + b.time_s) / 2, (a.value + b.value) / 2};
  }
  full_.resize(kLeastStretches);
  in_each_ *= 2;
}

std::optional<Trend::Line> Trend::FitTo(std::span<const Stretch> stretches) {
  const auto n = static_cast<double>(stretches.size());
  const double start_s = stretches.front().time_s;  // Times are large numbers close together.
  double mean_time = 0;
  double mean_value = 0;
  for (const Stretch& stretch : stretches) {
    mean_time += (stretch.time_s - start_s) / n;
    mean_value += stretch.value / n;
  }
  double tt = 0;
  double tv = 0;
  for (const Stretch& stretch : stretches) {
    const double time = stretch.time_s - start_s - mean_time;
    tt += time * time;
    tv += time * (stretch.value - mean_value);
  }
  if (!(tt > 0)) return std::nullopt;
  Line line;
  line.slope = tv / tt;
  double residuals = 0;
  for (const Stretch& stretch : stretches) {
    const double time = stretch.time_s - start_s - mean_time;
    const double off = stretch.value - mean_value - line.slope * time;
    residuals += off * off;
  }
  line.surely = line.slope - T99(n - 2) * std::sqrt(residuals / (n - 2) / tt);
  line.length_s = stretches.back().time_s - stretches.front().time_s;
  return line;
}

std::optional<Trend::Line> Trend::Fit() const {
  if (full_.size() < kLeastStretches) return std::nullopt;
  auto line = FitTo(full_);
  if (!line) return std::nullopt;
  const size_t part = full_.size() / kParts;
  line->steady = true;
  for (size_t i = 0; i < kParts; ++i) {
    const size_t size = i + 1 == kParts ? full_.size() - i * part : part;
    const auto of_part = FitTo(std::span(full_).subspan(i * part, size));
    if (!of_part || of_part->slope < line->slope / kParts) line->steady = false;
  }
  return line;
}

}  // namespace warden::rules
