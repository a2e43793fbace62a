#include "warden/jobs/supervise/job_incidents.h"

#include <algorithm>
#include <utility>

#include "warden/base/json_members.h"
#include "warden/base/log.h"
#include "warden/jobs/record/short_text.h"
#include "warden/os/random.h"
#include "warden/rules/catalog/registry.h"

namespace warden::jobs {
namespace {

constexpr size_t kMostFindings = 200;  // Of each rule; pages show no more either.
constexpr size_t kMostIncidents = 50;
constexpr size_t kMostPlaces = 20;     // Of what a finding went through,
constexpr size_t kLongestPlace = 200;  // in bytes each.

// What a rule's process says of it may have any length.
rules::Finding Bounded(rules::Finding finding) {
  for (std::string* text : {&finding.message, &finding.advice, &finding.tensor, &finding.worker}) {
    *text = ShortText(*text);
  }
  if (finding.spread.size() > kMostPlaces) finding.spread.resize(kMostPlaces);
  for (std::string& place : finding.spread) place = ShortText(place, kLongestPlace);
  return finding;
}

bool HasFinding(const rules::RuleReport& report, int64_t id) {
  return std::any_of(report.findings.begin(), report.findings.end(),
                     [&](const rules::Finding& finding) { return finding.id == id; });
}

// The finding that stands for the cause of an incident of the record.
watch::FindingKey CauseOf(const JobIncident& incident) {
  return {TextOf(MemberOf(incident.json, "rule")), IntegerOf(MemberOf(incident.json, "finding"))};
}

}  // namespace

rules::RuleReport* JobIncidents::ReportOf(const std::string& rule, const std::string& rule_class) {
  const auto known =
      std::find_if(reports_.begin(), reports_.end(),
                   [&](const rules::RuleReport& report) { return report.name == rule; });
  if (known != reports_.end()) return &*known;
  rules::RuleReport& report = reports_.emplace_back();
  report.name = rule;
  report.rule = ShortText(rule_class);
  const auto found = rules::FindRule(report.rule);
  if (found.ok()) report.doc = found.value().entry->spec->doc;
  return &report;
}

void JobIncidents::SetProfile(const std::string& folder) {
  if (machine_ == nullptr) machine_ = std::make_unique<watch::MachineLog>(folder);
}

void JobIncidents::Add(const std::string& rule, const std::vector<actions::Firing>& firings) {
  bool any = false;
  for (const actions::Firing& firing : firings) {
    rules::RuleReport* report = ReportOf(rule, firing.rule_class);
    if (report->findings.size() == kMostFindings) break;
    if (HasFinding(*report, firing.finding.id)) continue;
    report->findings.push_back(Bounded(firing.finding));
    AddNews(firing.finding);
    any = true;
  }
  if (any) Group();
}

bool JobIncidents::Has(const std::string& rule) const {
  return std::any_of(reports_.begin(), reports_.end(),
                     [&](const rules::RuleReport& report) { return report.name == rule; });
}

void JobIncidents::AddNews(const rules::Finding& finding) {
  if (!news_) news_ = News{std::chrono::steady_clock::now(), finding.step};
  if (finding.time_s != 0) news_->step.reset();
  if (news_->step) news_->step = std::max(*news_->step, finding.step);
}

void JobIncidents::Group() {
  incidents_.clear();
  for (const watch::Incident& incident : watch::FindIncidents(reports_, machine_.get())) {
    const std::vector<watch::FindingKey> keys = incident.keys();
    incidents_.push_back({{keys.begin(), keys.end()}, watch::ToJson(incident)});
  }
}

void JobIncidents::WriteTo(TrainingJob* job, Time now) {
  std::vector<JobIncident>& kept = job->incidents;
  for (const Grouped& one : incidents_) {
    const auto is_it = [&](const JobIncident& each) {
      return one.findings.contains(CauseOf(each));
    };
    const auto first = std::find_if(kept.begin(), kept.end(), is_it);
    if (first != kept.end()) {
      kept.erase(std::remove_if(first + 1, kept.end(), is_it), kept.end());
      first->json = one.json;
    } else if (kept.size() < kMostIncidents) {
      kept.push_back({os::RandomUuid(), now, one.json});
    } else if (!std::exchange(told_full_, true)) {
      LogWarning("job {} has more than {} incidents; the others are not kept or sent", job->name,
                 kMostIncidents);
    }
  }
}

}  // namespace warden::jobs
