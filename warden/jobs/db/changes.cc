#include "warden/jobs/db/changes.h"

#include <algorithm>

#include "warden/jobs/record/describe.h"

namespace warden::jobs::db {
namespace {

const std::string& PresentMessage(const TrainingJob& job) {
  static const std::string none;
  return job.transitions.empty() ? none : job.transitions.back().message;
}

bool JobChanged(const TrainingJob& before, const TrainingJob& after) {
  return before.status != after.status || before.secondary != after.secondary ||
         before.transitions.size() != after.transitions.size() ||
         PresentMessage(before) != PresentMessage(after) ||
         before.IsProfiled() != after.IsProfiled() || before.rules.size() != after.rules.size();
}

const RuleJob* SameRule(const TrainingJob& job, const RuleJob& rule) {
  for (const RuleJob& each : job.rules) {
    if (each.job_name == rule.job_name) return &each;
  }
  return nullptr;
}

bool HasIncident(const TrainingJob& job, const std::string& id) {
  return std::any_of(job.incidents.begin(), job.incidents.end(),
                     [&](const JobIncident& each) { return each.id == id; });
}

}  // namespace

std::vector<std::string> EventsOfChange(const TrainingJob& before, const TrainingJob& after,
                                        Time now) {
  bool job_changed = JobChanged(before, after);
  std::vector<std::string> rule_events;
  for (const RuleJob& rule : after.rules) {
    const RuleJob* old = SameRule(before, rule);
    const bool status_changed = old == nullptr || old->status != rule.status;
    // A rule's job begins when its process does: only then others see it.
    const bool begun = rule.launched && (old == nullptr || !old->launched);
    job_changed = job_changed || status_changed;
    if ((old != nullptr && status_changed) || begun) {
      rule_events.push_back(DumpLikePython(RuleJobEvent(after, rule, now)));
    }
  }
  std::vector<std::string> events;
  if (job_changed) events.push_back(DumpLikePython(TrainingJobEvent(after, now)));
  events.insert(events.end(), std::make_move_iterator(rule_events.begin()),
                std::make_move_iterator(rule_events.end()));
  for (const JobIncident& incident : after.incidents) {
    if (HasIncident(before, incident.id)) continue;
    events.push_back(DumpLikePython(IncidentEvent(after, incident, now)));
  }
  return events;
}

std::vector<std::string> EventsOfCreation(const TrainingJob& job, Time now) {
  return {DumpLikePython(TrainingJobEvent(job, now))};
}

}  // namespace warden::jobs::db
