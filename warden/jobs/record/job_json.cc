#include <fmt/format.h>

#include "warden/base/json_members.h"
#include "warden/jobs/record/job.h"

namespace warden::jobs {
namespace {

Json Milliseconds(Time time) { return time.time_since_epoch().count(); }

Json Milliseconds(const std::optional<Time>& time) {
  return time ? Milliseconds(*time) : Json(nullptr);
}

Json ToJson(const Transition& transition) {
  return {{"status", NameOf(transition.status)},
          {"start", Milliseconds(transition.start)},
          {"end", Milliseconds(transition.end)},
          {"message", transition.message}};
}

Json ToJson(const RuleJob& rule) {
  return {{"kind", rule.kind == RuleJob::Kind::kDebug ? "debug" : "profiler"},
          {"config", rule.config},
          {"job_name", rule.job_name},
          {"status", NameOf(rule.status)},
          {"details", rule.details},
          {"launched", Milliseconds(rule.launched)},
          {"ended", Milliseconds(rule.ended)},
          {"modified", Milliseconds(rule.modified)},
          {"restarts", rule.restarts},
          {"stop_requested", rule.stop_requested},
          {"created", Milliseconds(rule.created)}};
}

Json ToJson(const JobIncident& incident) {
  return {
      {"id", incident.id}, {"begun", Milliseconds(incident.begun)}, {"incident", incident.json}};
}

constexpr std::string_view kCauses[] = {"none", "user", "max_runtime"};

std::optional<StopCause> StopCauseFrom(std::string_view name) {
  for (size_t i = 0; i < std::size(kCauses); ++i) {
    if (kCauses[i] == name) return static_cast<StopCause>(i);
  }
  return std::nullopt;
}

std::optional<RuleJob::Kind> KindFrom(std::string_view name) {
  if (name == "debug") return RuleJob::Kind::kDebug;
  if (name == "profiler") return RuleJob::Kind::kProfiler;
  return std::nullopt;
}

// Reads members of one object; the first that is not as it was written is kept as the error.
class Reader {
 public:
  Reader(const Json& json, std::string where) : json_(json), where_(std::move(where)) {
    if (!json.is_object()) Refuse("");
  }

  void Read(std::string_view name, std::string* out) {
    const Json* member = Find(name, &Json::is_string);
    if (member != nullptr) *out = member->get<std::string>();
  }
  void Read(std::string_view name, bool* out) {
    const Json* member = Find(name, &Json::is_boolean);
    if (member != nullptr) *out = member->get<bool>();
  }
  void Read(std::string_view name, int* out) {
    const Json* member = Find(name, &Json::is_number_integer);
    if (member != nullptr) *out = static_cast<int>(member->get<int64_t>());
  }
  void Read(std::string_view name, Time* out) {
    const Json* member = Find(name, &Json::is_number_integer);
    if (member != nullptr) *out = Time(std::chrono::milliseconds(member->get<int64_t>()));
  }
  void Read(std::string_view name, std::optional<Time>* out) {
    if (MemberOf(json_, name) == nullptr) return;
    Time time;
    Read(name, &time);
    *out = time;
  }
  void ReadObject(std::string_view name, Json* out) {
    if (MemberOf(json_, name) == nullptr) return;
    const Json* member = Find(name, &Json::is_object);
    if (member != nullptr) *out = *member;
  }
  template <class T>
  void ReadName(std::string_view name, std::optional<T> (*from)(std::string_view), T* out) {
    std::string text;
    Read(name, &text);
    const std::optional<T> value = from(text);
    if (value) *out = *value;
    if (!value) Refuse(name);
  }
  // Calls take(element, its place) for each; take returns a status.
  template <class Take>
  void ReadList(std::string_view name, Take take) {
    const Json* list = Find(name, &Json::is_array);
    if (list == nullptr) return;
    for (size_t i = 0; i < list->size() && status_.ok(); ++i) {
      status_ = take((*list)[i], fmt::format("{}{}[{}]", where_, name, i));
    }
  }

  const Status& status() const { return status_; }

 private:
  const Json* Find(std::string_view name, bool (Json::*is)() const noexcept) {
    const Json* member = MemberOf(json_, name);
    if (member != nullptr && (member->*is)()) return member;
    Refuse(name);
    return nullptr;
  }
  void Refuse(std::string_view name) {
    if (!status_.ok()) return;
    status_ = Status(Code::kCorrupt,
                     fmt::format("job record: '{}{}' is missing or invalid", where_, name));
  }

