#include "warden/cli/launch/stop_with_others.h"

#include <condition_variable>
#include <mutex>
#include <stop_token>

#include "warden/base/log.h"
#include "warden/os/process_tree.h"

namespace warden::cli {

void StopWithOthers::Start(pid_t pid) {
  thread_ = std::jthread([this, pid](const std::stop_token& over) {
    std::mutex mutex;
    std::condition_variable_any wake;
    std::unique_lock lock(mutex);
    while (!over.stop_requested()) {
      if (marks_.Stopped()) {
        const Status stopped = os::StopProcessTree(pid, grace_);
        if (!stopped.ok()) LogWarning("{}", stopped.message());
        return;
      }
      wake.wait_for(lock, over, marks_.Pause(), [] { return false; });
    }
  });
}

void StopWithOthers::Finish() {
  if (!thread_.joinable()) return;
  thread_.request_stop();
  thread_.join();
}

}  // namespace warden::cli
