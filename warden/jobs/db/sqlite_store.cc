#include "warden/jobs/db/sqlite_store.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <unistd.h>

#include <cerrno>
#include <cstring>

#include "warden/base/log.h"
#include "warden/jobs/db/changes.h"
#include "warden/jobs/db/job_rows.h"
#include "warden/jobs/db/migrations.h"
#include "warden/jobs/record/describe.h"

namespace warden::jobs::db {
namespace {

constexpr size_t kReaders = 8;
constexpr int64_t kEventsKept = 20'000;

// Jobs' variables may be secrets: only the owner may read the file, and what SQLite makes beside it
// gets the same rights.
Status MakePrivateFile(const std::string& path) {
  const int file = open(path.c_str(), O_RDWR | O_CREAT | O_CLOEXEC, 0600);
  if (file < 0) {
    return Status(Code::kIo, fmt::format("cannot open {}: {}", path, std::strerror(errno)));
  }
  close(file);
  return Status();
}

// WAL lets others read while one writes; FULL makes each commit wait for the disk.
Status Prepare(Connection* connection) {
  const Result<std::string> mode = connection->One("PRAGMA journal_mode = WAL");
  if (!mode.ok()) return mode.status();
  if (mode.value() != "wal") {
    return Status(
        Code::kIo,
        connection->path() +
            ": this file system does not support a write-ahead log; use a folder on a local disk");
  }
  Status status = connection->Execute("PRAGMA synchronous = FULL; PRAGMA foreign_keys = 1");
  if (!status.ok()) return status;
  const Result<std::string> check = connection->One("PRAGMA quick_check(1)");
  if (!check.ok()) return check.status();
  if (check.value() == "ok") return Status();
  return Status(Code::kCorrupt, connection->path() + " is damaged: " + check.value());
}

}  // namespace

SqliteStore::SqliteStore(const std::string& path, std::unique_ptr<Connection> writer)
    : writer_(std::move(writer)), readers_(path, kReaders) {}

SqliteStore::Turn::Turn(SqliteStore* store) : lock_(store->writing_, std::defer_lock) {
  const auto asked = std::chrono::steady_clock::now();
  lock_.lock();
  if (store->locked_ > asked) {
    status_ = Status(Code::kUnavailable,
                     store->writer_->path() + " is locked by another process; try again");
    return;
  }
  transaction_.emplace(store->writer_.get());
  status_ = transaction_->status();
  if (status_.code() == Code::kUnavailable) store->locked_ = std::chrono::steady_clock::now();
}

Status SqliteStore::Create(const TrainingJob& job, const Invocation& invocation) {
  {
    Turn turn(this);
    if (!turn.status().ok()) return turn.status();
    Status status = Insert(job, invocation);
    if (status.ok()) status = KeepRules(job);
    if (status.ok()) status = KeepEvents(EventsOfCreation(job, Now()));
    if (status.ok()) status = turn.Commit();
    if (status.code() == Code::kExists) {
      return Status(Code::kExists, "a job named '" + job.name +
                                       "' or with one of its rules' names already exists");
    }
    if (!status.ok()) return status;
  }
  TellListeners();
  return Status();
}

Status SqliteStore::Insert(const TrainingJob& job, const Invocation& invocation) {
  Status status = writer_
                      ->Prepare(
                          "INSERT INTO jobs (name, status, created, modified, unfinished, "
                          "document) VALUES (?, ?, ?, ?, ?, ?)")
                      .Bind(job.name)
                      .Bind(NameOf(job.status))
                      .Bind(Milliseconds(job.created))
                      .Bind(Milliseconds(job.modified))
                      .Bind(int64_t{IsUnfinished(job)})
                      .Bind(DocumentOf(job))
                      .Run();
  if (!status.ok() || invocation.id.empty()) return status;
  status = writer_->Prepare("DELETE FROM invocations WHERE made < ?")
               .Bind(Milliseconds(Now() - kInvocationsKept))
               .Run();
  if (!status.ok()) return status;
  return writer_
      ->Prepare("INSERT OR REPLACE INTO invocations (owner, id, job, made) VALUES (?, ?, ?, ?)")
      .Bind(invocation.owner)
      .Bind(invocation.id)
      .Bind(job.name)
      .Bind(Milliseconds(Now()))
      .Run();
}

Status SqliteStore::KeepRules(const TrainingJob& job) {
  Status status = writer_->Prepare("DELETE FROM rule_jobs WHERE job = ?").Bind(job.name).Run();
  for (size_t place = 0; status.ok() && place < job.rules.size(); ++place) {
    const RuleJob& rule = job.rules[place];
    status = writer_
                 ->Prepare(
                     "INSERT INTO rule_jobs (name, job, place, status, created, modified) "
                     "VALUES (?, ?, ?, ?, ?, ?)")
                 .Bind(rule.job_name)
                 .Bind(job.name)
                 .Bind(static_cast<int64_t>(place))
                 .Bind(ProcessingStatusOf(rule.status))
                 .Bind(Milliseconds(rule.created))
                 .Bind(Milliseconds(rule.modified))
                 .Run();
  }
  return status;
}

Status SqliteStore::KeepEvents(const std::vector<std::string>& events) {
  for (const std::string& event : events) {
    Status status = writer_->Prepare("INSERT INTO events (body) VALUES (?)").Bind(event).Run();
    if (!status.ok()) return status;
  }
  if (events.empty()) return Status();
  return writer_->Prepare("DELETE FROM events WHERE number <= (SELECT max(number) FROM events) - ?")
      .Bind(kEventsKept)
      .Run();
}

Status SqliteStore::Update(const TrainingJob& job) {
  return writer_
      ->Prepare(
          "UPDATE jobs SET status = ?, created = ?, modified = ?, unfinished = ?, "
          "document = ? WHERE name = ?")
      .Bind(NameOf(job.status))
      .Bind(Milliseconds(job.created))
      .Bind(Milliseconds(job.modified))
      .Bind(int64_t{IsUnfinished(job)})
      .Bind(DocumentOf(job))
      .Bind(job.name)
      .Run();
}

Result<TrainingJob> SqliteStore::Change(const std::string& name,
                                        const std::function<Status(TrainingJob*)>& change) {
  bool told = false;
  Result<TrainingJob> changed = ChangeInTurn(name, change, &told);
  if (told) TellListeners();
  return changed;
}

Result<TrainingJob> SqliteStore::ChangeInTurn(const std::string& name,
                                              const std::function<Status(TrainingJob*)>& change,
                                              bool* told) {
  Turn turn(this);
  if (!turn.status().ok()) return turn.status();
  auto read = Read(writer_.get(), name);
  if (!read.ok()) return read.status();
  const TrainingJob before = std::move(read).value();
  TrainingJob job = before;
  if (Status status = change(&job); !status.ok()) return status;
  if (job.name != name) return Status(Code::kInvalid, "the name of a job cannot be changed");
  // Nothing to wait for the disk for.
  if (ToJson(job) == ToJson(before)) return job;
  job.modified = Now();
  const auto events = EventsOfChange(before, job, job.modified);
  Status status = Update(job);
  if (status.ok()) status = KeepRules(job);
  if (status.ok()) status = KeepEvents(events);
  if (status.ok()) status = turn.Commit();
  if (!status.ok()) return status;
  *told = !events.empty();
  return job;
}

Status SqliteStore::Delete(const std::string& name) {
  Turn turn(this);
  if (!turn.status().ok()) return turn.status();
  Status status = writer_->Prepare("DELETE FROM invocations WHERE job = ?").Bind(name).Run();
  if (!status.ok()) return status;
  status = writer_->Prepare("DELETE FROM jobs WHERE name = ?").Bind(name).Run();
  if (!status.ok()) return status;
  if (writer_->Changed() == 0) return Status(Code::kNotFound, "no job '" + name + "'");
  return turn.Commit();
}

Status SqliteStore::SetCursor(const std::string& receiver, int64_t number) {
  Turn turn(this);
  if (!turn.status().ok()) return turn.status();
  const Status status =
      writer_->Prepare("INSERT OR REPLACE INTO cursors (receiver, number) VALUES (?, ?)")
          .Bind(receiver)
          .Bind(number)
          .Run();
  return status.ok() ? turn.Commit() : status;
}

Result<std::unique_ptr<JobStore>> SqliteStore::Open(const std::string& path) {
  if (Status status = MakePrivateFile(path); !status.ok()) return status;
  auto writer = Connection::Open(path, Connection::Mode::kReadWrite);
  if (!writer.ok()) return writer.status();
  Connection* connection = writer.value().get();
  // Whose it is comes first: not a byte of another program's database is changed.
  if (Status status = CheckOwner(connection); !status.ok()) return status;
  if (Status status = Prepare(connection); !status.ok()) return status;
  if (Status status = Migrate(connection); !status.ok()) return status;
  return std::unique_ptr<JobStore>(std::make_unique<SqliteStore>(path, std::move(writer).value()));
}

}  // namespace warden::jobs::db

namespace warden::jobs {

Result<std::unique_ptr<JobStore>> OpenJobStore(const std::string& path) {
  return db::SqliteStore::Open(path);
}

Status CopyJobStore(const std::string& path, const std::string& copy) {
  if (access(path.c_str(), F_OK) != 0) return Status(Code::kNotFound, "no such file: " + path);
  const auto connection = db::Connection::Open(path, db::Connection::Mode::kReadWrite);
  if (!connection.ok()) return connection.status();
  if (Status status = db::CheckOwner(connection.value().get()); !status.ok()) return status;
  return connection.value()->CopyTo(copy);
}

}  // namespace warden::jobs
