#ifndef WARDEN_VIEW_SERIES_RUN_SERIES_H_
#define WARDEN_VIEW_SERIES_RUN_SERIES_H_

#include <chrono>
#include <condition_variable>
#include <cstdint>
#include <functional>
#include <memory>
#include <mutex>
#include <optional>
#include <shared_mutex>
#include <stop_token>
#include <string>
#include <thread>
#include <utility>
#include <vector>

#include "warden/base/status.h"
#include "warden/config/collection.h"
#include "warden/storage/store.h"
#include "warden/trial/index_feed.h"
#include "warden/view/series/problems.h"
#include "warden/view/series/reading_order.h"
#include "warden/view/series/step_file_reader.h"
#include "warden/view/series/step_files.h"
#include "warden/view/series/table.h"

namespace warden::view {

struct SeriesOptions {
  // What the numbers of one run may take in memory.
  size_t budget = 128 << 20;
  // So many bytes of large tensors are read of what is there already; after that their values are
  // passed over at the steps between those that were read. What training writes anew is always
  // read.
  uint64_t large_bytes = uint64_t{8} << 30;
};

struct SeriesProgress {
  size_t steps = 0;  // Read.
  size_t total = 0;  // Known.
  bool done = false;
  std::optional<Step> last_step;  // Global.
};

// Statistics of the tensors of a run over its steps, finished or still going on. A thread of its
// own reads them, each file once, from coarse to fine; what is asked is answered from what it has
// read so far. Safe for many threads.
class RunSeries {
 public:
  explicit RunSeries(std::shared_ptr<const storage::Store> store, SeriesOptions options = {});
  RunSeries(const RunSeries&) = delete;
  RunSeries& operator=(const RunSeries&) = delete;

  // Returns when every curve has its shape, or when the time is over; false then.
  bool WaitForShape(std::chrono::milliseconds timeout) const;
  // Returns when everything that is known of has been read, or when the time is over; false then.
  bool WaitUntilRead(std::chrono::milliseconds timeout) const;

  SeriesProgress progress() const;
  std::vector<std::string> problems() const;
  // Those that have tensors, in the order of the run's collections file.
  std::vector<std::string> collections() const;

  // Calls look with the table, which does not change meanwhile.
  template <class Look>
  auto With(Look&& look) const {
    const auto lock = ToLook();
    return look(table_);
  }

 private:
  using Clock = std::chrono::steady_clock;
  struct Retry {
    Clock::time_point when;
    Step step = 0;
  };

  // Whoever wants to look waits behind a thread that wants to change something: left to itself, a
  // lock that many share is never free for it.
  std::shared_lock<std::shared_mutex> ToLook() const {
    const std::lock_guard gate(gate_);
    return std::shared_lock(mutex_);
  }
  std::unique_lock<std::shared_mutex> ToChange() {
    const std::lock_guard gate(gate_);
    return std::unique_lock(mutex_);
  }

  // All of these are for the thread alone.
  void Loop(const std::stop_token& stop);
  void Pause(const std::stop_token& stop);
  void TakeNewFiles();
  void AddFiles(const std::vector<trial::IndexFeed::NewFile>& files);
  void ReadStep(const ReadingOrder::Next& next, const std::stop_token& stop);
  void ReadFile(StepFile* file, bool large, const std::stop_token& stop);
  void Keep(StepFile* file, const std::string& key, const StepData& data);
  void TryAgain(StepFile* file);
  void TakeRetries();
  void UpdateCollections();
  void LoadCollections();
  void Announce();

  const std::shared_ptr<const storage::Store> store_;
  const SeriesOptions options_;

  trial::IndexFeed feed_;
  StepFiles files_;
  ReadingOrder order_;
  StepFileReader reader_;
  std::vector<Retry> retries_;
  Clock::time_point next_take_{};
  Clock::time_point next_collections_{};
  config::Collections known_collections_;
  std::vector<config::CollectionMatcher> matchers_;  // Of those that can be used.
  size_t matched_tensors_ = 0;

  mutable std::mutex gate_;          // Taken before mutex_, and only to get that.
  mutable std::shared_mutex mutex_;  // Guards all below. Only the thread changes it.
  mutable std::condition_variable_any changed_;
  Table table_;
  Problems problems_;
  size_t unread_steps_ = 0;
  bool listed_ = false;
  bool has_shape_ = false;
  bool done_ = false;

  std::jthread thread_;  // Last: it ends before anything else goes.
};

}  // namespace warden::view

#endif  // WARDEN_VIEW_SERIES_RUN_SERIES_H_
