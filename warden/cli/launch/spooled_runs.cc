#include "warden/cli/launch/spooled_runs.h"

#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <thread>

#include "warden/cli/launch/interrupt.h"
#include "warden/cli/text.h"
#include "warden/os/posix.h"
#include "warden/storage/s3/spool_upload.h"
#include "warden/storage/spool/process_lock.h"
#include "warden/storage/spool/uploader.h"

namespace warden::cli {
namespace {

using storage::s3::SpoolUpload;
using storage::spool::SpooledRun;
using Clock = std::chrono::steady_clock;

constexpr std::chrono::milliseconds kBetweenGlances{50};
// Between two passes at least, and at most after errors.
constexpr std::chrono::milliseconds kShortestPause{1000};
constexpr std::chrono::milliseconds kLongestPause{10'000};
// Looking through many files takes a processor: nine tenths of the time are for the training.
constexpr int kPausePerWork = 9;

// A server that is away longer than that after the end of a training: the next `warden` continues.
constexpr std::chrono::hours kMostPatience{24};
// `warden run` waits so long for one.
constexpr std::chrono::seconds kMostWaitForServer{60};

void PauseFor(std::chrono::milliseconds pause) {
  const auto until = Clock::now() + pause;
  while (!Interrupted() && Clock::now() < until) std::this_thread::sleep_for(kBetweenGlances);
}

}  // namespace

Status SendSpooledRun(const SpooledRun& run, bool follow, SpoolSent* sent, Output* out) {
  auto upload = SpoolUpload::Open(run);
  if (!upload.ok()) return upload.status();
  SpoolUpload& spool = *upload.value();
  auto good = Clock::now();
  auto pause = kShortestPause;
  while (true) {
    const auto begun = Clock::now();
    const auto state = spool.Pass();
    sent->total = spool.total();
    sent->done = state.ok() && state.value() == SpoolUpload::State::kDone;
    if (sent->done) return Status();
    if (Interrupted() || !follow) {
      if (state.ok() && state.value() == SpoolUpload::State::kLeft && !Interrupted()) continue;
      return state.status();
    }
    if (state.ok()) {
      good = Clock::now();
      const auto work = std::chrono::duration_cast<std::chrono::milliseconds>(good - begun);
      pause = std::clamp(work * kPausePerWork, kShortestPause, kLongestPause);
    } else if (!os::PathExists(run.folder)) {
      return Status(Code::kNotFound, fmt::format("{} was removed", run.folder));
    } else {
      const bool patient =
          state.status().code() == Code::kUnavailable && Clock::now() < good + kMostPatience;
      out->Tell(Printable(state.status().message()));
      if (!patient && spool.GiveUp()) return state.status();
      pause = std::min(pause * 2, kLongestPause);
    }
    out->ShowProgress([&] { return CountOf(spool.total().files, "file") + " sent"; });
    PauseFor(pause);
  }
}

void WaitForUpload(const SpooledRun& run, Output* out) {
  CatchInterrupts();
  storage::spool::Leave(run);
  const auto deadline = Clock::now() + kMostWaitForServer;
  std::string error;
  while (os::PathExists(run.folder)) {
    error = storage::spool::UploadError(run);
    const bool sending = storage::spool::LockHolder(run.UploaderLock()) != 0;
    if (Interrupted() || !sending || (!error.empty() && Clock::now() > deadline)) break;
    out->ShowProgress([&] { return "sending the rest to " + Printable(run.url); });
    std::this_thread::sleep_for(kBetweenGlances);
  }
  if (!os::PathExists(run.folder)) return;
  const bool sending = storage::spool::LockHolder(run.UploaderLock()) != 0;
  if (!error.empty()) error = ": " + Printable(error);
  if (sending) {
    out->Tell(fmt::format("not all of {} is sent yet{}. Sending continues in the background",
                          Printable(run.url), error));
  } else {
    out->Tell(fmt::format("not all of {} is sent{}. `warden upload` sends the rest",
                          Printable(run.url), error));
  }
}

}  // namespace warden::cli
