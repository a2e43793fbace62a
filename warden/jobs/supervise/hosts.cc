#include "warden/jobs/supervise/hosts.h"

#include <fmt/format.h>

#include <algorithm>

#include "warden/jobs/record/short_text.h"

namespace warden::jobs {
namespace {

using HostPhase = HostState::Phase;

bool HasFailed(const HostState& host) {
  return host.phase == HostPhase::kLost ||
         (host.phase == HostPhase::kEnded && (host.exit_code != 0 || host.signal != 0));
}

// One that was lost comes before those that were stopped on its account.
bool FailedBefore(const HostState& a, const HostState& b) {
  if (a.phase != b.phase) return a.phase == HostPhase::kLost;
  return a.ended.value_or(Time::max()) < b.ended.value_or(Time::max());
}

std::string FailureOf(const HostState& host) {
  if (host.phase == HostPhase::kLost) {
    if (!host.failure.empty()) return ShortText(host.failure);
    return fmt::format(
        "InternalServerError: host {} was lost: the process that supervises its training was "
        "killed",
        host.host);
  }
  if (host.failure.starts_with("AlgorithmError")) return ShortText(host.failure);
  // As shells tell of signals.
  constexpr int kSignals = 128;
  const int code = host.signal != 0 ? kSignals + host.signal : host.exit_code;
  const std::string end = fmt::format("exit code: {}", code);
  if (host.failure.empty()) return "AlgorithmError: " + end;
  // The code is told, however long the text is.
  constexpr size_t kMost = 960;
  return fmt::format("AlgorithmError: {}, {}", ShortText(host.failure, kMost), end);
}

}  // namespace

HostsView ViewOf(const std::vector<HostState>& hosts) {
  HostsView view;
  const HostState* failed = nullptr;
  for (const HostState& host : hosts) {
    if (host.phase == HostPhase::kNotStarted) view.all_started = view.all_ended = false;
    if (host.phase == HostPhase::kRunning) {
      view.any_running = true;
      view.all_ended = false;
    }
    if (host.phase == HostPhase::kQueued) {
      view.any_running = true;
      view.all_ended = false;
      view.queued = host.waiting;
    }
    view.timed_out |= host.timed_out;
    if (host.started) {
      view.started = std::min(view.started.value_or(*host.started), *host.started);
    }
    if (host.ended) view.ended = std::max(view.ended.value_or(*host.ended), *host.ended);
    if (!HasFailed(host)) continue;
    if (failed == nullptr || FailedBefore(host, *failed)) failed = &host;
  }
  if (failed != nullptr) view.failure = FailureOf(*failed);
  return view;
}

}  // namespace warden::jobs
