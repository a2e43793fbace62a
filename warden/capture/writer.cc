#include "warden/capture/writer.h"

#include <algorithm>
#include <cstring>
#include <utility>

#include "warden/base/log.h"

namespace warden::capture {

Writer::Writer(storage::Store* store, size_t staging_bytes, Overflow overflow)
    : store_(store),
      // Two at least: one is filled while the other is written.
      most_chunks_(std::max<size_t>(2, staging_bytes / kChunkBytes)),
      overflow_(overflow),
      thread_([this] { Run(); }) {}

Writer::~Writer() {
  {
    const std::lock_guard lock(mutex_);
    stop_ = true;
  }
  work_.notify_one();
  thread_.join();
}

void Writer::Begin(std::string key) { Give(BeginFile{std::move(key)}); }

bool Writer::IsFull() const {
  if (overflow_ == Overflow::kWait) return false;
  const std::lock_guard lock(mutex_);
  return free_.empty() && made_ == most_chunks_;
}

void Writer::Append(Bytes bytes) {
  while (!bytes.empty()) {
    if (current_.data == nullptr) current_ = TakeChunk();
    const size_t part = std::min(bytes.size(), kChunkBytes - current_.used);
    std::memcpy(current_.data.get() + current_.used, bytes.data(), part);
    current_.used += part;
    bytes = bytes.subspan(part);
    if (current_.used == kChunkBytes) SendChunk();
  }
}

void Writer::Commit() {
  SendChunk();
  Give(CommitFile{});
}

void Writer::Put(std::string key, std::string body) {
  Give(PutFile{std::move(key), std::move(body)});
}

void Writer::Remove(std::string key) { Give(RemoveFile{std::move(key)}); }

Status Writer::Flush() {
  std::unique_lock lock(mutex_);
  progress_.wait(lock, [this] { return tasks_.empty() && !busy_; });
  return status_;
}

Status Writer::status() const {
  const std::lock_guard lock(mutex_);
  return status_;
}

void Writer::Give(Task task) {
  {
    const std::lock_guard lock(mutex_);
    tasks_.push_back(std::move(task));
  }
  work_.notify_one();
}

Writer::Chunk Writer::TakeChunk() {
  std::unique_lock lock(mutex_);
  progress_.wait(lock, [this] { return !free_.empty() || made_ < most_chunks_; });
  if (free_.empty()) {
    ++made_;
    return {std::make_unique_for_overwrite<std::byte[]>(kChunkBytes), 0};
  }
  Chunk chunk = std::move(free_.back());
  free_.pop_back();
  chunk.used = 0;
  return chunk;
}

void Writer::SendChunk() {
  if (current_.data != nullptr) Give(std::exchange(current_, Chunk{}));
}

void Writer::Recycle(Chunk chunk) {
  const std::lock_guard lock(mutex_);
  free_.push_back(std::move(chunk));
}

void Writer::Run() {
  std::unique_lock lock(mutex_);
  while (true) {
    work_.wait(lock, [this] { return stop_ || !tasks_.empty(); });
    if (tasks_.empty()) return;
    Task task = std::move(tasks_.front());
    tasks_.pop_front();
    busy_ = true;
    const bool failed = !status_.ok();
    lock.unlock();
    Status done = failed ? Status() : Do(task);
    if (auto* chunk = std::get_if<Chunk>(&task)) Recycle(std::move(*chunk));
    lock.lock();
    busy_ = false;
    if (!done.ok()) {
      LogError("nothing further is saved: {}", done.message());
      status_ = std::move(done);
      file_.reset();
    }
    progress_.notify_all();
  }
}

Status Writer::Do(Task& task) {
  if (auto* begin = std::get_if<BeginFile>(&task)) {
    auto file = store_->Create(begin->key);
    if (!file.ok()) return file.status();
    file_ = std::move(file.value());
    return Status();
  }
  if (auto* chunk = std::get_if<Chunk>(&task)) {
    return file_->Append(Bytes(chunk->data.get(), chunk->used));
  }
  if (std::holds_alternative<CommitFile>(task)) {
    const Status done = file_->Commit();
    file_.reset();
    return done;
  }
  if (auto* put = std::get_if<PutFile>(&task)) return store_->Put(put->key, AsBytes(put->body));
  return store_->Remove(std::get<RemoveFile>(task).key);
}

}  // namespace warden::capture
