#ifndef WARDEN_SERVICE_OPTIONS_H_
#define WARDEN_SERVICE_OPTIONS_H_

#include <chrono>
#include <cstdint>
#include <functional>
#include <string>
#include <vector>

#include "warden/base/status.h"

namespace warden::service {

// Trainings on this machine that the service did not start; by the folder of their tensors. Empty
// functions: it knows of none.
struct LocalRuns {
  std::function<bool(const std::string& run)> is_running;
  // Asks it to end, and returns when it has; kNotFound.
  std::function<Status(const std::string& run)> stop;
};

// How the service runs. Paths are absolute.
struct ServiceOptions {
  std::string data;                       // The folder that everything is kept in.
  std::string listen = "127.0.0.1:8080";  // Port 0: any that is free.
  std::string credentials;               // Of access keys; empty: DATA/credentials, made if absent.
  std::string tls_certificate, tls_key;  // PEM files; both or neither.
  std::string account = "000000000000";  // Of keys that name none.
  std::string region = "us-east-1";      // Where a request does not say.

  std::string program;       // Our own, which agents are started from.
  std::string python_site;   // What brings capture into Python programs; empty: there is none.
  std::string environments;  // The registry; empty: DATA/environments.json, if it is there.
  std::string python = "python3";  // Of jobs whose image no entry of the registry names.
  std::string events;             // Who is told of events; empty: DATA/events.json, if it is there.
  std::vector<std::string> runs;  // Folders whose runs the dashboard shows beside the jobs.
  LocalRuns local_runs;
  std::string actions_file;  // Settings of actions; see actions/settings.h.

  size_t jobs_at_once = 16;                 // More wait for their turn.
  std::chrono::seconds stop_grace{120};     // Between asking a job to end and ending it.
  uint64_t rule_memory_bytes = 2ull << 30;  // Of each rule's process.
  uint64_t log_file_bytes = 16 << 20;       // Of each host; then it is rotated.
  int log_files = 5;
};

// The places in the data folder.
struct DataLayout {
  explicit DataLayout(std::string data) : root(std::move(data)) {}

  std::string Database() const { return root + "/warden.db"; }
  std::string Credentials() const { return root + "/credentials"; }
  std::string Token() const { return root + "/token"; }
  std::string Objects() const { return root + "/s3"; }       // <bucket>/<key>.
  std::string Uploads() const { return root + "/uploads"; }  // Unfinished; same file system.
  std::string Job(const std::string& name) const { return root + "/jobs/" + name; }
  std::string Host(const std::string& job, const std::string& host) const {
    return Job(job) + "/hosts/" + host;
  }
  std::string Rule(const std::string& job, const std::string& rule_job) const {
    return Job(job) + "/rules/" + rule_job;
  }
  // Where an agent's output goes, as lines with times (see logs/).
  static std::string Log(const std::string& agent) { return agent + "/log"; }

  std::string root;
};

}  // namespace warden::service

#endif  // WARDEN_SERVICE_OPTIONS_H_
