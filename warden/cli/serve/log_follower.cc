#include "warden/cli/serve/log_follower.h"

#include <algorithm>
#include <utility>

#include "warden/base/json.h"
#include "warden/cli/serve/job_text.h"

namespace warden::cli {
namespace {

// Lines to read before they are shown.
constexpr size_t kMostLines = 100'000;

// "JOB/algo-1-1794701262" is of algo-1.
std::string HostOf(const std::string& stream) {
  const size_t begin = stream.rfind('/') + 1;
  const size_t end = stream.rfind('-');
  return end == std::string::npos || end < begin ? stream.substr(begin)
                                                 : stream.substr(begin, end - begin);
}

}  // namespace

Status LogFollower::FindStreams() {
  Json request = {{"logGroupName", group_}, {"logStreamNamePrefix", prefix_}};
  while (true) {
    const auto answer = service_->Call("Logs_20140328.DescribeLogStreams", request);
    if (!answer.ok()) return answer.status();
    for (const Json& stream : ListIn(answer.value(), "logStreams")) {
      if (std::string name = TextIn(stream, "logStreamName"); !name.empty()) {
        tokens_.try_emplace(std::move(name));
      }
    }
    std::string next = TextIn(answer.value(), "nextToken");
    if (next.empty() || next == TextIn(request, "nextToken")) return Status();
    request["nextToken"] = std::move(next);
  }
}

Status LogFollower::ReadStream(const std::string& stream, std::string* token,
                               std::vector<ToldLine>* lines) {
  while (lines->size() < kMostLines) {
    Json request = {{"logGroupName", group_}, {"logStreamName", stream}, {"startFromHead", true}};
    if (!token->empty()) request["nextToken"] = *token;
    const auto page = service_->Call("Logs_20140328.GetLogEvents", request);
    if (!page.ok()) return page.status();
    for (const Json& event : ListIn(page.value(), "events")) {
      const auto time = NumberIn(event, "timestamp");
      lines->push_back(
          {static_cast<int64_t>(time.value_or(0)), HostOf(stream), TextIn(event, "message")});
    }
    std::string next = TextIn(page.value(), "nextForwardToken");
    if (next.empty() || next == *token) return Status();
    *token = std::move(next);
    if (ListIn(page.value(), "events").empty()) return Status();
  }
  return Status();
}

Result<std::vector<ToldLine>> LogFollower::Next() {
  if (const Status status = FindStreams(); !status.ok()) return status;
  std::vector<ToldLine> lines;
  for (auto& [stream, token] : tokens_) {
    std::vector<ToldLine> of_stream;
    if (const Status status = ReadStream(stream, &token, &of_stream); !status.ok()) return status;
    // Both are in order.
    std::vector<ToldLine> merged;
    merged.reserve(lines.size() + of_stream.size());
    std::merge(std::make_move_iterator(lines.begin()), std::make_move_iterator(lines.end()),
               std::make_move_iterator(of_stream.begin()), std::make_move_iterator(of_stream.end()),
               std::back_inserter(merged),
               [](const ToldLine& a, const ToldLine& b) { return a.time_ms < b.time_ms; });
    lines = std::move(merged);
  }
  return lines;
}

}  // namespace warden::cli
