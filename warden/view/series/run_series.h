#ifndef WARDEN_VIEW_SERIES_RUN_SERIES_H_
#define WARDEN_VIEW_SERIES_RUN_SERIES_H_

// Statistics of tensors over the steps of a run, read in the background: what the dashboard's
// charts of tensors show. Used by dashboard/tensors, one object for each run that somebody looks
// at.
//
//   RunSeries run(store);
//   run.WaitForShape(std::chrono::seconds(2));
//   run.With([&](const Table& table) { Draw(table); });

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
#include "warden/view/series/series_table.h"
#include "warden/view/series/step_file_reader.h"
#include "warden/view/series/step_files.h"

namespace warden::view {

// Limits for one run. A page must show something of a run of any size. Where numbers would take
// more than the budget, neighboring steps are joined, keeping minimum and maximum.
struct SeriesOptions {
  // What the numbers of one run may take in memory, in bytes, about.
  size_t budget = 128 << 20;
  // How many bytes of large tensors are read of what is there already; after that their values are
  // skipped at the steps between those that were read. What training writes from now on is always
  // read.
  uint64_t large_bytes = uint64_t{8} << 30;
};

// How far reading has come. For the page's progress bar. Both numbers may grow while the run
// trains.
struct SeriesProgress {
  size_t steps = 0;               // Read.
  size_t total = 0;               // Known.
  bool done = false;              // All that is known has been read.
  std::optional<Step> last_step;  // Global.
};

// Statistics of the tensors of a run over its steps, finished or still training. A separate thread
// reads each file once, from coarse to fine (reading_order.h), and follows the run; questions are
// answered from what it has read so far. Safe for many threads. Destroying it stops the thread,
// which may take a second or two if it is reading a large record.
class RunSeries {
 public:
  // Starts reading and returns. The run need not exist yet; what cannot be read appears in
  // problems().
  explicit RunSeries(std::shared_ptr<const storage::Store> store, SeriesOptions options = {});
  RunSeries(const RunSeries&) = delete;
  RunSeries& operator=(const RunSeries&) = delete;

  // Waits until every curve has its shape (up to about 64 steps over the run were read), or until
  // the time is over; false then.
  bool WaitForShape(std::chrono::milliseconds timeout) const;
  // Waits until everything that is known of has been read, or until the time is over; false then.
  bool WaitUntilRead(std::chrono::milliseconds timeout) const;

  // Return at once. problems() are texts for users.
  SeriesProgress progress() const;
  std::vector<std::string> problems() const;
  // Names of collections that have tensors, in the order of the run's collections file. Empty until
  // the run's collections file is there.
  std::vector<std::string> collections() const;

  // Calls look(table) and returns its result. The table does not change during the call, and
  // reading waits: be quick, keep no references to it, and call no other method of a RunSeries in
  // it.
  template <class Look>
  auto With(Look&& look) const {
    const auto lock = ToLook();
    return look(table_);
  }

 private:
  using Clock = std::chrono::steady_clock;
  // A file that was not complete, and when to read it again.
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

  // The thread's methods. Only this thread changes the members below, so it reads them without a
  // lock and takes one to change what others read.
  void Loop(const std::stop_token& stop);
  // Until something is to be done: a retry, or the next look for new files.
  void Pause(const std::stop_token& stop);
  // Asks the feed for new index files, and orders them for reading.
  void TakeNewFiles();
  void AddFiles(const std::vector<trial::IndexFeed::NewFile>& files);
  // Reads the waiting files of one step.
  void ReadStep(const ReadingOrder::Next& next, const std::stop_token& stop);
  // One file; what it brought goes into the table, what is wrong into the problems.
  void ReadFile(StepFile* file, bool large, const std::stop_token& stop);
  void Keep(StepFile* file, const std::string& key, const StepData& data);
  // Plans another try for a file that is not complete: after 0.5 s, 1 s, 2 s, ... at most eight
  // times.
  void TryAgain(StepFile* file);
  // Puts files whose time has come back into the order of reading.
  void TakeRetries();
  // Assigns new tensors to collections; the collections file may come after the first step.
  void UpdateCollections();
  void LoadCollections();
  // Wakes those that wait, if something they wait for has happened. Has something changed that
  // WaitForShape or WaitUntilRead waits for?
  void Announce();

  const std::shared_ptr<const storage::Store> store_;
  const SeriesOptions options_;

  trial::IndexFeed feed_;  // These are the thread's: new files, ...
  StepFiles files_;        // ... all that are known, ...
  ReadingOrder order_;     // ... what to read next, ...
  StepFileReader reader_;
  std::vector<Retry> retries_;  // ... and what to try again.
  Clock::time_point next_take_{};
  Clock::time_point next_collections_{};
  config::Collections known_collections_;
  std::vector<config::CollectionMatcher> matchers_;  // Of those that can be used.
  size_t matched_tensors_ = 0;                       // Tensors that have their collections.

  mutable std::mutex gate_;          // Taken before mutex_, and only to get that.
  mutable std::shared_mutex mutex_;  // Guards all below. Only the thread changes it.
  mutable std::condition_variable_any changed_;
  Table table_;
  Problems problems_;
  size_t unread_steps_ = 0;  // Steps with a file that is to be read.
  bool listed_ = false;      // The run was listed once.
  bool has_shape_ = false;   // Never goes back to false.
  bool done_ = false;

  std::jthread thread_;  // Last: it ends before anything else goes.
};

}  // namespace warden::view

#endif  // WARDEN_VIEW_SERIES_RUN_SERIES_H_
