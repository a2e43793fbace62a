#ifndef WARDEN_HOOK_HOOK_HANDLE_H_
#define WARDEN_HOOK_HOOK_HANDLE_H_

#include <warden.h>

#include <atomic>
#include <memory>
#include <mutex>
#include <string>
#include <vector>

#include "warden/base/status.h"
#include "warden/capture/capture_hook.h"
#include "warden/hook/error.h"
#include "warden/hook/timeline.h"
#include "warden/os/fork.h"

// The object behind the handle that C programs hold, and what every call on it has in common. Made
// by wd_hook_create (life.cc), freed by wd_hook_free.
//
// Threads: mode and the steps are for the thread that trains, as <warden.h> says; capture and
// timeline lock for themselves.

// NOLINTNEXTLINE(readability-identifier-naming): C's name.
// The program owns it. No call of the API may be under way when it is freed.
struct wd_hook {
  // rank: among those that train together; none if it trains alone.
  explicit wd_hook(std::optional<int> rank) : timeline(rank) {}

  const uint64_t born = warden::os::ForkGeneration();  // See IsCopy.
  std::unique_ptr<warden::capture::Hook> capture;      // None: no tensors are saved.
  warden::hook::Timeline timeline;                     // Also records where capture is off.
  warden::Mode mode = warden::Mode::kGlobal;           // Of the steps to come.

  std::mutex closing;                // Guards how closing went.
  std::atomic<bool> closed = false;  // Set before closing begins; never reset.
  warden::Status close_status;       // What wd_hook_close returns, also when called again.
};

namespace warden::hook {

// This is a copy in a forked child: its locks may be held by nobody, so nothing of it is touched.
inline bool IsCopy(const wd_hook& hook) { return hook.born != os::ForkGeneration(); }

// Runs the body of a call on a hook, which gives a Status. It is not run in a forked child (WD_OK),
// with a NULL hook (WD_INVALID), or after closing began (WD_CLOSED). Exceptions become errors.
//
//   wd_status wd_hook_end_step(wd_hook* hook) {
//     return OnOpenHook(hook, [&] { ...; return Status(); });
//   }
//
// `closed` is checked without a lock: a call that begins while another thread closes may get either
// answer, and does no harm.
template <class Hook, class Body>
wd_status OnOpenHook(Hook* hook, const Body& body) {
  if (hook == nullptr) return Fail(WD_INVALID, "hook is NULL");
  if (IsCopy(*hook)) return WD_OK;
  if (hook->closed.load(std::memory_order_acquire)) return Fail(WD_CLOSED, "the hook is closed");
  return Guarded([&] { return Told(body()); });
}

// The same for calls that only capture does: WD_OK, with nothing done, where no tensors are saved.
template <class Body>
wd_status OnCapture(wd_hook* hook, const Body& body) {
  return OnOpenHook(hook, [&] { return hook->capture == nullptr ? Status() : body(); });
}

}  // namespace warden::hook

#endif  // WARDEN_HOOK_HOOK_HANDLE_H_
