// The calls of <warden.h> about the profiler's timeline.
#include <fmt/format.h>

#include "warden/hook/arguments.h"
#include "warden/hook/hook_handle.h"

namespace warden::hook {
namespace {

// A thousand times the age of anything; sums of two do not overflow.
constexpr int64_t kLargestUs = int64_t{1} << 60;

Status CheckTime(std::string_view what, int64_t value) {
  if (value >= 0 && value <= kLargestUs) return Status();
  return Status(Code::kInvalid,
                fmt::format("{} is {}; expected 0 to {} microseconds", what, value, kLargestUs));
}

Status RecordSpan(wd_hook* hook, const char* phase, const char* name, int64_t start_us,
                  int64_t duration_us) {
  const auto phase_name = NameFrom(phase, "phase");
  if (!phase_name.ok()) return phase_name.status();
  const auto span_name = NameFrom(name, "name");
  if (!span_name.ok()) return span_name.status();
  Status status = CheckTime("start_us", start_us);
  if (status.ok()) status = CheckTime("duration_us", duration_us);
  if (!status.ok()) return status;
  hook->timeline.Record(phase_name.value(), span_name.value(), start_us, duration_us);
  return status;
}

}  // namespace
}  // namespace warden::hook

extern "C" {

int64_t wd_now_us(void) { return warden::capture::TimelineNowUs(); }

int32_t wd_hook_is_profiling(wd_hook* hook) {
  if (hook == nullptr) return 0;
  return warden::hook::Guarded<int32_t>(0, [&] { return hook->timeline.IsOn() ? 1 : 0; });
}

wd_status wd_hook_record_span(wd_hook* hook, const char* phase, const char* name, int64_t start_us,
                              int64_t duration_us) {
  return warden::hook::OnOpenHook(
      hook, [&] { return warden::hook::RecordSpan(hook, phase, name, start_us, duration_us); });
}

}  // extern "C"
