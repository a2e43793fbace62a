#include "warden/sagemaker/operations/list_query.h"

#include <cmath>

#include "warden/base/json.h"
#include "warden/base/json_members.h"

namespace warden::sagemaker::operations {
namespace {

// Seconds, whole or not, of any sign. What no clock shows is as far as one can go.
std::optional<Time> TimeOf(const Json& body, const char* name) {
  const Json* member = MemberOf(body, name);
  if (member == nullptr || !member->is_number()) return std::nullopt;
  const double seconds = member->get<double>();
  if (std::isnan(seconds)) return std::nullopt;
  constexpr double kFarthest = 1e12;
  const double bounded = std::min(std::max(seconds, -kFarthest), kFarthest);
  return Time(std::chrono::milliseconds(std::llround(bounded * 1e3)));
}

}  // namespace

jobs::ListQuery ListQueryOf(const Json& body) {
  jobs::ListQuery query;
  query.name_contains = TextOf(MemberOf(body, "NameContains"));
  query.status_equals = TextOf(MemberOf(body, "StatusEquals"));
  query.created_after = TimeOf(body, "CreationTimeAfter");
  query.created_before = TimeOf(body, "CreationTimeBefore");
  query.modified_after = TimeOf(body, "LastModifiedTimeAfter");
  query.modified_before = TimeOf(body, "LastModifiedTimeBefore");
  const std::string sort_by = TextOf(MemberOf(body, "SortBy"));
  if (sort_by == "Name") query.sort_by = jobs::ListQuery::SortBy::kName;
  if (sort_by == "Status") query.sort_by = jobs::ListQuery::SortBy::kStatus;
  const std::string order = TextOf(MemberOf(body, "SortOrder"));
  // The newest first; other orders begin where one expects it.
  query.ascending = order.empty() ? query.sort_by != jobs::ListQuery::SortBy::kCreationTime
                                  : order == "Ascending";
  if (const Json* most = MemberOf(body, "MaxResults")) {
    query.limit = static_cast<size_t>(std::clamp<int64_t>(IntegerOf(most), 1, 100));
  }
  query.next_token = TextOf(MemberOf(body, "NextToken"));
  return query;
}

Json PageJson(const char* name, Json items, const std::string& next_token) {
  Json page = Json::object();
  page[name] = std::move(items);
  if (!next_token.empty()) page["NextToken"] = next_token;
  return page;
}

}  // namespace warden::sagemaker::operations
