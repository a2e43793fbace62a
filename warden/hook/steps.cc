// The calls of <warden.h> about modes and steps.
#include <optional>

#include "warden/hook/arguments.h"
#include "warden/hook/hook_handle.h"

namespace warden::hook {
namespace {

Status Begin(wd_hook* hook, std::optional<Step> number) {
  if (number) {
    if (const Status status = CheckStep(*number); !status.ok()) return status;
  } else if (hook->capture != nullptr) {
    const Status status = CheckStep(hook->capture->step() + 1);
    if (!status.ok()) return status;
  }
  hook->timeline.BeginStep(hook->mode, number);
  if (hook->capture != nullptr) hook->capture->BeginStepAt(number);
  return Status();
}

}  // namespace
}  // namespace warden::hook

using warden::hook::IsCopy;
using warden::hook::OnOpenHook;

extern "C" {

wd_status wd_hook_set_mode(wd_hook* hook, wd_mode mode) {
  return OnOpenHook(hook, [&] {
    const auto known = warden::hook::ModeFrom(mode);
    if (!known.ok()) return known.status();
    hook->mode = known.value();
    if (hook->capture != nullptr) hook->capture->SetMode(known.value());
    return warden::Status();
  });
}

wd_status wd_hook_begin_step(wd_hook* hook) {
  return OnOpenHook(hook, [&] { return warden::hook::Begin(hook, std::nullopt); });
}

wd_status wd_hook_begin_step_at(wd_hook* hook, int64_t step) {
  return OnOpenHook(hook, [&] { return warden::hook::Begin(hook, step); });
}

wd_status wd_hook_end_step(wd_hook* hook) {
  return OnOpenHook(hook, [&] {
    if (hook->capture != nullptr) hook->capture->EndStep();
    hook->timeline.EndStep();
    return warden::Status();
  });
}

int64_t wd_hook_step(const wd_hook* hook) {
  if (hook == nullptr || IsCopy(*hook) || hook->capture == nullptr) return -1;
  return hook->capture->step();
}

int64_t wd_hook_mode_step(const wd_hook* hook, wd_mode mode) {
  const auto known = warden::hook::ModeFrom(mode);
  if (hook == nullptr || IsCopy(*hook) || hook->capture == nullptr || !known.ok()) return -1;
  return hook->capture->mode_step(known.value());
}

}  // extern "C"
