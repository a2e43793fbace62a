#ifndef WARDEN_JOBS_EVENTS_LIVE_CLIENTS_H_
#define WARDEN_JOBS_EVENTS_LIVE_CLIENTS_H_

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

// Sends events to all who listen, by one thread: those who are equally far are served by one look
// at the store. Somebody who is far behind gets history piece by piece, so that one who takes it at
// a fair pace is not taken for one who does not. Safe for many threads.
class LiveClients {
 public:
  // store outlives it.
  explicit LiveClients(JobStore* store);
  // Closes all.
  ~LiveClients();
  LiveClients(const LiveClients&) = delete;
  LiveClients& operator=(const LiveClients&) = delete;

  // after: the event that it has; nothing: the last one there is.
  void Add(std::shared_ptr<http::LivePipe> pipe, std::optional<int64_t> after);

 private:
  using Group = std::vector<std::shared_ptr<http::LivePipe>>;

  void Serve(const std::stop_token& stop);
  // Sends the next events to all who are so far. True if there may be more.
  bool ServeGroup(int64_t number, Group group);
  void KeepAlive();

  JobStore* const store_;
  const std::shared_ptr<EventBell> bell_;
  std::map<int64_t, Group> groups_;  // By the last event sent; for the thread alone.

  std::mutex mutex_;
  std::vector<std::pair<std::shared_ptr<http::LivePipe>, int64_t>> added_;  // Under mutex_.
  std::jthread thread_;  // Last: it uses all others.
};

}  // namespace warden::jobs

#endif  // WARDEN_JOBS_EVENTS_LIVE_CLIENTS_H_
