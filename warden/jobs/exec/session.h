#ifndef WARDEN_JOBS_EXEC_SESSION_H_
#define WARDEN_JOBS_EXEC_SESSION_H_

#include <atomic>
#include <chrono>
#include <functional>
#include <memory>
#include <mutex>
#include <string>
#include <string_view>
#include <thread>

#include "warden/base/status.h"
#include "warden/http/message.h"
#include "warden/jobs/exec/protocol.h"
#include "warden/jobs/exec/pty_shell.h"
#include "warden/os/posix.h"

namespace warden::jobs {

struct SessionPlan {
  ShellLaunch launch;
  // Whether it may go on; asked once a second. The message is for the client.
  std::function<Status()> allowed = [] { return Status(); };
  // Keeps a line of the record: "opened", "typed: ls", "closed: exit code 0".
  std::function<void(const std::string&)> record = [](const std::string&) {};
  std::chrono::milliseconds idle_limit = std::chrono::minutes(30);
};

// A shell for one connection, from when that is open until either ends. Its thread is its own.
class Session {
 public:
  explicit Session(SessionPlan plan);
  ~Session() { End("the service is shutting down"); }
  Session(const Session&) = delete;
  Session& operator=(const Session&) = delete;

  // From the connection, in any thread.
  void Open(std::shared_ptr<http::Socket> socket);
  void Receive(std::string_view message);
  void ConnectionClosed();

  // Ends it, if it was ever opened, and returns when it has; it cannot be opened any more.
  void End(std::string reason);

  enum class State { kNew, kOpen, kOver };
  State state() const { return state_; }

 private:
  class Loop;
  struct Inbox {
    std::string keys;
    bool end_of_input = false;
    TerminalSize size;
    bool resized = false;
    uint64_t shown = 0;
    bool closed = false;     // By the client.
    std::string end_reason;  // By us.
  };

  void Run();
  void Wake() const;
  void Read(std::string_view message, Inbox* inbox) const;

  const SessionPlan plan_;
  os::UniqueFd wake_;
  std::shared_ptr<http::Socket> socket_;
  std::mutex mutex_;
  Inbox inbox_;
  std::atomic<State> state_ = State::kNew;
  std::thread thread_;
};

}  // namespace warden::jobs

#endif  // WARDEN_JOBS_EXEC_SESSION_H_
