#ifndef WARDEN_HOOK_HOOK_H_
#define WARDEN_HOOK_HOOK_H_

#include <warden.h>

#include <atomic>
#include <memory>
#include <mutex>
#include <string>
#include <vector>

#include "warden/base/status.h"
#include "warden/capture/hook.h"
#include "warden/hook/error.h"
#include "warden/hook/timeline.h"
#include "warden/os/fork.h"

// NOLINTNEXTLINE(readability-identifier-naming): C's name.
struct wd_hook {
  explicit wd_hook(std::optional<int> rank) : timeline(rank) {}

  const uint64_t born = warden::os::ForkGeneration();
  std::unique_ptr<warden::capture::Hook> capture;  // None: no tensors are saved.
  warden::hook::Timeline timeline;
  warden::Mode mode = warden::Mode::kGlobal;

  std::mutex closing;  // Guards how closing went.
  std::atomic<bool> closed = false;
  warden::Status close_status;
};

namespace warden::hook {

// This is a copy in a forked child: its locks may be held by nobody, so nothing of it is touched.
inline bool IsCopy(const wd_hook& hook) { return hook.born != os::ForkGeneration(); }

// The body of a call on a hook, which gives a Status: not called in a forked child, and not where
// the hook is none or was closed.
template <class Hook, class Body>
wd_status OnOpenHook(Hook* hook, const Body& body) {
  if (hook == nullptr) return Fail(WD_INVALID, "hook is NULL");
  if (IsCopy(*hook)) return WD_OK;
  if (hook->closed.load(std::memory_order_acquire)) return Fail(WD_CLOSED, "the hook is closed");
  return Guarded([&] { return Told(body()); });
}

// The same for calls that only capture does: nothing where no tensors are saved.
template <class Body>
wd_status OnCapture(wd_hook* hook, const Body& body) {
  return OnOpenHook(hook, [&] { return hook->capture == nullptr ? Status() : body(); });
}

}  // namespace warden::hook

#endif  // WARDEN_HOOK_HOOK_H_
