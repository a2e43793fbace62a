#include "warden/actions/dispatcher.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "warden/base/json.h"
#include "warden/base/log.h"
#include "warden/config/json_fields.h"
#include "warden/net/digest.h"

namespace warden::actions {
namespace {

using Clock = std::chrono::steady_clock;
using State = Outcome::State;
using std::chrono::milliseconds;

// Whatever a server asks for.
constexpr milliseconds kLongestWait{600'000};

// Of one action of one firing.
std::string TaskId(const Firing& firing, const ActionConfig& action) {
  return net::UuidOf(EventId(firing) + DumpLikePython(ToJson(action)));
}

bool IsFinal(State state) { return state == State::kDone || state == State::kGaveUp; }

Json LineOf(const std::string& id, State state) {
  const std::chrono::duration<double> now = std::chrono::system_clock::now().time_since_epoch();
  return {{"time", std::round(now.count() * 1000) / 1000}, {"id", id}, {"state", StateName(state)}};
}

// The task of a line with the state "queued"; null if it cannot be read.
std::shared_ptr<Outcome> TaskOf(const Json& line) {
  const Json* firing = config::Member(line, "firing");
  const Json* action = config::Member(line, "action");
  if (firing == nullptr || action == nullptr) return nullptr;
  auto read_firing = FiringFromJson(*firing);
  auto read_action = ActionFromJson(*action);
  if (!read_firing.ok() || !read_action.ok()) return nullptr;
  auto task = std::make_shared<Outcome>();
  task->firing = std::move(read_firing).value();
  task->action = std::move(read_action).value();
  return task;
}

}  // namespace

std::string_view StateName(State state) {
  switch (state) {
    case State::kQueued: return "queued";
    case State::kRetrying: return "failed";
    case State::kDone: return "done";
    case State::kGaveUp: return "gave_up";
  }
  return "unknown";
}

Dispatcher::Dispatcher(DispatcherOptions options, MakeAction make)
    : options_(std::move(options)), make_(std::move(make)) {}

Dispatcher::~Dispatcher() { (void)Finish(milliseconds(0)); }

Result<std::unique_ptr<Dispatcher>> Dispatcher::Open(DispatcherOptions options, MakeAction make) {
  std::unique_ptr<Journal> journal;
  if (!options.journal.empty()) {
    auto opened = Journal::Open(options.journal);
    if (!opened.ok()) return opened.status();
    journal = std::move(opened).value();
  }
  std::unique_ptr<Dispatcher> dispatcher(new Dispatcher(std::move(options), std::move(make)));
  if (journal) {
    const std::vector<Json> lines = journal->TakeLines();
    dispatcher->journal_ = std::move(journal);
    dispatcher->Resume(lines);
  }
  return dispatcher;
}

void Dispatcher::Resume(const std::vector<Json>& lines) {
  const std::lock_guard lock(mutex_);
  for (const Json& line : lines) {
    std::string id;
    std::string state;
    config::Fields fields(line);
    fields.Read("id", &id);
    fields.Read("state", &state);
    if (!fields.status().ok() || id.empty()) continue;
    if (state == StateName(State::kQueued)) {
      if (const Task task = TaskOf(line)) tasks_.emplace(id, task);
    } else if (const auto task = tasks_.find(id); task != tasks_.end()) {
      if (state == StateName(State::kDone)) task->second->state = State::kDone;
      if (state == StateName(State::kGaveUp)) task->second->state = State::kGaveUp;
    }
  }
  for (const auto& [id, task] : tasks_) {
    if (!IsFinal(task->state)) Start(id, task);
  }
  // What ended before is known, so that it is not done again, but is not ours to tell.
  for (auto& [id, task] : tasks_) {
    if (IsFinal(task->state)) task->state = State::kDone;
  }
}

void Dispatcher::Submit(const Firing& firing, std::span<const ActionConfig> actions) {
  const std::lock_guard lock(mutex_);
  if (finished_) return;
  std::vector<std::pair<std::string, Task>> added;
  for (const ActionConfig& action : actions) {
    std::string id = TaskId(firing, action);
    auto task = std::make_shared<Outcome>();
    task->firing = firing;
    task->action = action;
    if (!tasks_.emplace(id, task).second) continue;
    added.emplace_back(std::move(id), std::move(task));
  }
  for (const auto& [id, task] : added) {
    Json line = LineOf(id, State::kQueued);
    line["action"] = ToJson(task->action);
    line["firing"] = ToJson(task->firing);
    Write(line);
  }
  for (const auto& [id, task] : added) Start(id, task);
}

void Dispatcher::Start(const std::string& id, const Task& task) {
  Lane& lane = std::holds_alternative<StopTrainingConfig>(task->action) ? stops_ : deliveries_;
  lane.Add([this, id, task](const std::stop_token& stop) { return Try(id, task, stop); });
}

std::optional<milliseconds> Dispatcher::Try(const std::string& id, const Task& task,
                                            const std::stop_token& stop) {
  // Only this thread changes it, so it may be read without the lock.
  Outcome outcome = *task;
  ++outcome.attempts;
  const auto action = make_(outcome.action);
  const Attempt attempt =
      action.ok() ? action.value()->Run(outcome.firing, stop) : Attempt(action.status());
  outcome.status = attempt.status;
  const auto failures = static_cast<size_t>(outcome.attempts);
  if (attempt.status.ok()) {
    outcome.state = State::kDone;
  } else if (attempt.status.code() != Code::kUnavailable || failures > options_.waits.size()) {
    outcome.state = State::kGaveUp;
  } else {
    outcome.state = State::kRetrying;
    outcome.next_try =
        std::min(std::max(options_.waits[failures - 1], attempt.wait_at_least), kLongestWait);
  }
  // An interrupted one has neither failed nor been given up: it is left to the next process.
  if (attempt.status.code() == Code::kUnavailable && stop.stop_requested()) {
    outcome.state = State::kQueued;
  }
  Record(id, task, outcome);
  return outcome.state == State::kRetrying ? std::optional(outcome.next_try) : std::nullopt;
}

void Dispatcher::Record(const std::string& id, const Task& task, const Outcome& outcome) {
  {
    const std::lock_guard lock(mutex_);
    *task = outcome;
    if (outcome.state == State::kQueued) return;
    Json line = LineOf(id, outcome.state);
    line["attempt"] = outcome.attempts;
    if (!outcome.status.ok()) line["reason"] = outcome.status.message();
    if (outcome.state == State::kRetrying) line["next_try_ms"] = outcome.next_try.count();
    Write(line);
  }
  options_.on_outcome(outcome);
}

void Dispatcher::Write(const Json& line) {
  if (!journal_) return;
  const Status status = journal_->Append(line);
  if (status.ok() || std::exchange(journal_failed_, true)) return;
  // A job must be stopped even if the disk is full.
  LogError("{}. Actions continue, but some may run twice after a restart", status.message());
}

bool Dispatcher::WaitIdle(milliseconds timeout) {
  const auto deadline = Clock::now() + timeout;
  return stops_.WaitIdle(deadline) && deliveries_.WaitIdle(deadline);
}

std::vector<Outcome> Dispatcher::Finish(milliseconds timeout) {
  const auto deadline = Clock::now() + timeout;
  {
    const std::lock_guard lock(mutex_);
    finished_ = true;
  }
  stops_.WaitIdle(deadline);
  deliveries_.WaitIdle(deadline);
  stops_.Stop();
  deliveries_.Stop();
  std::vector<Outcome> left;
  const std::lock_guard lock(mutex_);
  for (const auto& [id, task] : tasks_) {
    if (task->state == State::kDone) continue;
    left.push_back(*task);
    if (task->attempts == 0) {
      left.back().status = Status(Code::kUnavailable, "not attempted in time");
    }
  }
  return left;
}

}  // namespace warden::actions
