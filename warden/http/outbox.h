#ifndef WARDEN_HTTP_OUTBOX_H_
#define WARDEN_HTTP_OUTBOX_H_

// The queue between those who send to one client (live pipes, WebSockets) and its connection.
// Handlers see it only as LivePipe or Socket.
//
//   sender:     Send ... Send ... Close          (any thread; wake posts to the connection)
//   connection: Next, write, Next, write, ...    (until state() is not kOpen and nothing is left)

#include <cstddef>
#include <deque>
#include <functional>
#include <mutex>
#include <optional>
#include <string>

#include "warden/http/message.h"

namespace warden::http {

// What waits to be sent to one client. Send and Close are for any thread; Next, All and LetGo are
// for the connection. Bounded, so that one slow client cannot fill the memory.
class Outbox : public LivePipe, public Socket {
 public:
  enum class State : uint8_t {
    kOpen,    // Takes pieces.
    kClosed,  // By the sender: what is in it is still sent.
    kCut,     // The client is too slow: the connection is to be closed.
    kGone,    // The connection has ended.
  };

  // limit: bytes that may wait, including those being written. wake: called when the connection may
  // have something to do, by the thread that sends, under the lock: it must not call back into the
  // outbox. Not called again until the connection has looked, and never after LetGo().
  Outbox(size_t limit, std::function<void()> wake);

  // False unless open. A piece that exceeds the limit cuts the client off: all that waits is
  // dropped.
  bool Send(std::string piece) override;
  // Does nothing unless open.
  void Close() override;

  // For the connection: the next piece, or all of them as one; nothing or "" if none waits. Asking
  // for more means that what was taken before has been written, and frees its share of the limit.
  std::optional<std::string> Next();
  std::string All();
  State state() const;  // For any thread.
  // The connection has ended: drops what waits and calls wake no more.
  void LetGo();

 private:
  void WakeLocked();  // Under mutex_.

  mutable std::mutex mutex_;        // Guards all that follows.
  const size_t limit_;              // Bytes.
  std::function<void()> wake_;      // Empty after LetGo().
  State state_ = State::kOpen;      // Leaves kOpen once, for good.
  bool was_woken_ = false;          // And the connection has not looked since.
  std::deque<std::string> pieces_;  // Not taken yet, oldest first.
  size_t waiting_ = 0;              // Bytes of the pieces and of what was taken last.
  size_t taken_ = 0;                // Bytes of what was taken last, still being written.
};

}  // namespace warden::http

#endif  // WARDEN_HTTP_OUTBOX_H_
