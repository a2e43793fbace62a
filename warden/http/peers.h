#ifndef WARDEN_HTTP_PEERS_H_
#define WARDEN_HTTP_PEERS_H_

// The open connections of a server, as far as the server must know them: to limit their number, to
// end those that take too long, and to stop all of them. How the server stops:
//
//   peers.StopAll();                        // Idle ones close at once.
//   if (!peers.AwaitNone(stop_time)) {      // Running exchanges finish.
//     do peers.CloseAll();
//     while (!peers.AwaitNone(100ms));
//   }

#include <atomic>
#include <boost/asio/any_io_executor.hpp>
#include <chrono>
#include <condition_variable>
#include <memory>
#include <mutex>
#include <unordered_map>

namespace warden::http {

// A connection, as the server sees it. Cancel, Stop and Close are called on the connection's own
// executor only, where one thing happens at a time. The deadline may be read by any thread.
class Peer {
 public:
  using Clock = std::chrono::steady_clock;  // Never set back.

  virtual ~Peer() = default;
  // Cancels the operation under way, which has taken too long. The connection decides what follows.
  virtual void Cancel() = 0;
  // The server stops: closes an idle connection; one that answers a request ends after the answer.
  virtual void Stop() = 0;
  // Closes it, whatever it does.
  virtual void Close() = 0;

  // Sets the deadline of the operation that begins now, or removes it (Rest). One check of all
  // connections every 100 ms is much cheaper than a timer for each operation.
  void Watch(std::chrono::milliseconds limit) { deadline_ = (Clock::now() + limit); }
  void Rest() { deadline_ = Clock::time_point::max(); }             // No deadline.
  bool IsLate() const { return deadline_.load() <= Clock::now(); }  // For any thread.

  // Since when it has waited for a request; the far future while it answers one. For any thread.
  Clock::time_point idle_since() const { return idle_since_; }

 protected:
  void BecomeIdle() { idle_since_ = Clock::now(); }
  void BecomeBusy() { idle_since_ = Clock::time_point::max(); }

 private:
  std::atomic<Clock::time_point> deadline_ = Clock::time_point::max();
  std::atomic<Clock::time_point> idle_since_ = Clock::now();
};

// All connections of a server. Safe for many threads. Does not own them: a connection adds itself
// when it starts and removes itself in its destructor.
class Peers {
 public:
  explicit Peers(size_t limit) : limit_(limit) {}  // limit: connections at once.

  // Adds a connection with the executor to call it on. If limit connections are open, the idlest is
  // closed for it: strangers who only connect must not keep others out. False: all of them are
  // busy, or the server is stopping.
  bool Add(const std::shared_ptr<Peer>& peer, boost::asio::any_io_executor executor);
  // Does nothing for one that was never added.
  void Remove(const Peer* peer);

  // Whether so many are being closed to make room that new ones had better wait for that: each has
  // its descriptor until it is closed.
  bool IsCrowded() const;

  // Closes the connection that has waited for a request for the longest time. False: none waits.
  // Returns at once: it is closed by its executor.
  bool CloseIdlest();

  // Cancels those past their deadline. Call it periodically: an operation in several steps may be
  // between two of them, and escape once.
  void CancelLate();
  // From now on none is added, and all are asked to stop (Peer::Stop). Returns at once.
  void StopAll();
  // Closes all (Peer::Close). Returns at once.
  void CloseAll();
  bool is_stopping() const { return is_stopping_; }  // StopAll was called.
  // Waits until there are no connections, at most so long. False: some are left.
  bool AwaitNone(std::chrono::milliseconds limit);

 private:
  struct Entry {
    std::weak_ptr<Peer> peer;               // Gone before its entry is.
    boost::asio::any_io_executor executor;  // Where its functions are called.
    bool is_leaving = false;                // Was told to close, to make room.
  };
  bool CloseIdlestLocked();            // Under mutex_.
  void Stay(const Peer* peer);         // It does not leave after all.
  void TellAll(void (Peer::*what)());  // Posts the call to each one's executor.

  const size_t limit_;                     // Connections at once.
  std::atomic<bool> is_stopping_ = false;  // Written under mutex_.
  mutable std::mutex mutex_;               // Guards entries_ and leaving_.
  std::condition_variable none_;           // Notified when entries_ becomes empty.
  std::unordered_map<const Peer*, Entry> entries_;
  size_t leaving_ = 0;  // Entries that are.
};

}  // namespace warden::http

#endif  // WARDEN_HTTP_PEERS_H_
