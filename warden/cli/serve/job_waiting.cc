#include "warden/cli/serve/job_waiting.h"

#include <fmt/format.h>

#include <chrono>
#include <thread>

#include "warden/base/json.h"
#include "warden/cli/launch/interrupt.h"
#include "warden/cli/serve/job_text.h"
#include "warden/cli/text.h"

namespace warden::cli {
namespace {

using Clock = std::chrono::steady_clock;

constexpr std::chrono::milliseconds kWaitPause{500};
constexpr std::chrono::seconds kWithoutService{60};

}  // namespace

Result<Json> WaitForJob(const std::string& job, bool rules_too, ServiceCall* service, Output* out) {
  CatchInterrupts();
  auto answered = Clock::now();
  bool first = true;
  for (; !Interrupted(); std::this_thread::sleep_for(kWaitPause)) {
    const auto described = service->Describe(job);
    if (!described.ok()) {
      const bool may_come_back = !first && described.status().code() == Code::kUnavailable &&
                                 Clock::now() - answered < kWithoutService;
      if (may_come_back) continue;
      return described.status();
    }
    first = false;
    answered = Clock::now();
    const bool job_over = IsOver(TextIn(described.value(), "TrainingJobStatus"));
    if (job_over && (!rules_too || AllOver(RulesIn(described.value())))) return described;
    out->ShowProgress([&] {
      return fmt::format("{}: {}", Printable(job),
                         job_over ? "training ended, rules still running"
                                  : Printable(TextIn(described.value(), "SecondaryStatus")));
    });
  }
  return Status(Code::kUnavailable, fmt::format("stopped waiting; job {} continues", job));
}

}  // namespace warden::cli
