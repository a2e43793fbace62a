#ifndef WARDEN_JOBS_DB_READER_POOL_H_
#define WARDEN_JOBS_DB_READER_POOL_H_

// Read connections for the threads of the service. Used by SqliteStore alone.

#include <condition_variable>
#include <memory>
#include <mutex>
#include <string>
#include <utility>
#include <vector>

#include "warden/jobs/db/sqlite.h"

namespace warden::jobs::db {

// Connections that only read, each lent to one thread at a time. They never wait for writers. Safe
// for many threads; outlives what it lends. SQLite's WAL mode lets them read while one writes; each
// sees the state of the last commit before its query began.
class ReaderPool {
 public:
  // Opens connections when they are needed, at most `most`; they stay open.
  ReaderPool(std::string path, size_t most) : path_(std::move(path)), most_(most) {}

  // A connection that returns to the pool with this object. For one thread. A moved-from one is
  // empty and returns nothing.
  class Lent {
   public:
    // For Lend() alone.
    Lent(ReaderPool* pool, std::unique_ptr<Connection> connection)
        : pool_(pool), connection_(std::move(connection)) {}
    Lent(Lent&&) = default;
    ~Lent() {
      if (connection_ != nullptr) pool_->TakeBack(std::move(connection_));
    }
    Connection* operator->() const { return connection_.get(); }  // Never null.
    Connection* get() const { return connection_.get(); }

   private:
    ReaderPool* pool_;
    std::unique_ptr<Connection> connection_;
  };

  // Lends a connection; waits if all are lent. Do not call it while holding one: enough threads
  // that do so would wait for each other. kIo, kCorrupt as Connection::Open. The lock is held while
  // a connection is opened, which happens at most `most` times in the life of the service. An error
  // leaves the pool as it was; the next call tries again.
  Result<Lent> Lend() {
    std::unique_lock lock(mutex_);
    returned_.wait(lock, [&] { return !free_.empty() || opened_ < most_; });
    if (free_.empty()) {
      auto opened = Connection::Open(path_, Connection::Mode::kReadOnly);
      if (!opened.ok()) return opened.status();
      ++opened_;
      return Lent(this, std::move(opened).value());
    }
    std::unique_ptr<Connection> connection = std::move(free_.back());
    free_.pop_back();
    return Lent(this, std::move(connection));
  }

 private:
  // Called by Lent, from any thread.
  void TakeBack(std::unique_ptr<Connection> connection) {
    {
      const std::lock_guard lock(mutex_);
      free_.push_back(std::move(connection));
    }
    returned_.notify_one();
  }

  const std::string path_;                         // Of the database.
  const size_t most_;                              // Connections.
  std::mutex mutex_;                               // Guards free_ and opened_.
  std::condition_variable returned_;               // A connection came back.
  std::vector<std::unique_ptr<Connection>> free_;  // Open and not lent.
  size_t opened_ = 0;                              // Free and lent together.
};

}  // namespace warden::jobs::db

#endif  // WARDEN_JOBS_DB_READER_POOL_H_
