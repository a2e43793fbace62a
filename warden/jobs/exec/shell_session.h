#ifndef WARDEN_JOBS_EXEC_SHELL_SESSION_H_
#define WARDEN_JOBS_EXEC_SHELL_SESSION_H_

// One shell with its connection: what `warden jobs exec` and the terminal of the dashboard talk to.
// MakeExec (exec_handler.h) makes one for each request:
//
//   auto session = std::make_shared<Session>(std::move(plan));
//   response.socket = http::SocketEvents{[session](auto socket) { session->Open(socket); },
//                                        [session](auto message) { session->Receive(message); },
//                                        [session] { session->ConnectionClosed(); }};

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

// What a session needs to know. The functions are called by the session's thread. Copied into the
// session. Every session and every typed line is recorded; what is typed while the terminal does
// not echo, such as a password, is not (TypedLines).
struct SessionPlan {
  ShellLaunch launch;  // What to run.
  // Whether it may continue; called once a second. An error ends the session, and its message is
  // for the client.
  std::function<Status()> allowed = [] { return Status(); };
  // Records a line: "opened", "typed: ls", "closed: exit code 0".
  std::function<void(const std::string&)> record = [](const std::string&) {};
  std::chrono::milliseconds idle_limit = std::chrono::minutes(30);  // Without input and output.
};

// A shell for one connection, from when that is open until either ends. Has its own thread, which
// starts with Open. Safe for many threads. See protocol.h for the messages. Ends when the program
// does, the connection is closed, allowed() fails, it is idle for too long, or End() is called. The
// last message to the client says which: an exit code or a reason.
//
// At most 256 KB of output are under way: then the program waits until the client says that it has
// shown them. More than 1 MB of keys that the program does not read end the session.
class Session {
 public:
  // Starts nothing yet.
  explicit Session(SessionPlan plan);
  // Waits for the thread, as End().
  ~Session() { End("the service is shutting down"); }
  Session(const Session&) = delete;
  Session& operator=(const Session&) = delete;

  // The events of the connection (http::SocketEvents). Open is for once; a session that was ended
  // before closes the socket. Receive accepts any bytes. None of them blocks.
  void Open(std::shared_ptr<http::Socket> socket);
  // Unknown kinds of messages and malformed sizes are ignored.
  void Receive(std::string_view message);
  void ConnectionClosed();

  // Ends it if it was opened, tells the client why, and returns when it has ended; it cannot be
  // opened any more. Not from the session's thread. The shell and all that it started are stopped
  // with it.
  void End(std::string reason);

  enum class State { kNew, kOpen, kOver };  // kOver: the program and its terminal are gone.
  State state() const { return state_; }

 private:
  class Loop;  // What the thread does while the program runs.
  // What has arrived from the connection and was not handled by the thread yet.
  struct Inbox {
    std::string keys;           // Typed, and not passed on yet.
    bool end_of_input = false;  // kEndOfInputMessage came.
    TerminalSize size;
    bool resized = false;  // size is new.
    // Bytes of output that the client has shown, in all. Only grows, and is believed: a client that
    // lies fills its own connection only.
    uint64_t shown = 0;
    bool closed = false;     // By the client.
    std::string end_reason;  // By us.
  };

  void Run();                                               // The thread.
  void Wake() const;                                        // Under mutex_ or not.
  void Read(std::string_view message, Inbox* inbox) const;  // One message. Under mutex_.

  const SessionPlan plan_;                // Its functions are called by the thread alone.
  os::UniqueFd wake_;                     // An eventfd.
  std::shared_ptr<http::Socket> socket_;  // Set by Open, before the thread starts.
  std::mutex mutex_;
  Inbox inbox_;                             // Under mutex_, as is thread_.
  std::atomic<State> state_ = State::kNew;  // Only ever grows.
  std::thread thread_;
};

}  // namespace warden::jobs

#endif  // WARDEN_JOBS_EXEC_SHELL_SESSION_H_
