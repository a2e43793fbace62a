#ifndef WARDEN_DASHBOARD_SITE_LIVE_HUB_H_
#define WARDEN_DASHBOARD_SITE_LIVE_HUB_H_

#include <chrono>
#include <map>
#include <memory>
#include <mutex>
#include <set>
#include <string>
#include <thread>
#include <utility>
#include <vector>

#include "warden/base/json.h"
#include "warden/dashboard/core/part.h"
#include "warden/dashboard/site/run_set.h"
#include "warden/http/message.h"

namespace warden::dashboard {

// Tells pages what changes, by one thread that looks four times a second at the runs that somebody
// looks at, and at nothing while nobody does. Safe for many threads.
class LiveHub {
 public:
  // All outlive it. store: null if there are no jobs.
  LiveHub(const service::ServiceOptions* options, jobs::JobStore* store, RunSet* runs,
          const std::vector<DashboardPart>* parts);
  // Closes all.
  ~LiveHub();
  LiveHub(const LiveHub&) = delete;
  LiveHub& operator=(const LiveHub&) = delete;

  // run: empty for a page that shows none.
  void Add(std::shared_ptr<http::LivePipe> pipe, const std::string& run);

 private:
  using Clock = std::chrono::steady_clock;
  using Pipes = std::vector<std::shared_ptr<http::LivePipe>>;
  // What the clients of one run have been told.
  struct Watched {
    std::weak_ptr<OpenRun> run;  // What they have been told of.
    Pipes pipes;
    Pipes fresh;  // Have been told nothing yet.
    std::string state;
    std::set<std::string> findings;           // As rule and JSON.
    std::map<std::string, std::string> told;  // By event.
  };

  void Serve(const std::stop_token& stop);
  void Look(int look);
  void TakeAdded();
  // Forgets clients that have gone, whom nothing may be sent to for long.
  void DropGone();
  // Goes on with the round through all runs for a moment: there may be thousands.
  void LookAtRuns();
  bool IsNews(OpenRun* run);
  void LookAt(const std::string& run, Watched* watched);
  // Tells those who have just come how far everything is. From then on they are told what changes:
  // after a look, so that nothing falls between what they ask for now and that.
  static void Welcome(Watched* watched);
  void TellFindings(const Json& rules, bool first, Watched* watched);
  void TellParts(OpenRun* run, Watched* watched);
  bool HasClients() const;

  const service::ServiceOptions* const options_;
  jobs::JobStore* const store_;
  RunSet* const runs_;
  const std::vector<DashboardPart>* const parts_;

  // For the thread alone.
  std::map<std::string, Watched> watched_;  // By the run's id.
  struct Round {
    std::vector<std::shared_ptr<OpenRun>> runs;  // Those left to look at.
    std::map<std::string, std::string> states;   // Of those looked at, by id.
    Clock::time_point begun;
    bool goes_on = false;
  };
  Round round_;
  std::map<std::string, std::string> states_;  // Of the last round; of jobs only the last event.
  bool any_round_ = false;

  std::mutex mutex_;
  std::vector<std::pair<std::shared_ptr<http::LivePipe>, std::string>> added_;  // Under mutex_.
  std::jthread thread_;  // Last: it uses all others.
};

}  // namespace warden::dashboard

#endif  // WARDEN_DASHBOARD_SITE_LIVE_HUB_H_
