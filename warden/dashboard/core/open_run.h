#ifndef WARDEN_DASHBOARD_CORE_OPEN_RUN_H_
#define WARDEN_DASHBOARD_CORE_OPEN_RUN_H_

// A run that somebody looks at: where its files are (RunPlaces), and what was read of them
// (OpenRun). RunSet (dashboard/site) makes and keeps them; every endpoint of a RunEndpoints gets
// one.

#include <functional>
#include <map>
#include <memory>
#include <mutex>
#include <optional>
#include <string>
#include <typeindex>
#include <utility>
#include <vector>

#include "warden/base/status.h"
#include "warden/jobs/record/job.h"

namespace warden::dashboard {

// A run and where its files are: local paths, absolute or relative to the process. Folders that a
// run does not have are empty; those that it will have may not exist yet. A plain value. Made by
// RunSet from a folder or a job; nothing in it was opened or checked.
struct RunPlaces {
  // Unlike any other's, the same after a restart: part of the addresses of pages.
  std::string id;
  std::string name;  // For people.
  // The run's own: the folder that was found, its URL if it is in S3, or the job's in the service's
  // data.
  std::string folder;
  std::string tensors;       // What a trial is opened on: has index/, events/, collections/.
  std::string profile;       // profiler-output: has system/, framework/.
  std::string rule_records;  // Has <rule>/status.json and firings.jsonl.
  // If the run is in S3, the URL of its tensors: all paths here are those of a copy then, which
  // nobody must change and which does not have the values of tensors. Empty: the run is here.
  std::string tensors_url;
  std::vector<std::string> reports;      // rule-output folders, in which reports are looked for.
  std::optional<jobs::TrainingJob> job;  // As it was when it was looked up; of `warden run`: none.
};

// A run that somebody looks at, with what was read of it. Parts of the dashboard keep their views
// here; all are destroyed when nobody has asked for the run in a while, or when its files were
// replaced. Hold it by shared_ptr while answering a request. Safe for many threads.
//
//   auto metrics = run.View<view::RunMetrics>(
//       [](const RunPlaces& places) -> Result<std::shared_ptr<view::RunMetrics>> {
//         return std::make_shared<view::RunMetrics>(places.profile);
//       });
class OpenRun {
 public:
  explicit OpenRun(RunPlaces places) : places_(std::move(places)) {}
  OpenRun(const OpenRun&) = delete;
  OpenRun& operator=(const OpenRun&) = delete;

  // By value: a job's status and rules change while it runs. A copy with the whole job: take it
  // once for a request.
  RunPlaces places() const;
  // For RunSet: the same run as it is now. Views that exist keep the places they were made with.
  void set_places(RunPlaces places);

  // The run's T, made by the first who asks; others wait for it meanwhile, so that make should
  // return soon and read in the background. There is one T per run, whatever make is given later. A
  // failure is returned and not kept: the next one tries again. make must not ask for the same T.
  // The pointer keeps the view alive beyond the run.
  template <class T>
  Result<std::shared_ptr<T>> View(
      const std::function<Result<std::shared_ptr<T>>(const RunPlaces&)>& make) {
    const std::shared_ptr<Slot> slot = SlotOf(typeid(T));
    const std::lock_guard lock(slot->mutex);
    if (!slot->view) {
      auto made = make(places());
      if (!made.ok()) return made.status();
      slot->view = made.value();
    }
    return std::static_pointer_cast<T>(slot->view);
  }

 private:
  // Its own lock, so that making one view does not delay requests for another.
  struct Slot {
    std::mutex mutex;
    std::shared_ptr<void> view;
  };
  std::shared_ptr<Slot> SlotOf(std::type_index type);

  mutable std::mutex mutex_;
  RunPlaces places_;
  std::map<std::type_index, std::shared_ptr<Slot>> slots_;
};

}  // namespace warden::dashboard

#endif  // WARDEN_DASHBOARD_CORE_OPEN_RUN_H_
