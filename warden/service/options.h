#ifndef WARDEN_SERVICE_OPTIONS_H_
#define WARDEN_SERVICE_OPTIONS_H_

// How the service is configured, and where its files are. `warden serve` fills the options from its
// flags; all parts of the service read them. Plain values: copy them, or point to those of the
// Daemon, which never change.
//
//   const service::DataLayout layout(options.data);
//   OpenJobStore(layout.Database());
//   ReadLog(service::DataLayout::Log(layout.Host("mnist-1", "algo-1")), 0, 100, 1 << 20);

#include <chrono>
#include <cstdint>
#include <functional>
#include <string>
#include <vector>

#include "warden/base/json_fwd.h"
#include "warden/base/status.h"

namespace warden::service {

// Trainings on this machine that the service did not start (`warden run`), by the folder of their
// tensors. For the dashboard, which calls them from its threads. Empty functions: it knows of none.
// Given by the program, so that the service does not depend on watch/local.
struct LocalRuns {
  std::function<bool(const std::string& run)> is_running;  // Whether one writes to it.
  // Asks it to end, and returns when it has ended. kNotFound: no such training runs, or more than
  // one.
  std::function<Status(const std::string& run)> stop;
  // Changes how one is profiled: members of ProfilerConfig that replace others (JSON Merge Patch).
  // kNotFound as of `stop`; kUnavailable if it was started without profiling.
  std::function<Status(const std::string& run, const Json& change)> change_profiling;
};

// How the service runs. Paths are absolute. Nothing is checked here: each part reports what it
// cannot use when it starts. Defaults are for a service on a workstation that only this machine can
// reach.
struct ServiceOptions {
  std::string data;        // The folder that everything is kept in (DataLayout).
  bool read_only = false;  // Refuse everything that changes something, whatever the key.
  bool recover = false;    // Rebuild the database from the folders of jobs (jobs/db/job_copies.h).
  std::string listen = "127.0.0.1:8080";  // Port 0: any that is free.
  std::string credentials;  // File of access keys; empty: DATA/credentials, created if missing.
  std::string tls_certificate, tls_key;  // PEM files; both or neither.
  // Names by which browsers may reach the dashboard besides addresses and the machine's own names.
  std::vector<std::string> host_names;
  std::string account = "000000000000";  // 12 digits; of keys that have none.
  std::string region = "us-east-1";      // Where a request does not name one.

  std::string program;             // The path of `warden`, which agents are started from.
  std::string python_site;         // Folder that brings capture into Python programs; empty: none.
  std::string environments;        // File of environments; empty: DATA/environments.json, if any.
  std::string python = "python3";  // For images without an environment.
  // Where jobs run.
  enum class Launcher : uint8_t {
    kLocal,  // On this machine.
    kSlurm,  // On the Slurm cluster that this machine belongs to.
  };
  Launcher launcher = Launcher::kLocal;
  std::string slurm_config;             // File of queues; empty: DATA/slurm.json, if any.
  std::string events;                   // File of receivers; empty: DATA/events.json, if any.
  std::vector<std::string> runs;        // Folders whose runs the dashboard shows besides the jobs.
  std::vector<std::string> runs_in_s3;  // And places in S3, "s3://bucket/folder", likewise.
  LocalRuns local_runs;                 // Of `warden run` on this machine.
  std::string actions_file;             // See actions/settings.h; empty: $WARDEN_ACTIONS_FILE.

  // Whether jobs run in boxes (os/box.h), where they see neither each other nor the service's
  // files.
  enum class Isolation : uint8_t {
    kAuto,      // Where the system allows it; otherwise the job's log says why not.
    kRequired,  // A job that cannot be isolated is refused.
    kOff,       // No.
  };
  Isolation isolation = Isolation::kAuto;
  bool jobs_as_root = false;  // A service of root runs its jobs as root, not as separate users.
  std::vector<std::string> shared_folders;  // Folders that all jobs may read and write.

  // Jobs share the machine: no resources are reserved for any.
  size_t jobs_at_once = 16;                 // More wait for their turn.
  std::chrono::seconds stop_grace{120};     // Between SIGTERM and SIGKILL of a job that is stopped.
  uint64_t rule_memory_bytes = 2ull << 30;  // Limit of each rule's process; 0: none.
  uint64_t log_file_bytes = 16 << 20;       // Of one file of a host's log; then it is rotated.
  int log_files = 5;                        // That are kept of each log.
};

// The paths in the data folder. Computes names only: the files may not exist. Names of jobs and
// hosts must be valid. One place for all names: what has been written by an older version must be
// found by a newer one.
struct DataLayout {
  explicit DataLayout(std::string data) : root(std::move(data)) {}

  std::string Database() const { return root + "/warden.db"; }       // OpenJobStore.
  std::string Credentials() const { return root + "/credentials"; }  // Access keys.
  std::string Token() const { return root + "/token"; }              // The bearer token.
  std::string Viewers() const { return root + "/viewers.json"; }     // View-only tokens.
  std::string Audit() const { return root + "/audit.log"; }          // Who changed what.
  std::string Sessions() const { return root + "/sessions.json"; }   // Of the dashboard.
  std::string Objects() const { return root + "/s3"; }               // <bucket>/<key>.
  std::string Uploads() const { return root + "/uploads"; }  // Unfinished; same file system.
  // Python packages that jobs asked for, by what they asked.
  std::string Packages() const { return root + "/packages"; }
  // Copies of runs that are in S3, while the service runs; a folder for each place.
  std::string RunsInS3() const { return root + "/runs-in-s3"; }
  // Everything of a job but its outputs; below it the folders of its agents, for hosts and for
  // rules.
  std::string Job(const std::string& name) const { return Jobs() + "/" + name; }
  std::string Jobs() const { return root + "/jobs"; }
  std::string Host(const std::string& job, const std::string& host) const {
    return Job(job) + "/hosts/" + host;
  }
  std::string Rule(const std::string& job, const std::string& rule_job) const {
    return Job(job) + "/rules/" + rule_job;
  }
  // The log of an agent, whose folder is given: lines with times (see jobs/logs/).
  static std::string Log(const std::string& agent) { return agent + "/log"; }

  std::string root;  // The data folder.
};

}  // namespace warden::service

#endif  // WARDEN_SERVICE_OPTIONS_H_
