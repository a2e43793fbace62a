#include <algorithm>

#include "warden/base/json_members.h"
#include "warden/jobs/db/page_token.h"
#include "warden/jobs/record/describe.h"
#include "warden/sagemaker/operations/list_query.h"
#include "warden/sagemaker/operations/operations.h"
#include "warden/sagemaker/operations/search_expression.h"
#include "warden/sagemaker/operations/tags.h"

namespace warden::sagemaker::operations {
namespace {

constexpr size_t kPage = 100;

// What Search tells of a job: the members of Describe that its model has, and the tags.
Json RecordOf(const jobs::TrainingJob& job) {
  Json record = jobs::DescribeTrainingJob(job);
  for (const char* name : {"ProfilerRuleConfigurations", "ProfilerRuleEvaluationStatuses",
                           "ProfilingStatus", "RemoteDebugConfig"}) {
    record.erase(name);
  }
  record["Tags"] = TagsJson(job);
  return record;
}

struct Hit {
  Json key;  // What is sorted by; null: the record has none.
  Json record;
};

// Hits of the same key by name, so that their order is always the same. As texts: "1" and "01" are
// two names.
bool Before(const Json& key_a, const Json& name_a, const Json& key_b, const Json& name_b) {
  const int order = Compare(key_a, key_b);
  return order != 0 ? order < 0 : TextOf(&name_a) < TextOf(&name_b);
}

Result<std::vector<Hit>> FindAll(const Call& call, const Json& expression,
                                 const std::string& sort_by) {
  std::vector<Hit> hits;
  jobs::ListQuery query;
  query.limit = kPage;
  do {
    auto page = call.parts.store->List(query);
    if (!page.ok()) return page.status();
    for (const jobs::TrainingJob& job : page.value().items) {
      Json record = RecordOf(job);
      if (!Matches(expression, record)) continue;
      const auto keys = ValuesAt(record, sort_by);
      Json key = keys.empty() ? Json() : *keys[0];
      hits.push_back({std::move(key), std::move(record)});
    }
    query.next_token = page.value().next_token;
  } while (!query.next_token.empty());
  return hits;
}

Json PageOf(std::vector<Hit> hits, size_t begin, size_t limit) {
  Json results = Json::array();
  const size_t end = std::min(hits.size(), begin + limit);
  std::string token;
  if (end < hits.size()) {
    const Hit& last = hits[end - 1];
    token = jobs::db::PageToken(Json::array({"search", last.key, last.record["TrainingJobName"]}));
  }
  for (size_t i = begin; i < end; ++i) {
    results.push_back({{"TrainingJob", std::move(hits[i].record)}});
  }
  Json page = PageJson("Results", std::move(results), token);
  page["TotalHits"] = {{"Value", hits.size()}, {"Relation", "EqualTo"}};
  return page;
}

}  // namespace

Outcome Search(const Call& call) {
  if (TextOf(MemberOf(call.body, "Resource")) != "TrainingJob") {
    return Json{{"Results", Json::array()}};
  }
  const Json* given = MemberOf(call.body, "SearchExpression");
  const Json expression = given == nullptr ? Json::object() : *given;
  if (auto error = CheckExpression(expression)) return std::move(*error);
  std::string sort_by = TextOf(MemberOf(call.body, "SortBy"));
  if (sort_by.empty()) sort_by = "LastModifiedTime";
  auto found = FindAll(call, expression, sort_by);
  if (!found.ok()) return InternalError(found.status());
  std::vector<Hit> hits = std::move(found).value();
  const bool ascending = TextOf(MemberOf(call.body, "SortOrder")) == "Ascending";
  const auto before = [&](const Json& key_a, const Json& name_a, const Json& key_b,
                          const Json& name_b) {
    return ascending ? Before(key_a, name_a, key_b, name_b) : Before(key_b, name_b, key_a, name_a);
  };
  std::sort(hits.begin(), hits.end(), [&](const Hit& a, const Hit& b) {
    return before(a.key, a.record["TrainingJobName"], b.key, b.record["TrainingJobName"]);
  });
  size_t begin = 0;
  if (const std::string token = TextOf(MemberOf(call.body, "NextToken")); !token.empty()) {
    const auto place = jobs::db::PlaceOf(token);
    if (!place || !place->is_array() || place->size() != 3 || (*place)[0] != "search") {
      return ValidationError("NextToken is not valid for this search");
    }
    const auto first = std::find_if(hits.begin(), hits.end(), [&](const Hit& hit) {
      return before((*place)[1], (*place)[2], hit.key, hit.record["TrainingJobName"]);
    });
    begin = static_cast<size_t>(first - hits.begin());
  }
  return PageOf(std::move(hits), begin, ListQueryOf(call.body).limit);
}

}  // namespace warden::sagemaker::operations
