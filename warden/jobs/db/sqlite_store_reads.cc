#include <fmt/format.h>

#include "warden/base/log.h"
#include "warden/jobs/db/job_rows.h"
#include "warden/jobs/db/list_statement.h"
#include "warden/jobs/db/sqlite_store.h"

namespace warden::jobs::db {
namespace {

// Runs the statement of a page; take(query) makes an element of each row, in whose first columns
// are name, status and time of creation. A record that cannot be read is told of and passed over:
// it must not hide all others.
template <class T, class Take>
Result<Page<T>> ReadPage(Connection* connection, const ListQuery& query, std::string_view table,
                         std::string_view columns, Take take) {
  auto statement = StatementOf(query, table, columns);
  if (!statement.ok()) return statement.status();
  Query rows = connection->Prepare(statement.value().text);
  statement.value().BindTo(&rows);
  Page<T> page;
  std::string last;
  for (size_t count = 0;; ++count) {
    const Result<bool> row = rows.Next();
    if (!row.ok()) return row.status();
    if (!row.value()) return page;
    if (count == query.limit) break;
    if (count + 1 == query.limit) {
      last = TokenAfter(query, table, rows.Text(0), rows.Text(1), rows.Integer(2));
    }
    Result<T> element = take(rows);
    if (element.ok()) {
      page.items.push_back(std::move(element).value());
    } else {
      LogError("entry skipped in a list: {}", element.status().message());
    }
  }
  page.next_token = std::move(last);
  return page;
}

// The caller may change what it gets.
Result<TrainingJob> CopyOf(const Result<std::shared_ptr<const TrainingJob>>& job) {
  if (!job.ok()) return job.status();
  return *job.value();
}

Result<std::pair<TrainingJob, size_t>> WithPlace(Result<TrainingJob> job, int64_t place) {
  if (!job.ok()) return job.status();
  if (place < 0 || static_cast<size_t>(place) >= job.value().rules.size()) {
    return Status(Code::kCorrupt, fmt::format("job {} has no rule at {}", job.value().name, place));
  }
  return std::pair(std::move(job).value(), static_cast<size_t>(place));
}

}  // namespace

std::optional<std::string> SqliteStore::MadeBy(const Invocation& invocation) {
  if (invocation.id.empty()) return std::nullopt;
  auto reader = readers_.Lend();
  if (!reader.ok()) return std::nullopt;
  Query query = reader.value()->Prepare(
      "SELECT job FROM invocations WHERE owner = ? AND id = ? AND made >= ?");
  const Result<bool> row = query.Bind(invocation.owner)
                               .Bind(invocation.id)
                               .Bind((Now() - kInvocationsKept).time_since_epoch().count())
                               .Next();
  if (!row.ok() || !row.value()) return std::nullopt;
  return query.Text(0);
}

Result<TrainingJob> SqliteStore::Read(Connection* connection, const std::string& name) {
  Query query = connection->Prepare("SELECT document FROM jobs WHERE name = ?");
  const Result<bool> row = query.Bind(name).Next();
  if (!row.ok()) return row.status();
  if (!row.value()) return Status(Code::kNotFound, "no job '" + name + "'");
  return CopyOf(cache_.JobOf(name, query.Text(0)));
}

Result<TrainingJob> SqliteStore::Get(const std::string& name) {
  auto reader = readers_.Lend();
  if (!reader.ok()) return reader.status();
  return Read(reader.value().get(), name);
}

Result<Page<TrainingJob>> SqliteStore::List(const ListQuery& query) {
  auto reader = readers_.Lend();
  if (!reader.ok()) return reader.status();
  return ReadPage<TrainingJob>(
      reader.value().get(), query, "jobs", "name, status, created, document",
      [this](const Query& row) { return CopyOf(cache_.JobOf(row.Text(0), row.Text(3))); });
}

Result<Page<std::pair<TrainingJob, size_t>>> SqliteStore::ListRuleJobs(const ListQuery& query) {
  auto reader = readers_.Lend();
  if (!reader.ok()) return reader.status();
  Connection* connection = reader.value().get();
  return ReadPage<std::pair<TrainingJob, size_t>>(
      connection, query, "rule_jobs", "name, status, created, job, place",
      [&](const Query& row) { return WithPlace(Read(connection, row.Text(3)), row.Integer(4)); });
}

Result<std::pair<TrainingJob, size_t>> SqliteStore::FindRuleJob(const std::string& job_name) {
  auto reader = readers_.Lend();
  if (!reader.ok()) return reader.status();
  // In one statement, so that the place is of the same moment as the job.
  Query query = reader.value()->Prepare(
      "SELECT jobs.name, place, document FROM rule_jobs JOIN jobs ON jobs.name = rule_jobs.job "
      "WHERE rule_jobs.name = ?");
  const Result<bool> row = query.Bind(job_name).Next();
  if (!row.ok()) return row.status();
  if (!row.value()) return Status(Code::kNotFound, "no rule job '" + job_name + "'");
  return WithPlace(CopyOf(cache_.JobOf(query.Text(0), query.Text(2))), query.Integer(1));
}

Result<std::vector<std::string>> SqliteStore::Unfinished() {
  auto reader = readers_.Lend();
  if (!reader.ok()) return reader.status();
  Query query =
      reader.value()->Prepare("SELECT name FROM jobs WHERE unfinished ORDER BY created, name");
  std::vector<std::string> names;
  for (;;) {
    const Result<bool> row = query.Next();
    if (!row.ok()) return row.status();
    if (!row.value()) return names;
    names.push_back(query.Text(0));
  }
}

Result<std::vector<StoredEvent>> SqliteStore::EventsAfter(int64_t number, size_t limit) {
  auto reader = readers_.Lend();
  if (!reader.ok()) return reader.status();
  Query query = reader.value()->Prepare(
      "SELECT number, body FROM events WHERE number > ? ORDER BY number LIMIT ?");
  query.Bind(number).Bind(static_cast<int64_t>(limit));
  std::vector<StoredEvent> events;
  for (;;) {
    const Result<bool> row = query.Next();
    if (!row.ok()) return row.status();
    if (!row.value()) return events;
    events.push_back({query.Integer(0), query.Text(1)});
  }
}

int64_t SqliteStore::LastEvent() {
  auto reader = readers_.Lend();
  if (!reader.ok()) return 0;
  Query query = reader.value()->Prepare("SELECT max(number) FROM events");
  const Result<bool> row = query.Next();
  return row.ok() && row.value() ? query.Integer(0) : 0;
}

std::optional<int64_t> SqliteStore::CursorOf(const std::string& receiver) {
  auto reader = readers_.Lend();
  if (!reader.ok()) return std::nullopt;
  Query query = reader.value()->Prepare("SELECT number FROM cursors WHERE receiver = ?");
  const Result<bool> row = query.Bind(receiver).Next();
  if (!row.ok() || !row.value()) return std::nullopt;
  return query.Integer(0);
}

}  // namespace warden::jobs::db
