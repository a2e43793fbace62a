#include "warden/jobs/db/migrations.h"

#include <fmt/format.h>

#include <iterator>

#include "warden/base/strings.h"

namespace warden::jobs::db {
namespace {

// "TWdn": by this number we know our own databases.
constexpr int64_t kApplicationId = 0x5457646e;

// The document is the job; the columns beside it are copies of what is searched and sorted by.
constexpr const char* kJobs = R"(
CREATE TABLE jobs (
  name TEXT NOT NULL PRIMARY KEY,
  status TEXT NOT NULL,
  created INTEGER NOT NULL,
  modified INTEGER NOT NULL,
  unfinished INTEGER NOT NULL,
  document TEXT NOT NULL
);
CREATE INDEX jobs_by_creation ON jobs (created, name);
CREATE INDEX jobs_by_status ON jobs (status, name);
CREATE INDEX jobs_unfinished ON jobs (name) WHERE unfinished;

CREATE TABLE rule_jobs (
  name TEXT NOT NULL PRIMARY KEY,
  job TEXT NOT NULL REFERENCES jobs (name) ON DELETE CASCADE,
  place INTEGER NOT NULL,
  status TEXT NOT NULL,
  created INTEGER NOT NULL,
  modified INTEGER NOT NULL
) WITHOUT ROWID;
CREATE INDEX rule_jobs_by_job ON rule_jobs (job);
CREATE INDEX rule_jobs_by_creation ON rule_jobs (created, name);
CREATE INDEX rule_jobs_by_status ON rule_jobs (status, name);

CREATE TABLE invocations (
  owner TEXT NOT NULL,
  id TEXT NOT NULL,
  job TEXT NOT NULL,
  made INTEGER NOT NULL,
  PRIMARY KEY (owner, id)
) WITHOUT ROWID;
CREATE INDEX invocations_by_time ON invocations (made);
CREATE INDEX invocations_by_job ON invocations (job);

CREATE TABLE events (number INTEGER PRIMARY KEY AUTOINCREMENT, body TEXT NOT NULL);
CREATE TABLE cursors (receiver TEXT NOT NULL PRIMARY KEY, number INTEGER NOT NULL) WITHOUT ROWID;
)";

constexpr const char* kMigrations[] = {kJobs};

Result<int64_t> Number(Connection* connection, const std::string& statement) {
  Result<std::string> text = connection->One(statement);
  if (!text.ok()) return text.status();
  return ParseInt(text.value()).value_or(0);
}

Status Apply(Connection* connection, size_t version) {
  Transaction transaction(connection);
  if (!transaction.status().ok()) return transaction.status();
  const std::string statements =
      fmt::format("{}; PRAGMA user_version = {}; PRAGMA application_id = {}", Migrations()[version],
                  version + 1, kApplicationId);
  if (Status status = connection->Execute(statements); !status.ok()) return status;
  return transaction.Commit();
}

}  // namespace

std::span<const char* const> Migrations() { return kMigrations; }

Status CheckOwner(Connection* connection) {
  const std::string& path = connection->path();
  const Result<int64_t> owner = Number(connection, "PRAGMA application_id");
  if (!owner.ok()) return owner.status();
  const Result<int64_t> tables = Number(connection, "SELECT count(*) FROM sqlite_schema");
  if (!tables.ok()) return tables.status();
  const bool empty = owner.value() == 0 && tables.value() == 0;
  if (owner.value() != kApplicationId && !empty) {
    return Status(Code::kCorrupt, path + " is not a Tensorwarden database");
  }
  const Result<int64_t> version = Number(connection, "PRAGMA user_version");
  if (!version.ok()) return version.status();
  const auto known = static_cast<int64_t>(Migrations().size());
  if (version.value() >= 0 && version.value() <= known) return Status();
  return Status(Code::kCorrupt,
                fmt::format("{} has version {}; this version of warden supports versions up to {}. "
                            "Use the version that created it or a newer one",
                            path, version.value(), known));
}

Status Migrate(Connection* connection) {
  const Result<int64_t> version = Number(connection, "PRAGMA user_version");
  if (!version.ok()) return version.status();
  for (auto next = static_cast<size_t>(version.value()); next < Migrations().size(); ++next) {
    if (Status status = Apply(connection, next); !status.ok()) return status;
  }
  return Status();
}

}  // namespace warden::jobs::db
