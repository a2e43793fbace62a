#ifndef WARDEN_CLI_SERVE_LOG_FOLLOWER_H_
#define WARDEN_CLI_SERVE_LOG_FOLLOWER_H_

#include <functional>
#include <map>
#include <string>
#include <vector>

#include "warden/base/status.h"
#include "warden/cli/serve/service_call.h"

namespace warden::cli {

// A line that a host of a job printed. The text is not made printable. host is "algo-1", also for a
// stream of an earlier start of that host.
struct ToldLine {
  // Milliseconds since 1970.
  int64_t time_ms = 0;
  std::string host;
  std::string text;
};

// Reads the logs of a job's hosts, or of a rule: each call returns what was added since the last.
// For `warden jobs logs`. For one thread.
//
//   LogFollower logs("/aws/sagemaker/TrainingJobs", job + "/", &service);
//   const auto lines = logs.Next();
//
// Speaks CloudWatch's operations, so it also follows jobs of another service that has them.
class LogFollower {
 public:
  // group: "/aws/sagemaker/TrainingJobs". prefix: of the names of the streams, "JOB/algo-1".
  // service is not owned and outlives it.
  LogFollower(std::string group, std::string prefix, ServiceCall* service)
      : group_(std::move(group)), prefix_(std::move(prefix)), service_(service) {}

  // New lines of all hosts, by time, at most some 100,000 per host; call it again for more. Empty
  // if nothing is there yet. Errors are those of ServiceCall::Call; what was read before an error
  // in the same call is lost. Lines of one host are in its order; of different hosts they are
  // merged by the time of their ends. Hosts that start later are found by later calls.
  Result<std::vector<ToldLine>> Next();
  // How many streams were found so far: hosts, each start of a host being one. At most 50.
  size_t hosts() const { return tokens_.size(); }

 private:
  // A group or job that is not there yet is not an error.
  Status FindStreams();
  Status ReadStream(const std::string& stream, std::string* token, std::vector<ToldLine>* lines);

  const std::string group_;
  const std::string prefix_;
  ServiceCall* service_;
  std::map<std::string, std::string> tokens_;  // Of each stream: where to continue.
};

}  // namespace warden::cli

#endif  // WARDEN_CLI_SERVE_LOG_FOLLOWER_H_
