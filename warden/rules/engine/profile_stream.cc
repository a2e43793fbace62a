#include "warden/rules/engine/profile_stream.h"

#include <algorithm>
#include <string_view>

namespace warden::rules {
namespace {

constexpr int64_t kMicrosPerSecond = 1'000'000;
// A clock that is off by decades must not decide when to evaluate. 2000 and 2200.
constexpr int64_t kEarliestUs = 946'684'800 * kMicrosPerSecond;
constexpr int64_t kLatestUs = 7'258'118'400 * kMicrosPerSecond;

bool IsTrainingStep(std::string_view phase) {
  return phase == "Step:ModeKeys.TRAIN" || phase == "Step:ModeKeys.GLOBAL";
}

}  // namespace

void ProfileStream::NoteStep(const timeline::Span& span) {
  if (span.step > step_ && IsTrainingStep(feed_->names().Text(span.phase))) step_ = span.step;
}

void ProfileStream::NoteTime(double us) {
  if (us > kEarliestUs && us < kLatestUs) now_us_ = std::max(now_us_, static_cast<int64_t>(us));
}

bool ProfileStream::Pass(std::span<ProfilerRule* const> rules) {
  batch_.clear();
  if (!feed_->Next(&batch_).ok() || batch_.empty()) return false;
  for (const timeline::NodeSample& sample : batch_.samples) {
    NoteTime(sample.time_s * kMicrosPerSecond);
    for (ProfilerRule* rule : rules) rule->See(sample, feed_->names());
  }
  for (const timeline::Span& span : batch_.spans) {
    NoteTime(static_cast<double>(span.end_us()));
    NoteStep(span);
    for (ProfilerRule* rule : rules) rule->See(span, feed_->names());
  }
  return true;
}

bool ProfileStream::IsDue() {
  if (now_us_ < evaluated_us_ + kMicrosPerSecond) return false;
  evaluated_us_ = now_us_;
  return true;
}

}  // namespace warden::rules
