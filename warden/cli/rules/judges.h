#ifndef WARDEN_CLI_RULES_JUDGES_H_
#define WARDEN_CLI_RULES_JUDGES_H_

#include <sys/types.h>

#include <atomic>
#include <optional>
#include <string>
#include <thread>
#include <vector>

#include "warden/cli/launch/job_registry.h"
#include "warden/cli/launch/run_events.h"
#include "warden/cli/output.h"
#include "warden/cli/rules/alarms.h"
#include "warden/cli/rules/local_jobs.h"
#include "warden/cli/rules/watching.h"
#include "warden/rules/engine/engine.h"

namespace warden::cli {

// Rules that are ready, and what to do with their findings.
struct Judging {
  std::vector<rules::PreparedRule> rules;
  Alarms alarms;
  std::string profiler = {};    // The folder of the profiler; empty: there is none.
  bool report = false;          // Write the profiling report.
  std::string command = {};     // The training command, for the reports.
  bool xgboost_report = false;  // Write the report of an XGBoost training, if it is one.
};

// Evaluates rules on a separate thread while a training saves its run to a folder. Between Start
// and Finish nobody else uses events and out, which outlive this.
class Judges {
 public:
  // talk: print the progress now and then.
  Judges(Judging judging, std::string run, bool talk, RunEvents* events, Output* out);
  ~Judges() { Finish(); }
  Judges(const Judges&) = delete;
  Judges& operator=(const Judges&) = delete;

  // The training has started.
  void Start(pid_t pid);
  // The training has ended: evaluates and delivers the rest.
  void Finish();

  // After Finish: how it ended.
  const Watched& watched() const { return watched_; }
  bool stopped_the_training() const { return jobs_.stopped_any(); }
  const std::string& stopped_by() const { return judging_.alarms.stopped_by(); }

 private:
  Judging judging_;
  const std::string run_;
  const bool talk_;
  RunEvents* events_;
  Output* out_;
  LocalJobs jobs_;
  std::optional<JobEntry> entry_;
  std::atomic<bool> over_ = false;
  std::thread thread_;
  Watched watched_;
};

}  // namespace warden::cli

#endif  // WARDEN_CLI_RULES_JUDGES_H_
