#ifndef WARDEN_DASHBOARD_SITE_LIVE_HUB_H_
#define WARDEN_DASHBOARD_SITE_LIVE_HUB_H_

// What keeps open pages up to date without their asking. Pages still fetch the data themselves:
// most events only say what has changed, so that a page asks for what it shows and for nothing
// else.

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
#include "warden/dashboard/core/run_endpoints.h"
#include "warden/dashboard/site/run_set.h"
#include "warden/dashboard/site/summary_texts.h"
#include "warden/http/message.h"

namespace warden::dashboard {

// Sends pages what changes, as server-sent events: "hello" at first, "runs" when the list changed,
// "run" when the run's state did, "finding" for each new one, and the events of the sides. One
// thread looks four times a second at the runs that somebody looks at, and at nothing while nobody
// does. Add is safe for many threads. A client that connects gets the current state of all sides
// first, and from then on only changes, in the order in which they happened. What it asked for
// before that is older: nothing is lost in between. Clients that are too slow are cut off by the
// pipe's own limit, and connect again.
class LiveHub {
 public:
  // Starts the thread. All outlive it, and none is owned. store: null if there are no jobs.
  LiveHub(const service::ServiceOptions* options, jobs::JobStore* store, RunSet* runs,
          SummaryTexts* summaries, const std::vector<RunEndpoints>* sides);
  // Waits for the thread and closes all connections.
  ~LiveHub();
  LiveHub(const LiveHub&) = delete;
  LiveHub& operator=(const LiveHub&) = delete;

  // From now on the pipe gets events, until its client leaves. run: the id of the run that the page
  // shows; empty for a page that shows none. Returns at once; a pipe whose client has left is
  // dropped. An unknown run is watched as well: it may begin to exist. "retry: 1000" makes browsers
  // connect again after a second.
  void Add(std::shared_ptr<http::LivePipe> pipe, const std::string& run);

 private:
  using Clock = std::chrono::steady_clock;
  using Pipes = std::vector<std::shared_ptr<http::LivePipe>>;
  // What was sent to the clients of one run. Forgotten with its last client.
  struct Watched {
    std::weak_ptr<OpenRun> run;  // The run that it was about.
    Pipes pipes;
    Pipes fresh;  // Clients that nothing was sent to yet.
    std::string state;
    // By rule, step, tensor, worker and mode: a finding that has grown since is not told again.
    std::set<std::string> findings;
    // The last message of each side, by event: to tell changes, and to welcome new clients.
    std::map<std::string, std::string> told;
  };

  // The thread: Look four times a second, whatever goes wrong in one of them.
  void Serve(const std::stop_token& stop);
  // look: the number of the look. Not all is done in each: clients that have left are noticed every
  // 2 seconds, and runs that nobody has asked for are let go of once a minute, when summaries are
  // saved too.
  void Look(int look);
  // Clients that Add() brought: the only place where the thread takes the lock.
  void TakeAdded();
  // Removes clients that have left, to whom nothing may be sent for long.
  void DropGone();
  // Continues the round through all runs for a moment: there may be thousands. 50 ms at once, and a
  // new round begins at most once a second.
  void LookAtRuns();
  // Whether the list would show something else than at the last round. Runs of jobs are never news
  // here: the store's last event tells of them.
  bool IsNews(OpenRun* run);
  // Sends what has changed of one run since the last look. A run that was replaced under its name
  // starts over.
  void LookAt(const std::string& run, Watched* watched);
  // Sends the current state of everything to new clients. From then on they get what changes: after
  // a look, so that nothing is lost between what they request now and that.
  static void Welcome(Watched* watched);
  // first: nobody was there before, so what is found already is not news.
  void TellFindings(const Json& rules, bool first, Watched* watched);
  // Sends the data of each side's event, if it changed.
  void TellChanges(OpenRun* run, Watched* watched);
  bool HasClients() const;

  const service::ServiceOptions* const options_;
  jobs::JobStore* const store_;
  RunSet* const runs_;
  SummaryTexts* const summaries_;
  const std::vector<RunEndpoints>* const sides_;

  // For the thread alone.
  std::map<std::string, Watched> watched_;  // By the run's id.
  // What the list shows of a run.
  struct State {
    size_t hash = 0;  // Of its whole summary.
    std::string told;
  };
  struct Round {
    std::vector<std::shared_ptr<OpenRun>> runs;  // Those left to look at.
    std::map<std::string, State> states;         // Of those looked at, by id.
    Clock::time_point begun;
    bool goes_on = false;
  };
  Round round_;
  std::map<std::string, State> states_;  // Of the last round; of jobs only the last event.
  bool any_round_ = false;

  std::mutex mutex_;
  std::vector<std::pair<std::shared_ptr<http::LivePipe>, std::string>> added_;  // Under mutex_.
  std::jthread thread_;  // Last: it uses all others.
};

}  // namespace warden::dashboard

#endif  // WARDEN_DASHBOARD_SITE_LIVE_HUB_H_
