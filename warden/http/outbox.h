#ifndef WARDEN_HTTP_OUTBOX_H_
#define WARDEN_HTTP_OUTBOX_H_

#include <cstddef>
#include <deque>
#include <functional>
#include <mutex>
#include <optional>
#include <string>

#include "warden/http/message.h"

namespace warden::http {

// What waits to be sent to one client: filled by any thread, emptied by its connection.
class Outbox : public LivePipe, public Socket {
 public:
  enum class State : uint8_t {
    kOpen,
    kClosed,  // By whoever fills it: what is in it is still sent.
    kCut,     // The client is too slow: it is to be thrown out.
    kGone,    // Nobody empties it any more.
  };

  // wake is called whenever there may be something to do, by the thread that fills it, and must not
  // call back; never once the connection has let go.
  Outbox(size_t limit, std::function<void()> wake);

  bool Send(std::string piece) override;
  void Close() override;

  // For the connection. Asking for more means that what was taken before has been sent.
  std::optional<std::string> Next();
  std::string All();
  State state() const;
  // The connection has gone.
  void LetGo();

 private:
  void WakeLocked();

  mutable std::mutex mutex_;
  const size_t limit_;
  std::function<void()> wake_;
  State state_ = State::kOpen;
  bool was_woken_ = false;  // And has not looked since.
  std::deque<std::string> pieces_;
  size_t waiting_ = 0;  // Bytes of the pieces and of what was taken last.
  size_t taken_ = 0;
};

}  // namespace warden::http

#endif  // WARDEN_HTTP_OUTBOX_H_
