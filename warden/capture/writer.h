#ifndef WARDEN_CAPTURE_WRITER_H_
#define WARDEN_CAPTURE_WRITER_H_

#include <atomic>
#include <condition_variable>
#include <cstddef>
#include <deque>
#include <memory>
#include <mutex>
#include <string>
#include <thread>
#include <variant>
#include <vector>

#include "warden/base/status.h"
#include "warden/base/types.h"
#include "warden/storage/store.h"

namespace warden::capture {

// What to do when data comes faster than the storage takes it.
enum class Overflow {
  kWait,  // Training waits.
  kDrop,  // The tensor is left out and counted.
};

// Puts files into a store from a thread of its own. What is written passes through a fixed amount
// of staging memory, the only copy that is made of it; files are put in the order given. One thread
// gives at a time. After a failure everything further is swallowed and status() says why: the
// program that is being watched goes on.
class Writer {
 public:
  // store outlives the writer.
  Writer(storage::Store* store, size_t staging_bytes, Overflow overflow);
  // Finishes what was given.
  ~Writer();

  // Begins a file, to be filled by Append and ended by Commit. One at a time.
  void Begin(std::string key);
  // Whether something that is about to be appended should be dropped instead.
  bool IsFull() const;
  void Append(Bytes bytes);
  void Commit();

  // A small file, after all that was given before.
  void Put(std::string key, std::string body);
  void Remove(std::string key);

  // Returns when everything given has been put, or could not be.
  Status Flush();
  // The first failure.
  Status status() const;

 private:
  // Large enough that a write call costs little beside its bytes, small enough that what was copied
  // is still in the cache when it is written.
  static constexpr size_t kChunkBytes = size_t{1} << 20;
  struct Chunk {
    std::unique_ptr<std::byte[]> data;
    size_t used = 0;
  };
  struct BeginFile {
    std::string key;
  };
  struct CommitFile {};
  struct PutFile {
    std::string key, body;
  };
  struct RemoveFile {
    std::string key;
  };
  using Task = std::variant<BeginFile, Chunk, CommitFile, PutFile, RemoveFile>;

  void Give(Task task);
  Chunk TakeChunk();
  void SendChunk();
  void Run();
  Status Do(Task& task);
  void Recycle(Chunk chunk);

  storage::Store* const store_;
  const size_t most_chunks_;
  const Overflow overflow_;
  Chunk current_;  // Being filled; of the giving thread.

  mutable std::mutex mutex_;
  std::condition_variable work_;      // A task was given, or the end has come.
  std::condition_variable progress_;  // A chunk became free, or a task was done.
  std::deque<Task> tasks_;
  std::vector<Chunk> free_;  // The one used last is taken first: it is warm.
  size_t made_ = 0;          // Chunks in existence.
  bool busy_ = false;
  bool stop_ = false;
  Status status_;

  std::unique_ptr<storage::ObjectWriter> file_;  // Of the writing thread.
  std::thread thread_;
};

}  // namespace warden::capture

#endif  // WARDEN_CAPTURE_WRITER_H_
