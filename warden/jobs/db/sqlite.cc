#include "warden/jobs/db/sqlite.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <sqlite3.h>
#include <unistd.h>

#include <cerrno>
#include <cstring>
#include <utility>

namespace warden::jobs::db {
namespace {

// A client that hears "busy" soon can try again; one that hears nothing gives up.
constexpr int kPatienceMs = 1'500;
// Listing has some thousand forms; those in use are few.
constexpr size_t kMostStatements = 64;

Code CodeOf(int code) {
  switch (code & 0xff) {
    case SQLITE_CORRUPT:
    case SQLITE_NOTADB:
    case SQLITE_MISMATCH: return Code::kCorrupt;
    case SQLITE_CONSTRAINT: return Code::kExists;
    case SQLITE_BUSY:
    case SQLITE_LOCKED: return Code::kUnavailable;
    default: return Code::kIo;
  }
}

}  // namespace

Query::Query(Connection* connection, sqlite3_stmt* statement, Status status)
    : connection_(connection), statement_(statement), status_(std::move(status)) {}

Query::Query(Query&& other) noexcept
    : connection_(other.connection_),
      statement_(std::exchange(other.statement_, nullptr)),
      bound_(other.bound_),
      status_(std::move(other.status_)) {}

Query::~Query() {
  if (statement_ == nullptr) return;
  sqlite3_reset(statement_);
  sqlite3_clear_bindings(statement_);
  connection_->in_use_.erase(statement_);
}

Query& Query::Bind(int64_t value) {
  if (!status_.ok()) return *this;
  const int code = sqlite3_bind_int64(statement_, ++bound_, value);
  if (code != SQLITE_OK) status_ = connection_->ErrorOf(code);
  return *this;
}

Query& Query::Bind(std::string_view text) {
  if (!status_.ok()) return *this;
  const int code = sqlite3_bind_text64(statement_, ++bound_, text.data() ? text.data() : "",
                                       text.size(), SQLITE_TRANSIENT, SQLITE_UTF8);
  if (code != SQLITE_OK) status_ = connection_->ErrorOf(code);
  return *this;
}

Result<bool> Query::Next() {
  if (!status_.ok()) return status_;
  const int code = sqlite3_step(statement_);
  if (code == SQLITE_ROW) return true;
  if (code == SQLITE_DONE) return false;
  status_ = connection_->ErrorOf(code);
  return status_;
}

int64_t Query::Integer(int column) const { return sqlite3_column_int64(statement_, column); }

std::string Query::Text(int column) const {
  const auto* text = reinterpret_cast<const char*>(sqlite3_column_text(statement_, column));
  if (text == nullptr) return {};
  return std::string(text, static_cast<size_t>(sqlite3_column_bytes(statement_, column)));
}

Status Query::Run() {
  for (;;) {
    const Result<bool> more = Next();
    if (!more.ok()) return more.status();
    if (!more.value()) return Status();
  }
}

Connection::Connection(std::string path, sqlite3* database)
    : path_(std::move(path)), database_(database) {}

Connection::~Connection() {
  for (const auto& [text, statement] : statements_) sqlite3_finalize(statement);
  sqlite3_close(database_);
}

Result<std::unique_ptr<Connection>> Connection::Open(const std::string& path, Mode mode) {
  sqlite3* database = nullptr;
  // Also one that only reads has to write beside the file, where readers are noted.
  const int code = sqlite3_open_v2(path.c_str(), &database,
                                   SQLITE_OPEN_READWRITE | SQLITE_OPEN_NOMUTEX, nullptr);
  std::unique_ptr<Connection> connection(new Connection(path, database));
  if (code != SQLITE_OK) return connection->ErrorOf(code);
  sqlite3_extended_result_codes(database, 1);
  sqlite3_busy_timeout(database, kPatienceMs);
  if (mode == Mode::kReadOnly) {
    if (Status status = connection->Execute("PRAGMA query_only = 1"); !status.ok()) return status;
  }
  return connection;
}

Status Connection::CopyTo(const std::string& path) {
  // Made here, so that nobody else can read it; SQLite fills an empty file as if it were new.
  const int file = open(path.c_str(), O_RDWR | O_CREAT | O_EXCL | O_CLOEXEC, 0600);
  if (file < 0) {
    return Status(errno == EEXIST ? Code::kExists : Code::kIo,
                  fmt::format("cannot create {}: {}", path, std::strerror(errno)));
  }
  close(file);
  Query query = Prepare("VACUUM INTO ?");
  return query.Bind(path).Run();
}

Status Connection::Execute(const std::string& statements) {
  const int code = sqlite3_exec(database_, statements.c_str(), nullptr, nullptr, nullptr);
  return code == SQLITE_OK ? Status() : ErrorOf(code);
}

Query Connection::Prepare(const std::string& statement) {
  auto found = statements_.find(statement);
  if (found == statements_.end()) {
    sqlite3_stmt* prepared = nullptr;
    const int code =
        sqlite3_prepare_v3(database_, statement.data(), static_cast<int>(statement.size()),
                           SQLITE_PREPARE_PERSISTENT, &prepared, nullptr);
    if (code != SQLITE_OK) return Query(this, nullptr, ErrorOf(code));
    if (statements_.size() >= kMostStatements) DropOneStatement();
    found = statements_.emplace(statement, prepared).first;
  }
  in_use_.insert(found->second);
  return Query(this, found->second, Status());
}

void Connection::DropOneStatement() {
  for (auto each = statements_.begin(); each != statements_.end(); ++each) {
    if (in_use_.contains(each->second)) continue;
    sqlite3_finalize(each->second);
    statements_.erase(each);
    return;
  }
}

Result<std::string> Connection::One(const std::string& statement) {
  Query query = Prepare(statement);
  const Result<bool> row = query.Next();
  if (!row.ok()) return row.status();
  return row.value() ? query.Text(0) : std::string();
}

int64_t Connection::Changed() const { return sqlite3_changes64(database_); }

Status Connection::ErrorOf(int code) const {
  // Without a database there was no memory for one.
  const char* words = database_ == nullptr ? sqlite3_errstr(code) : sqlite3_errmsg(database_);
  return Status(CodeOf(code), fmt::format("{}: {}", path_, words));
}

Transaction::Transaction(Connection* connection) : connection_(connection) {
  status_ = connection_->Execute("BEGIN IMMEDIATE");
  open_ = status_.ok();
}

Transaction::~Transaction() {
  if (!open_) return;
  // It fails only if SQLite has rolled back already, after an error.
  (void)connection_->Execute("ROLLBACK").ok();
}

Status Transaction::Commit() {
  Status status = connection_->Execute("COMMIT");
  if (status.ok()) open_ = false;
  return status;
}

}  // namespace warden::jobs::db
