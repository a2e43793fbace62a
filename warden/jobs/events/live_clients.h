#ifndef WARDEN_JOBS_EVENTS_LIVE_CLIENTS_H_
#define WARDEN_JOBS_EVENTS_LIVE_CLIENTS_H_

// Live events for browsers and other clients of "/-/events" (supervise/live_events.h).

#include <cstdint>
#include <map>
#include <memory>
#include <mutex>
#include <optional>
#include <thread>
#include <utility>
#include <vector>

#include "warden/http/message.h"
#include "warden/jobs/events/bell.h"

namespace warden::jobs {

// Sends events to all who listen, on one thread: clients that are equally far share one read of the
// store. One that is far behind gets history piece by piece, so that a client that takes it at a
// fair pace is not cut off for being slow. Safe for many threads. A client gets 32 events every 50
// ms at most while it catches up, and new ones at once. A comment is sent every 15 seconds, so that
// proxies keep the connection and clients that have left are noticed.
class LiveClients {
 public:
  // store is not owned and outlives it.
  explicit LiveClients(JobStore* store);
  // Closes all pipes.
  ~LiveClients();
  LiveClients(const LiveClients&) = delete;
  LiveClients& operator=(const LiveClients&) = delete;

  // Adds a client. after: the last event that it has; nothing: the last one there is. It is
  // forgotten when it leaves. Events that the store no longer has are skipped. Sends "retry: 2000"
  // first: browsers connect again two seconds after a loss, with the number of their last event.
  void Add(std::shared_ptr<http::LivePipe> pipe, std::optional<int64_t> after);

 private:
  using Group = std::vector<std::shared_ptr<http::LivePipe>>;  // Equally far.

  void Serve(const std::stop_token& stop);  // The thread.
  // Sends the next events to all who are so far. True if there may be more. A read that fails is
  // logged and tried again at the next round; nobody is cut off for it.
  bool ServeGroup(int64_t number, Group group);
  void KeepAlive();  // Sends a comment to all, and drops those who have left.

  JobStore* const store_;
  const std::shared_ptr<EventBell> bell_;  // Rung by the store, and by Add.
  std::map<int64_t, Group> groups_;        // By the last event sent; used by the thread alone.

  std::mutex mutex_;                                                        // For added_.
  std::vector<std::pair<std::shared_ptr<http::LivePipe>, int64_t>> added_;  // Under mutex_.
  std::jthread thread_;  // Last: it uses all others.
};

}  // namespace warden::jobs

#endif  // WARDEN_JOBS_EVENTS_LIVE_CLIENTS_H_
