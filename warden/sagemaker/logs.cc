#include "warden/sagemaker/logs.h"

#include <fmt/format.h>

#include <algorithm>
#include <iterator>
#include <optional>
#include <utility>
#include <variant>

#include "warden/base/json.h"
#include "warden/base/strings.h"
#include "warden/sagemaker/logs_events.h"
#include "warden/sagemaker/logs_streams.h"
#include "warden/sagemaker/model/api_error.h"

namespace warden::sagemaker {
namespace {

using Outcome = std::variant<Json, ApiError>;

constexpr std::string_view kTarget = "Logs_20140328.";
constexpr size_t kMaxStreams = 50;       // Of an answer of DescribeLogStreams.
constexpr size_t kMaxSearched = 50'000;  // To choose them from.
constexpr size_t kMaxFiltered = 100;     // Streams of one FilterLogEvents.
constexpr int64_t kMaxEvents = 10'000;

ApiError NotFound(std::string_view what) {
  return {"ResourceNotFoundException", fmt::format("The specified {} does not exist.", what)};
}

ApiError Invalid(std::string message) { return {"InvalidParameterException", std::move(message)}; }

ApiError FromStatus(const Status& status) {
  return status.code() == Code::kNotFound ? NotFound("log stream") : InternalError(status);
}

int64_t Milliseconds(Time time) { return time.time_since_epoch().count(); }

// The members of a request, with who sent it; the first one of a wrong type is remembered.
class Members {
 public:
  Members(const Json& body, const auth::Identity& identity) : body_(body), identity_(identity) {}

  const auth::Identity& identity() const { return identity_; }

  std::string Text(const char* name) {
    const Json* value = Find(name, [](const Json& json) { return json.is_string(); });
    return value == nullptr ? "" : value->get<std::string>();
  }
  std::optional<int64_t> Number(const char* name) {
    const Json* value = Find(name, [](const Json& json) { return json.is_number_integer(); });
    if (value == nullptr) return std::nullopt;
    return value->get<int64_t>();
  }
  bool Flag(const char* name) {
    const Json* value = Find(name, [](const Json& json) { return json.is_boolean(); });
    return value != nullptr && value->get<bool>();
  }
  std::vector<std::string> Texts(const char* name) {
    const Json* value = Find(name, [](const Json& json) {
      return json.is_array() && std::all_of(json.begin(), json.end(),
                                            [](const Json& item) { return item.is_string(); });
    });
    return value == nullptr ? std::vector<std::string>() : value->get<std::vector<std::string>>();
  }

  std::optional<ApiError> fault() const {
    if (wrong_.empty()) return std::nullopt;
    return ApiError{"SerializationException", fmt::format("'{}' has the wrong type", wrong_)};
  }

 private:
  template <class Is>
  const Json* Find(const char* name, Is is) {
    if (!body_.is_object()) return nullptr;
    const auto found = body_.find(name);
    if (found == body_.end() || found->is_null()) return nullptr;
    if (is(*found)) return &*found;
    if (wrong_.empty()) wrong_ = name;
    return nullptr;
  }

