#ifndef WARDEN_HTTP_PEERS_H_
#define WARDEN_HTTP_PEERS_H_

#include <atomic>
#include <boost/asio/any_io_executor.hpp>
#include <chrono>
#include <condition_variable>
#include <memory>
#include <mutex>
#include <unordered_map>

namespace warden::http {

// A connection, as the server sees it. Everything but the deadline is used on the connection's own
// executor, where one thing happens at a time.
class Peer {
 public:
  using Clock = std::chrono::steady_clock;

  virtual ~Peer() = default;
  // Ends what is under way on the connection, which has taken too long.
  virtual void Cancel() = 0;
  // Closes it unless a request is being answered.
  virtual void Stop() = 0;
  virtual void Close() = 0;

  // One check of all connections now and then is much cheaper than a timer for each operation.
  void Watch(std::chrono::milliseconds limit) { deadline_ = (Clock::now() + limit); }
  void Rest() { deadline_ = Clock::time_point::max(); }
  bool IsLate() const { return deadline_.load() <= Clock::now(); }

 private:
  std::atomic<Clock::time_point> deadline_ = Clock::time_point::max();
};

// All connections of a server. Safe for many threads.
class Peers {
 public:
  explicit Peers(size_t limit) : limit_(limit) {}

  // False: there are too many, or the server is stopping.
  bool Add(const std::shared_ptr<Peer>& peer, boost::asio::any_io_executor executor);
  void Remove(const Peer* peer);

  // Cancels those that are late. Again each time: an operation in several steps may just be between
  // two of them.
  void CancelLate();
  // From now on none is added. All are told to stop.
  void StopAll();
  void CloseAll();
  bool is_stopping() const { return is_stopping_; }
  // False: some are left after that time.
  bool AwaitNone(std::chrono::milliseconds limit);

 private:
  struct Entry {
    std::weak_ptr<Peer> peer;
    boost::asio::any_io_executor executor;
  };
  void TellAll(void (Peer::*what)());

  const size_t limit_;
  std::atomic<bool> is_stopping_ = false;
  std::mutex mutex_;
  std::condition_variable none_;
  std::unordered_map<const Peer*, Entry> entries_;
};

}  // namespace warden::http

#endif  // WARDEN_HTTP_PEERS_H_
