#include "warden/jobs/db/list_statement.h"

#include <fmt/format.h>

#include "warden/jobs/db/job_rows.h"
#include "warden/jobs/db/page_token.h"

namespace warden::jobs::db {
namespace {

std::string_view ColumnOf(ListQuery::SortBy sort_by) {
  switch (sort_by) {
    case ListQuery::SortBy::kName: return "name";
    case ListQuery::SortBy::kStatus: return "status";
    default: return "created";
  }
}

// A pattern of LIKE that finds the text anywhere, and nothing else.
std::string Containing(std::string_view text) {
  std::string pattern = "%";
  for (const char c : text) {
    if (c == '%' || c == '_' || c == '\\') pattern += '\\';
    pattern += c;
  }
  return pattern + "%";
}

class Conditions {
 public:
  explicit Conditions(ListStatement* statement) : statement_(statement) {}

  void Add(std::string_view condition) {
    statement_->text += first_ ? " WHERE " : " AND ";
    statement_->text += condition;
    first_ = false;
  }
  void Add(std::string_view condition, std::string value) {
    Add(condition);
    statement_->values.emplace_back(std::move(value));
  }
  void Add(std::string_view condition, const std::optional<Time>& time) {
    if (!time) return;
    Add(condition);
    statement_->values.emplace_back(Milliseconds(*time));
  }

 private:
  ListStatement* statement_;
  bool first_ = true;
};

// Adds the condition that the name of the training job begins with one of the prefixes.
void AddPrefixes(const ListQuery& query, std::string_view table, Conditions* conditions,
                 ListStatement* statement) {
  const std::string_view job_column = table == "jobs" ? "name" : "job";
  std::string any;
  for (const std::string& prefix : query.name_prefixes) {
    // LIKE would ignore the case.
    any += fmt::format("{}substr({}, 1, ?) = ?", any.empty() ? "" : " OR ", job_column);
    statement->values.emplace_back(static_cast<int64_t>(prefix.size()));
    statement->values.emplace_back(prefix);
  }
  conditions->Add(fmt::format("({})", any));
}

// Adds the condition that rows come after the page that the token ended.
Status AddPlace(const ListQuery& query, std::string_view table, Conditions* conditions,
                ListStatement* statement) {
  const Status foreign(Code::kInvalid, "NextToken is not valid for this list");
  const auto place = PlaceOf(query.next_token);
  if (!place || !place->is_array() || place->size() != 5) return foreign;
  const Json& key = (*place)[3];
  const bool by_time = query.sort_by == ListQuery::SortBy::kCreationTime;
  if ((*place)[0] != table || (*place)[1] != ColumnOf(query.sort_by) ||
      (*place)[2] != query.ascending || !(*place)[4].is_string() ||
      !(by_time ? key.is_number_integer() : key.is_string())) {
    return foreign;
  }
  conditions->Add(
      fmt::format("({}, name) {} (?, ?)", ColumnOf(query.sort_by), query.ascending ? '>' : '<'));
  if (by_time) statement->values.emplace_back(key.get<int64_t>());
  if (!by_time) statement->values.emplace_back(key.get<std::string>());
  statement->values.emplace_back((*place)[4].get<std::string>());
  return Status();
}

}  // namespace

void ListStatement::BindTo(Query* query) const {
  for (const auto& value : values) {
    std::visit([query](const auto& each) { query->Bind(each); }, value);
  }
}

Result<ListStatement> StatementOf(const ListQuery& query, std::string_view table,
                                  std::string_view columns) {
  ListStatement statement;
  statement.text = fmt::format("SELECT {} FROM {}", columns, table);
  Conditions conditions(&statement);
  if (!query.name_contains.empty()) {
    conditions.Add("name LIKE ? ESCAPE '\\'", Containing(query.name_contains));
  }
  if (!query.name_prefixes.empty()) AddPrefixes(query, table, &conditions, &statement);
  if (!query.status_equals.empty()) conditions.Add("status = ?", query.status_equals);
  conditions.Add("created > ?", query.created_after);
  conditions.Add("created < ?", query.created_before);
  conditions.Add("modified > ?", query.modified_after);
  conditions.Add("modified < ?", query.modified_before);
  if (!query.next_token.empty()) {
    if (Status status = AddPlace(query, table, &conditions, &statement); !status.ok()) {
      return status;
    }
  }
  const char* order = query.ascending ? "ASC" : "DESC";
  statement.text +=
      fmt::format(" ORDER BY {} {}, name {} LIMIT ?", ColumnOf(query.sort_by), order, order);
  statement.values.emplace_back(static_cast<int64_t>(query.limit) + 1);
  return statement;
}

std::string TokenAfter(const ListQuery& query, std::string_view table, const std::string& name,
                       const std::string& status, int64_t created) {
  Json key = name;
  if (query.sort_by == ListQuery::SortBy::kStatus) key = status;
  if (query.sort_by == ListQuery::SortBy::kCreationTime) key = created;
  return PageToken(
      Json::array({table, ColumnOf(query.sort_by), query.ascending, std::move(key), name}));
}

}  // namespace warden::jobs::db
