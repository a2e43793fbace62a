#ifndef WARDEN_JOBS_DB_JOB_CACHE_H_
#define WARDEN_JOBS_DB_JOB_CACHE_H_

// Spares the store from parsing the same documents again. Used by SqliteStore alone, for every job
// that is read, in lists too.

#include <memory>
#include <mutex>
#include <random>
#include <string>
#include <unordered_map>
#include <utility>
#include <vector>

#include "warden/jobs/db/job_rows.h"

namespace warden::jobs::db {

// Jobs that were read before, by their documents: parsing one costs ten times what it costs to copy
// it, and clients ask for the same ones again and again. It cannot be out of date, since the
// document must be the same to the letter. Safe for many threads. A hit takes one comparison of the
// document. When it is full, one in eight new ones takes the place of any others: those that are
// asked for again and again get in soon, and a pass over more jobs than fit drives few out.
class JobCache {
 public:
  // most_bytes: of documents and parsed jobs together, about.
  explicit JobCache(size_t most_bytes = size_t{32} << 20) : most_bytes_(most_bytes) {}

  // As db::JobOf (job_rows.h), from the cache if possible: the same pointer then. Errors are not
  // remembered: kCorrupt for a document that is not that of a job. Parses outside of the lock, so
  // two threads may parse the same document at once; that is only wasted time.
  Result<std::shared_ptr<const TrainingJob>> JobOf(const std::string& name, std::string document) {
    if (auto known = Find(name, document)) return known;
    auto job = db::JobOf(name, document);
    if (!job.ok()) return job.status();
    auto parsed = std::make_shared<const TrainingJob>(std::move(job).value());
    Keep({name, std::move(document), parsed});
    return parsed;
  }

 private:
  // The document is kept to compare.
  struct Entry {
    std::string name;
    std::string document;
    std::shared_ptr<const TrainingJob> job;
  };
  // Of a parsed job, whose request is a tree of small parts, to the bytes of its document.
  static constexpr size_t kParsedTimes = 12;
  static constexpr size_t kTriesToGetIn = 8;  // On average.

  static size_t SizeOf(const Entry& entry) { return (1 + kParsedTimes) * entry.document.size(); }

  std::shared_ptr<const TrainingJob> Find(const std::string& name, const std::string& document) {
    const std::lock_guard lock(mutex_);
    const auto found = places_.find(name);
    if (found == places_.end() || entries_[found->second].document != document) return nullptr;
    return entries_[found->second].job;
  }

  // Large documents are not kept: one of them would drive out all others.
  void Keep(Entry entry) {
    const size_t size = SizeOf(entry);
    if (size > most_bytes_ / 8) return;
    const std::lock_guard lock(mutex_);
    if (const auto found = places_.find(entry.name); found != places_.end()) Drop(found->second);
    if (bytes_ + size > most_bytes_ && random_() % kTriesToGetIn != 0) return;
    while (bytes_ + size > most_bytes_) Drop(random_() % entries_.size());
    bytes_ += size;
    places_[entry.name] = entries_.size();
    entries_.push_back(std::move(entry));
  }

  // The last one takes its place. Under mutex_.
  void Drop(size_t place) {
    std::swap(entries_[place], entries_.back());
    places_[entries_[place].name] = place;
    places_.erase(entries_.back().name);
    bytes_ -= SizeOf(entries_.back());
    entries_.pop_back();
  }

  const size_t most_bytes_;
  std::mutex mutex_;  // Guards what follows.
  std::vector<Entry> entries_;
  std::unordered_map<std::string, size_t> places_;  // In entries_, by name.
  size_t bytes_ = 0;                                // Of all entries_, as SizeOf counts.
  std::minstd_rand random_;
};

}  // namespace warden::jobs::db

#endif  // WARDEN_JOBS_DB_JOB_CACHE_H_
