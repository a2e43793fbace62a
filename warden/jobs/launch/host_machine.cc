#include "warden/jobs/launch/host_machine.h"

#include <unistd.h>

#include <algorithm>
#include <cctype>
#include <filesystem>

namespace warden::jobs {
namespace {

// NVIDIA's.
int CountGpus() {
  int count = 0;
  std::error_code error;
  for (std::filesystem::directory_iterator at("/dev", error), end; !error && at != end;
       at.increment(error)) {
    const std::string name = at->path().filename();
    const bool numbered = name.size() > 6 && name.starts_with("nvidia") &&
                          std::all_of(name.begin() + 6, name.end(),
                                      [](unsigned char c) { return std::isdigit(c) != 0; });
    count += numbered ? 1 : 0;
  }
  return count;
}

}  // namespace

HostMachine LocalMachine(int port) {
  HostMachine machine;
  machine.port = port;
  machine.gpus = CountGpus();
  machine.cpus = sysconf(_SC_NPROCESSORS_ONLN);
  return machine;
}

}  // namespace warden::jobs
