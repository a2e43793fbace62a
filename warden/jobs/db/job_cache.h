#ifndef WARDEN_JOBS_DB_JOB_CACHE_H_
#define WARDEN_JOBS_DB_JOB_CACHE_H_

// Spares the store from parsing the same documents again. Used by SqliteStore alone, for every job
// that is read, in lists too.

#include <memory>
#include <mutex>
#include <string>
#include <unordered_map>
#include <utility>

#include "warden/jobs/db/job_rows.h"

namespace warden::jobs::db {

// Jobs that were read before, by their documents: parsing one costs ten times what it costs to copy
// it, and clients ask for the same ones again and again. It cannot be out of date, since the
// document must be the same to the letter. Safe for many threads. Holds about 32 MB with the parsed
// jobs; when it is full, any entries go. Hits take one comparison of the
// document and one copy of the job.
class JobCache {
 public:
  // As db::JobOf (job_rows.h), from the cache if possible. Returns a copy. Errors are not
  // remembered: kCorrupt for a document that is not that of a job. Parses outside of the lock, so
  // two threads may parse the same document at once; that is only wasted time.
  Result<TrainingJob> JobOf(const std::string& name, std::string document) {
    if (const auto known = Find(name, document)) return *known;
    auto job = db::JobOf(name, document);
    if (job.ok()) Keep(name, std::move(document), job.value());
    return job;
  }

 private:
  // The document is kept to compare, the job to be copied outside the lock.
  struct Entry {
    std::string document;
    std::shared_ptr<const TrainingJob> job;
  };
  static constexpr size_t kMostBytes = 32 << 20;
  // Of a parsed job, whose request is a tree of small parts, to the bytes of its document.
  static constexpr size_t kParsedTimes = 12;

  static size_t SizeOf(const std::string& document) { return (1 + kParsedTimes) * document.size(); }

  std::shared_ptr<const TrainingJob> Find(const std::string& name, const std::string& document) {
    const std::lock_guard lock(mutex_);
    const auto found = entries_.find(name);
    if (found == entries_.end() || found->second.document != document) return nullptr;
    return found->second.job;
  }

  // Large documents are not kept: one of them would drive out all others.
  void Keep(const std::string& name, std::string document, const TrainingJob& job) {
    if (SizeOf(document) > kMostBytes / 8) return;
    auto kept = std::make_shared<const TrainingJob>(job);
    const std::lock_guard lock(mutex_);
    bytes_ += SizeOf(document);
    Entry& entry = entries_[name];
    bytes_ -= SizeOf(entry.document);
    entry = {std::move(document), std::move(kept)};
    // Any will do: it comes back when it is asked for.
    while (bytes_ > kMostBytes) {
      const auto any = entries_.begin();
      bytes_ -= SizeOf(any->second.document);
      entries_.erase(any);
    }
  }

  std::mutex mutex_;                                // Guards the other two.
  std::unordered_map<std::string, Entry> entries_;  // By name.
  size_t bytes_ = 0;                                // Of all entries_, as SizeOf counts.
};

}  // namespace warden::jobs::db

#endif  // WARDEN_JOBS_DB_JOB_CACHE_H_