  const Json& body_;
  const auth::Identity& identity_;
  std::string wrong_;
};

// Its name, or its ARN "...:log-group:NAME:*".
std::string GroupOf(Members* members) {
  std::string group = members->Text("logGroupName");
  if (group.empty()) group = members->Text("logGroupIdentifier");
  constexpr std::string_view kMark = ":log-group:";
  const size_t at = group.find(kMark);
  if (at != std::string::npos) group = group.substr(at + kMark.size());
  if (group.ends_with(":*")) group.resize(group.size() - 2);
  return group;
}

std::string GroupArn(const auth::Identity& identity, std::string_view group) {
  return fmt::format("arn:aws:logs:{}:{}:log-group:{}", identity.region, identity.account, group);
}

EventQuery QueryOf(Members* members) {
  EventQuery query;
  query.start = members->Number("startTime");
  query.end = members->Number("endTime");
  query.limit = static_cast<size_t>(
      std::clamp<int64_t>(members->Number("limit").value_or(kMaxEvents), 1, kMaxEvents));
  return query;
}

Outcome DescribeLogGroups(const ApiParts&, Members* members) {
  const std::string prefix = members->Text("logGroupNamePrefix");
  if (const auto fault = members->fault()) return *fault;
  Json groups = Json::array();
  for (const std::string_view group : {kProcessingGroup, kTrainingGroup}) {
    if (!group.starts_with(prefix)) continue;
    groups.push_back({{"logGroupName", group},
                      {"creationTime", 0},
                      {"metricFilterCount", 0},
                      {"arn", GroupArn(members->identity(), group) + ":*"},
                      {"storedBytes", 0}});
  }
  return Json{{"logGroups", std::move(groups)}};
}

// Milliseconds of the last line; 0: there is none.
int64_t LastEventTime(const LogStream& stream) {
  EventQuery one;
  one.limit = 1;
  const Result<jobs::LogPage> last = ReadBackward(stream, one, std::nullopt);
  if (!last.ok() || last.value().lines.empty()) return 0;
  return Milliseconds(last.value().lines.back().time);
}

Json DescribeStream(const auth::Identity& identity, std::string_view group,
                    const LogStream& stream) {
  Json json = {{"logStreamName", stream.name},
               {"creationTime", Milliseconds(stream.created)},
               {"arn", fmt::format("{}:log-stream:{}", GroupArn(identity, group), stream.name)},
               {"storedBytes", 0}};
  EventQuery one;
  one.limit = 1;
  const Result<jobs::LogPage> first = ReadForward(stream, one, 0);
  if (first.ok() && !first.value().lines.empty()) {
    json["firstEventTimestamp"] = Milliseconds(first.value().lines.front().time);
  }
  if (const int64_t last = LastEventTime(stream); last != 0) {
    json["lastEventTimestamp"] = last;
    json["lastIngestionTime"] = last;
  }
  return json;
}

// Some streams of a list, and the token for those after them; empty: there are none.
struct StreamPage {
  std::vector<const LogStream*> streams;
  std::string next;
};

// "TIME/NAME" of the last stream of the page before. Streams may come and go between pages, so it
// names a place in the order, not a count. Nothing if the token is not one.
std::optional<StreamPage> PageOf(const std::vector<LogStream>& streams, bool by_time,
                                 bool descending, size_t limit, const std::string& token) {
  using Key = std::pair<int64_t, std::string>;
  std::vector<std::pair<Key, const LogStream*>> ordered;
  for (const LogStream& stream : streams) {
    ordered.emplace_back(Key(by_time ? LastEventTime(stream) : 0, stream.name), &stream);
  }
  const auto before = [&](const auto& a, const auto& b) {
    return descending ? b.first < a.first : a.first < b.first;
  };
  std::sort(ordered.begin(), ordered.end(), before);
  auto begin = ordered.begin();
  if (!token.empty()) {
    const size_t slash = token.find('/');
    const auto time = ParseInt(token.substr(0, slash));
    if (slash == std::string::npos || !time) return std::nullopt;
    const std::pair<Key, const LogStream*> last(Key(*time, token.substr(slash + 1)), nullptr);
    begin = std::upper_bound(ordered.begin(), ordered.end(), last, before);
  }
  StreamPage page;
  for (; begin != ordered.end() && page.streams.size() < limit; ++begin) {
    page.streams.push_back(begin->second);
  }
  if (begin != ordered.end() && !page.streams.empty()) {
    const Key& last = std::prev(begin)->first;
    page.next = fmt::format("{}/{}", last.first, last.second);
  }
  return page;
}

Outcome DescribeLogStreams(const ApiParts& parts, Members* members) {
  const std::string group = GroupOf(members);
  const std::string prefix = members->Text("logStreamNamePrefix");
  const std::string order = members->Text("orderBy");
  const bool descending = members->Flag("descending");
  const size_t limit = static_cast<size_t>(
      std::clamp<int64_t>(members->Number("limit").value_or(kMaxStreams), 1, kMaxStreams));
  const std::string token = members->Text("nextToken");
  if (const auto fault = members->fault()) return *fault;
  if (!order.empty() && order != "LogStreamName" && order != "LastEventTime") {
    return Invalid("orderBy must be LogStreamName or LastEventTime");
  }
  if (!IsLogGroup(group)) return NotFound("log group");
  const Result<std::vector<LogStream>> streams = FindStreams(parts, group, prefix, kMaxSearched);
  if (!streams.ok()) return FromStatus(streams.status());
  auto page = PageOf(streams.value(), order == "LastEventTime", descending, limit, token);
  if (!page) return Invalid("The specified nextToken is invalid.");
  std::vector<Json> described;
  for (const LogStream* stream : page->streams) {
    described.push_back(DescribeStream(members->identity(), group, *stream));
  }
  Json answer = {{"logStreams", std::move(described)}};
  if (!page->next.empty()) answer["nextToken"] = std::move(page->next);
  return answer;
}

Json EventOf(const jobs::LogLine& line) {
  return {{"timestamp", Milliseconds(line.time)},
          {"message", line.text},
          {"ingestionTime", Milliseconds(line.time)}};
}

// "f/12" or "b/12"; nothing if it is neither.
std::optional<uint64_t> PositionOf(std::string_view token) {
  if (!token.starts_with("f/") && !token.starts_with("b/")) return std::nullopt;
  const std::optional<int64_t> position = ParseInt(token.substr(2));
  if (!position || *position < 0) return std::nullopt;
  return static_cast<uint64_t>(*position);
}

Outcome GetLogEvents(const ApiParts& parts, Members* members) {
  const std::string group = GroupOf(members);
  const std::string name = members->Text("logStreamName");
  const std::string token = members->Text("nextToken");
  const bool from_head = members->Flag("startFromHead");
  const EventQuery query = QueryOf(members);
  if (const auto fault = members->fault()) return *fault;
  const std::optional<uint64_t> position = PositionOf(token);
  if (!token.empty() && !position) return Invalid("The specified nextToken is invalid.");
  if (!IsLogGroup(group)) return NotFound("log group");
  const Result<LogStream> stream = FindStream(parts, group, name);
  if (!stream.ok()) return FromStatus(stream.status());
  const bool forward = position ? token.starts_with('f') : from_head;
  const Result<jobs::LogPage> page = forward
                                         ? ReadForward(stream.value(), query, position.value_or(0))
                                         : ReadBackward(stream.value(), query, position);
  if (!page.ok()) return FromStatus(page.status());
  Json events = Json::array();
  for (const jobs::LogLine& line : page.value().lines) events.push_back(EventOf(line));
  // At the end of the log the same token comes back, and clients stop.
  const uint64_t first =
      page.value().lines.empty() ? position.value_or(0) : page.value().lines.front().position;
  return Json{{"events", std::move(events)},
              {"nextForwardToken", fmt::format("f/{}", page.value().next)},
              {"nextBackwardToken", fmt::format("b/{}", first)}};
}

// The streams that a FilterLogEvents asks for.
std::variant<std::vector<LogStream>, ApiError> StreamsOf(const ApiParts& parts,
                                                         const std::string& group,
                                                         Members* members) {
  const std::vector<std::string> names = members->Texts("logStreamNames");
  const std::string prefix = members->Text("logStreamNamePrefix");
  if (const auto fault = members->fault()) return *fault;
  if (!IsLogGroup(group)) return NotFound("log group");
  if (names.size() > kMaxFiltered) return Invalid("logStreamNames has more than 100 members");
  if (names.empty()) {
    Result<std::vector<LogStream>> streams = FindStreams(parts, group, prefix, kMaxFiltered);
    if (!streams.ok()) return FromStatus(streams.status());
    return std::move(streams).value();
  }
  std::vector<LogStream> streams;
  for (const std::string& name : names) {
    Result<LogStream> stream = FindStream(parts, group, name);
    if (!stream.ok()) return FromStatus(stream.status());
    streams.push_back(std::move(stream).value());
  }
  return streams;
}

// A token is an object of positions by names of streams, as streams may be added meanwhile.
std::optional<std::vector<uint64_t>> PositionsOf(const std::string& token,
                                                 const std::vector<LogStream>& streams) {
  std::vector<uint64_t> positions(streams.size(), 0);
  if (token.empty()) return positions;
  const Result<Json> json = ParseJson(token);
  if (!json.ok() || !json.value().is_object()) return std::nullopt;
  for (size_t i = 0; i < streams.size(); ++i) {
    const auto found = json.value().find(streams[i].name);
    if (found == json.value().end()) continue;
    if (!found->is_number_unsigned()) return std::nullopt;
    positions[i] = found->get<uint64_t>();
  }
  return positions;
}

Outcome FilterLogEvents(const ApiParts& parts, Members* members) {
  const std::string group = GroupOf(members);
  EventQuery query = QueryOf(members);
  const Result<FilterPattern> pattern = FilterPattern::Parse(members->Text("filterPattern"));
  if (!pattern.ok()) return Invalid(pattern.status().message());
  query.pattern = pattern.value();
  const std::string token = members->Text("nextToken");
  std::variant<std::vector<LogStream>, ApiError> found = StreamsOf(parts, group, members);
  if (const auto* error = std::get_if<ApiError>(&found)) return *error;
  const std::vector<LogStream>& streams = *std::get_if<std::vector<LogStream>>(&found);
  const std::optional<std::vector<uint64_t>> positions = PositionsOf(token, streams);
  if (!positions) return Invalid("The specified nextToken is invalid.");
  const Result<MergedPage> page = ReadMerged(streams, query, *positions);
  if (!page.ok()) return FromStatus(page.status());
  Json events = Json::array();
  for (const MergedLine& merged : page.value().lines) {
    Json event = EventOf(merged.line);
    event["logStreamName"] = streams[merged.stream].name;
    event["eventId"] = fmt::format("{}/{}", merged.stream, merged.line.position);
    events.push_back(std::move(event));
  }
  Json answer = {{"events", std::move(events)}, {"searchedLogStreams", Json::array()}};
  if (page.value().more) {
    Json next = Json::object();
    for (size_t i = 0; i < streams.size(); ++i) next[streams[i].name] = page.value().next[i];
    answer["nextToken"] = next.dump();
  }
  return answer;
}

}  // namespace

http::Response AnswerLogs(std::string_view operation, const Json& body,
                          const auth::Identity& identity, const ApiParts& parts,
                          const http::RequestHead& head) {
  if (operation.starts_with(kTarget)) operation.remove_prefix(kTarget.size());
  constexpr std::pair<std::string_view, Outcome (*)(const ApiParts&, Members*)> kOperations[] = {
      {"DescribeLogGroups", &DescribeLogGroups},
      {"DescribeLogStreams", &DescribeLogStreams},
      {"GetLogEvents", &GetLogEvents},
      {"FilterLogEvents", &FilterLogEvents},
  };
  for (const auto& [name, answer] : kOperations) {
    if (name != operation) continue;
    Members members(body, identity);
    const Outcome outcome = answer(parts, &members);
    if (const auto* error = std::get_if<ApiError>(&outcome)) return ToResponse(*error, head.id);
    return ToResponse(*std::get_if<Json>(&outcome), head.id);
  }
  return ToResponse(
      ApiError{"UnknownOperationException", fmt::format("Unknown logs operation '{}'", operation)},
      head.id);
}

}  // namespace warden::sagemaker