  const Json& json_;
  const std::string where_;
  Status status_;
};

Status ReadTransition(const Json& json, const std::string& where, Transition* out) {
  Reader reader(json, where + ".");
  reader.ReadName("status", &SecondaryStatusFrom, &out->status);
  reader.Read("start", &out->start);
  reader.Read("end", &out->end);
  reader.Read("message", &out->message);
  return reader.status();
}

Status ReadRule(const Json& json, const std::string& where, RuleJob* out) {
  Reader reader(json, where + ".");
  reader.ReadName("kind", &KindFrom, &out->kind);
  reader.ReadObject("config", &out->config);
  reader.Read("job_name", &out->job_name);
  reader.ReadName("status", &RuleStatusFrom, &out->status);
  reader.Read("details", &out->details);
  reader.Read("launched", &out->launched);
  reader.Read("ended", &out->ended);
  reader.Read("modified", &out->modified);
  reader.Read("restarts", &out->restarts);
  reader.Read("stop_requested", &out->stop_requested);
  reader.Read("created", &out->created);
  return reader.status();
}

Status ReadIncident(const Json& json, const std::string& where, JobIncident* out) {
  Reader reader(json, where + ".");
  reader.Read("id", &out->id);
  reader.Read("begun", &out->begun);
  reader.ReadObject("incident", &out->json);
  return reader.status();
}

Status ReadTag(const Json& json, const std::string& where, TrainingJob* out) {
  if (!json.is_array() || json.size() != 2 || !json[0].is_string() || !json[1].is_string()) {
    return Status(Code::kCorrupt, fmt::format("job record: '{}' is not a tag", where));
  }
  out->tags.emplace_back(json[0].get<std::string>(), json[1].get<std::string>());
  return Status();
}

}  // namespace

Json ToJson(const TrainingJob& job) {
  Json tags = Json::array(), transitions = Json::array(), rules = Json::array();
  Json incidents = Json::array();
  for (const auto& [key, value] : job.tags) tags.push_back(Json::array({key, value}));
  for (const Transition& each : job.transitions) transitions.push_back(ToJson(each));
  for (const RuleJob& each : job.rules) rules.push_back(ToJson(each));
  for (const JobIncident& each : job.incidents) incidents.push_back(ToJson(each));
  return {{"name", job.name},
          {"account", job.account},
          {"region", job.region},
          {"owner", job.owner},
          {"request", job.request},
          {"tags", std::move(tags)},
          {"status", NameOf(job.status)},
          {"secondary", NameOf(job.secondary)},
          {"transitions", std::move(transitions)},
          {"created", Milliseconds(job.created)},
          {"modified", Milliseconds(job.modified)},
          {"started", Milliseconds(job.started)},
          {"ended", Milliseconds(job.ended)},
          {"failure_reason", job.failure_reason},
          {"stop_cause", kCauses[static_cast<size_t>(job.stop_cause)]},
          {"rules", std::move(rules)},
          {"incidents", std::move(incidents)}};
}

Result<TrainingJob> TrainingJobFromJson(const Json& json) {
  TrainingJob job;
  Reader reader(json, "");
  reader.Read("name", &job.name);
  reader.Read("account", &job.account);
  reader.Read("region", &job.region);
  reader.Read("owner", &job.owner);
  reader.ReadObject("request", &job.request);
  reader.ReadList("tags", [&](const Json& element, const std::string& where) {
    return ReadTag(element, where, &job);
  });
  reader.ReadName("status", &JobStatusFrom, &job.status);
  reader.ReadName("secondary", &SecondaryStatusFrom, &job.secondary);
  reader.ReadList("transitions", [&](const Json& element, const std::string& where) {
    return ReadTransition(element, where, &job.transitions.emplace_back());
  });
  reader.Read("created", &job.created);
  reader.Read("modified", &job.modified);
  reader.Read("started", &job.started);
  reader.Read("ended", &job.ended);
  reader.Read("failure_reason", &job.failure_reason);
  reader.ReadName("stop_cause", &StopCauseFrom, &job.stop_cause);
  reader.ReadList("rules", [&](const Json& element, const std::string& where) {
    return ReadRule(element, where, &job.rules.emplace_back());
  });
  // Records of earlier versions have none.
  if (MemberOf(json, "incidents") != nullptr) {
    reader.ReadList("incidents", [&](const Json& element, const std::string& where) {
      return ReadIncident(element, where, &job.incidents.emplace_back());
    });
  }
  if (!reader.status().ok()) return reader.status();
  return job;
}

}  // namespace warden::jobs
