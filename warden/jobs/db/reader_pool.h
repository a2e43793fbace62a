#ifndef WARDEN_JOBS_DB_READER_POOL_H_
#define WARDEN_JOBS_DB_READER_POOL_H_

#include <condition_variable>
#include <memory>
#include <mutex>
#include <string>
#include <utility>
#include <vector>

#include "warden/jobs/db/sqlite.h"

namespace warden::jobs::db {

// Connections that only read, lent to one thread at a time. They never wait for writers.
class ReaderPool {
 public:
  ReaderPool(std::string path, size_t most) : path_(std::move(path)), most_(most) {}

  // Goes back to the pool with the object.
  class Lent {
   public:
    Lent(ReaderPool* pool, std::unique_ptr<Connection> connection)
        : pool_(pool), connection_(std::move(connection)) {}
    Lent(Lent&&) = default;
    ~Lent() {
      if (connection_ != nullptr) pool_->TakeBack(std::move(connection_));
    }
    Connection* operator->() const { return connection_.get(); }
    Connection* get() const { return connection_.get(); }

   private:
    ReaderPool* pool_;
    std::unique_ptr<Connection> connection_;
  };

  // Waits for one if all are lent.
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
  void TakeBack(std::unique_ptr<Connection> connection) {
    {
      const std::lock_guard lock(mutex_);
      free_.push_back(std::move(connection));
    }
    returned_.notify_one();
  }

  const std::string path_;
  const size_t most_;
  std::mutex mutex_;
  std::condition_variable returned_;
  std::vector<std::unique_ptr<Connection>> free_;
  size_t opened_ = 0;
};

}  // namespace warden::jobs::db

#endif  // WARDEN_JOBS_DB_READER_POOL_H_
