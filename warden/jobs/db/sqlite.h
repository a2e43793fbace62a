#ifndef WARDEN_JOBS_DB_SQLITE_H_
#define WARDEN_JOBS_DB_SQLITE_H_

// A thin layer over SQLite: statements that are prepared once, errors as Status, transactions that
// roll back. Nothing here knows about jobs.
//
//   Query query = connection->Prepare("SELECT document FROM jobs WHERE name = ?");
//   const Result<bool> row = query.Bind(name).Next();
//   if (row.ok() && row.value()) return query.Text(0);

#include <cstdint>
#include <memory>
#include <string>
#include <string_view>
#include <unordered_map>
#include <unordered_set>

#include "warden/base/status.h"

struct sqlite3;
struct sqlite3_stmt;

namespace warden::jobs::db {

// A statement that is being run. Returned to its connection at the end of its life, which must be
// before the connection's. The first error is kept and returned by all calls that follow, so only
// the last one needs a check. Values and rows are copied. For one thread at a time. Bind in the
// order of the question marks, then Next or Run.
class Query {
 public:
  Query(const Query&) = delete;
  Query(Query&& other) noexcept;
  ~Query();  // Resets the statement, for its next user.

  // Sets the value of the next '?'.
  Query& Bind(int64_t value);
  // The text is copied.
  Query& Bind(std::string_view text);

  // Steps to the next row. False: there are no more.
  Result<bool> Next();
  // A column of the current row, counted from 0. REQUIRES: Next() has returned true. SQLite
  // converts between types; NULL is 0 and "".
  int64_t Integer(int column) const;
  std::string Text(int column) const;
  // Runs the statement to its end, where rows are not needed.
  Status Run();

 private:
  friend class Connection;
  Query(class Connection* connection, sqlite3_stmt* statement, Status status);

  class Connection* connection_;  // Not owned.
  sqlite3_stmt* statement_;       // The connection's; null: it could not be prepared.
  int bound_ = 0;                 // Values so far.
  Status status_;
};

// One connection to a database; for one thread at a time. kIo if storage fails, kUnavailable if
// another process keeps it locked, kCorrupt if the file is not a database or is damaged, kExists if
// a constraint is violated: a value must be unique and is not. Messages have the path in front,
// then SQLite's words.
class Connection {
 public:
  enum class Mode { kReadWrite, kReadOnly };  // See Open.
  // Opens an existing file. Waits up to 1.5 s for locks of other processes, here and in each
  // statement. kReadOnly refuses statements that write. Even kReadOnly needs permission to write to
  // the folder, where SQLite notes its readers.
  static Result<std::unique_ptr<Connection>> Open(const std::string& path, Mode mode);
  ~Connection();  // No Query may be left.

  // Writes a copy of the database as it is now to a new file; others may write meanwhile. kExists
  // if the file is there.
  Status CopyTo(const std::string& path);

  // Runs several statements without values or rows.
  Status Execute(const std::string& statements);
  // Returns a query for this text; the prepared statement is kept for the next one. An invalid
  // statement fails at the first step. REQUIRES: no other Query of the same text is in use. At most
  // 64 are kept; any that is not in use makes room. Never put values into the text: bind them.
  Query Prepare(const std::string& statement);
  // The first column of the first row; "" if there is none.
  Result<std::string> One(const std::string& statement);
  // How many rows the last INSERT, UPDATE or DELETE changed.
  int64_t Changed() const;

  // The Status of a result code of SQLite, with the path and SQLite's message.
  Status ErrorOf(int code) const;
  const std::string& path() const { return path_; }  // For messages.

 private:
  friend class Query;
  Connection(std::string path, sqlite3* database);
  void DropOneStatement();  // Any that is not in use.

  const std::string path_;
  sqlite3* database_;  // Owned; null if there was no memory for it.
  std::unordered_map<std::string, sqlite3_stmt*> statements_;  // By text; 64 at most.
  std::unordered_set<sqlite3_stmt*> in_use_;                   // By a living Query.
};

// All or nothing: rolled back at the end of its scope without Commit. Does not own the connection.
class Transaction {
 public:
  // Takes the write lock at once, so that a read cannot be outdated by another writer before the
  // write.
  explicit Transaction(Connection* connection);
  ~Transaction();  // Rolls back unless committed.

  // Whether it has begun; check it before the first statement.
  const Status& status() const { return status_; }
  // Once it is ok, the changes are on disk (as far as the connection's settings promise).
  Status Commit();

 private:
  Connection* connection_;
  Status status_;
  bool open_ = false;  // Begun and neither committed nor rolled back.
};

}  // namespace warden::jobs::db

#endif  // WARDEN_JOBS_DB_SQLITE_H_
