#include "warden/dashboard/profile/profile_tally.h"

#include <cmath>

namespace warden::dashboard {
namespace {

constexpr size_t kMostNames = 20'000;
constexpr size_t kMostAnnotations = 24;
constexpr timeline::NameId kOthers = 0;  // The empty name.

void CountActivity(double utilization, ProfileTally::Activity* activity) {
  if (std::isnan(utilization)) return;
  ++(utilization > 0 ? activity->active : activity->idle);
}

}  // namespace

void ProfileTally::See(const timeline::ProfileBatch& batch, const timeline::Names& names) {
  names_ = &names;
  for (const timeline::NodeSample& sample : batch.samples) See(sample);
  for (const timeline::Span& span : batch.spans) See(span, names);
}

void ProfileTally::See(const timeline::NodeSample& sample) {
  last_time_ = std::fmax(last_time_, sample.time_s);
  CountActivity(sample.cpu, &cpu_activity_);
  for (const timeline::GpuSample& gpu : sample.gpus) {
    CountActivity(gpu.utilization, &gpu_activity_);
  }
}

void ProfileTally::See(const timeline::Span& span, const timeline::Names& names) {
  using rules::SpanKind;
  if (!rules::IsUsable(span)) return;
  last_time_ = std::fmax(last_time_, static_cast<double>(span.end_us()) / 1e6);
  const std::string& phase = names.Text(span.phase);
  const double seconds = static_cast<double>(span.duration_us) / 1e6;
  const SpanKind kind = rules::KindOf(phase, span.source);
  if (kind == SpanKind::kGpuOperator) return Count(span, &gpu_);
  if (kind == SpanKind::kHorovod || span.source == timeline::Source::kDataParallel) {
    return Count(span, &communication_);
  }
  switch (CallOf(span.name, names)) {
    case HostCall::kLaunch: return launches_.Add(seconds);
    case HostCall::kWait: return waits_.Add(static_cast<double>(span.duration_us));
    case HostCall::kNone: break;
  }
  if (kind == SpanKind::kCpuOperator) return CountNested(span);
  if (phase == "Annotation") {
    return AddTime(WithoutNumber(names.Text(span.name)), seconds, &annotations_);
  }
  if (kind == SpanKind::kForward || kind == SpanKind::kBackward || kind == SpanKind::kOptimizer ||
      kind == SpanKind::kDataLoading) {
    AddTime(phase, seconds, &passes_);
  }
}

WorkSum& ProfileTally::SumOf(timeline::NameId name, ById* sums) {
  auto found = sums->find(name);
  if (found == sums->end()) {
    const bool room = sums->size() < kMostNames;
    found = sums->try_emplace(room ? name : kOthers).first;
  }
  return found->second;
}

void ProfileTally::Count(const timeline::Span& span, ById* sums) const {
  SumOf(span.name, sums).Add(static_cast<double>(span.duration_us));
}

void ProfileTally::CountNested(const timeline::Span& span) {
  Count(span, &cpu_);
  const rules::SelfTime self = cpu_nesting_.Add(span, static_cast<double>(span.duration_us));
  SumOf(span.name, &cpu_).self_us += self.us;
  if (self.outer_less_us > 0) SumOf(self.outer, &cpu_).self_us -= self.outer_less_us;
}

void ProfileTally::AddTime(std::string_view name, double seconds, Times* times) const {
  auto found = times->find(std::string(name));
  if (found == times->end()) {
    if (times->size() == kMostAnnotations) return;
    found = times->try_emplace(std::string(name)).first;
  }
  found->second.Add(seconds);
}

HostCall ProfileTally::CallOf(timeline::NameId name, const timeline::Names& names) {
  if (name >= calls_.size()) calls_.resize(names.size());
  uint8_t& known = calls_[name];
  if (known == 0) known = static_cast<uint8_t>(static_cast<int>(HostCallOf(names.Text(name))) + 1);
  return static_cast<HostCall>(known - 1);
}

ProfileTally::Sums ProfileTally::Named(const ById& sums) const {
  Sums named;
  for (const auto& [id, sum] : sums) {
    const std::string& name = names_->Text(id);
    named[name.empty() ? "(others)" : name] = sum;
  }
  return named;
}

}  // namespace warden::dashboard
