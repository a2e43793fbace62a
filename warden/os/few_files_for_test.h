#ifndef WARDEN_OS_FEW_FILES_FOR_TEST_H_
#define WARDEN_OS_FEW_FILES_FOR_TEST_H_

#include <fcntl.h>
#include <poll.h>
#include <sys/resource.h>
#include <unistd.h>

#include <string>
#include <string_view>
#include <vector>

namespace warden::os {

// While it lives, the process can open no more than so many descriptors.
class FewFiles {
 public:
  explicit FewFiles(int left) {
    getrlimit(RLIMIT_NOFILE, &before_);
    // They get the lowest numbers that are free, so the one beyond says where the limit must be.
    std::vector<int> taken;
    for (int i = 0; i <= left; ++i) taken.push_back(open("/dev/null", O_RDONLY | O_CLOEXEC));
    rlimit few = before_;
    few.rlim_cur = static_cast<rlim_t>(taken.back());
    for (const int file : taken) close(file);
    setrlimit(RLIMIT_NOFILE, &few);
  }
  FewFiles(const FewFiles&) = delete;
  FewFiles& operator=(const FewFiles&) = delete;
  ~FewFiles() { End(); }

  // As many as before.
  void End() { setrlimit(RLIMIT_NOFILE, &before_); }

 private:
  rlimit before_{};
};

// What the process logs while it lives, to be read at once.
class LogPipe {
 public:
  LogPipe() : stderr_(fcntl(STDERR_FILENO, F_DUPFD_CLOEXEC, 0)) {
    int ends[2] = {-1, -1};
    if (pipe2(ends, O_CLOEXEC) != 0) return;
    dup2(ends[1], STDERR_FILENO);
    close(ends[1]);
    read_end_ = ends[0];
  }
  LogPipe(const LogPipe&) = delete;
  LogPipe& operator=(const LogPipe&) = delete;
  ~LogPipe() {
    dup2(stderr_, STDERR_FILENO);
    close(stderr_);
    close(read_end_);
  }

  // Waits for these words. False if they do not come for a minute.
  bool Await(std::string_view words) {
    while (told_.find(words) == std::string::npos) {
      pollfd wait{.fd = read_end_, .events = POLLIN, .revents = 0};
      char bytes[4096];
      if (poll(&wait, 1, 60'000) <= 0) return false;
      const ssize_t size = read(read_end_, bytes, sizeof(bytes));
      if (size <= 0) return false;
      told_.append(bytes, static_cast<size_t>(size));
    }
    return true;
  }

 private:
  const int stderr_;
  int read_end_ = -1;
  std::string told_;
};

}  // namespace warden::os

#endif  // WARDEN_OS_FEW_FILES_FOR_TEST_H_
