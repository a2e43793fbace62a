#ifndef WARDEN_JOBS_LAUNCH_HOST_MACHINE_H_
#define WARDEN_JOBS_LAUNCH_HOST_MACHINE_H_

// The facts about a host's machine that its training gets as environment variables.

#include <cstdint>
#include <string>

namespace warden::jobs {

// As far as it is known before the host starts.
struct HostMachine {
  // The address of the job's first host. A node's is known only when it starts: AddressOfHost.
  std::string master = "127.0.0.1";
  int port = 0;                  // Where the hosts of the job find each other.
  int gpus = 0;                  // That the host may use; if shared, those of the machine.
  int64_t cpus = 0;              // As gpus.
  bool shared = true;            // By all hosts of the job.
  std::string interface = "lo";  // Of the network between the hosts.
};

// This machine, which all hosts of a job share.
HostMachine LocalMachine(int port);

// What stands for the address of a host ("algo-1") until its node is known: FillInNode.
inline std::string AddressOfHost(const std::string& host) { return "{address of " + host + "}"; }

}  // namespace warden::jobs

#endif  // WARDEN_JOBS_LAUNCH_HOST_MACHINE_H_
