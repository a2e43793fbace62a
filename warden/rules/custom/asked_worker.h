#ifndef WARDEN_RULES_CUSTOM_ASKED_WORKER_H_
#define WARDEN_RULES_CUSTOM_ASKED_WORKER_H_

// The process of a Python rule as the rule uses it: requests with a time limit, and what its
// answers say. For python_rule.cc and python_profile_rule.cc; python/tensorwarden/rules/worker.py
// documents the protocol.

#include <chrono>
#include <memory>
#include <set>
#include <string>

#include "warden/base/json_fwd.h"
#include "warden/base/status.h"
#include "warden/rules/custom/worker_process.h"
#include "warden/rules/verdicts.h"

namespace warden::rules {

// Members of an answer; empty, or false, if they are missing or of another type.
std::string TextIn(const Json& answer, const char* key);
bool FlagIn(const Json& answer, const char* key);

// For one thread.
class AskedWorker {
 public:
  AskedWorker(std::unique_ptr<WorkerProcess> process, std::chrono::milliseconds timeout)
      : process_(std::move(process)), timeout_(timeout) {}

  // The answer. `when` ("at step 3") begins an error: of the process, or kInvalid for an exception
  // of the rule, with its traceback, which ends the process. REQUIRES: no error before, and End()
  // was not called.
  Result<Json> Ask(const Json& request, const std::string& when);
  // Ends the process.
  void End() { process_.reset(); }

  // Reports what an answer says of the rule's condition and what a person should know. Does not
  // call HealthyRun().
  void Report(const Json& answer, Verdicts* verdicts);
  // Reports a note once, and at most 20 of them.
  void Note(const std::string& note, Verdicts* verdicts);

 private:
  std::unique_ptr<WorkerProcess> process_;
  const std::chrono::milliseconds timeout_;
  std::set<std::string> notes_;
};

}  // namespace warden::rules

#endif  // WARDEN_RULES_CUSTOM_ASKED_WORKER_H_
