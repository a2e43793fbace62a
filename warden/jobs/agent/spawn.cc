#include "warden/jobs/agent/spawn.h"

#include <fcntl.h>
#include <sys/resource.h>

#include <cerrno>
#include <utility>

#include "warden/os/posix.h"
#include "warden/os/program.h"

namespace warden::jobs {
namespace {

#if !defined(__has_feature)
constexpr bool kCanLimitMemory = true;
#elif __has_feature(address_sanitizer) || __has_feature(thread_sanitizer)
constexpr bool kCanLimitMemory = false;
#else
constexpr bool kCanLimitMemory = true;
#endif

void Limit(int resource, rlim_t most) {
  rlimit now{};
  getrlimit(static_cast<__rlimit_resource>(resource), &now);
  if (now.rlim_max < most) most = now.rlim_max;
  const rlimit limit{most, most};
  setrlimit(static_cast<__rlimit_resource>(resource), &limit);
}

}  // namespace

Result<pid_t> SpawnDetached(const DetachedProgram& program) {
  const os::UniqueFd input(open("/dev/null", O_RDONLY | O_CLOEXEC));
  if (!input.ok()) return os::IoError("open", "/dev/null", errno);
  const os::UniqueFd output(
      open(program.output.c_str(), O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC | O_NOFOLLOW, 0600));
  if (!output.ok()) return os::IoError("open", program.output, errno);
  os::Program detached;
  detached.words = program.words;
  detached.files = std::vector{program.words.front()};
  detached.environment = program.environment;
  detached.folder = "/";
  detached.input = input.get();
  detached.output = output.get();
  detached.errors = output.get();
  detached.group = os::Program::Group::kOwnSession;
  detached.detached = true;
  detached.last_steps = [memory_bytes = program.memory_bytes] {
    Limit(RLIMIT_CORE, 0);
    // Not RLIMIT_AS: that counts mapped files too, of which runs have many.
    if (memory_bytes != 0 && kCanLimitMemory) Limit(RLIMIT_DATA, memory_bytes);
  };
  const os::Started started = os::StartProgram(std::move(detached));
  if (started.pid > 0) return started.pid;
  if (started.error != 0) return os::IoError("start", program.words.front(), started.error);
  return Status(Code::kIo, "cannot start " + program.words.front() + ": it was killed immediately");
}

bool MemoryCanBeLimited() { return kCanLimitMemory; }

}  // namespace warden::jobs
