#ifndef WARDEN_JOBS_DB_SQLITE_H_
#define WARDEN_JOBS_DB_SQLITE_H_

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

// A statement that is being run. Values are bound in the order of the '?'. Afterwards it goes back
// to its connection, for the next one who needs it. The first error is kept and told by all that
// follows. Values and rows are copied.
class Query {
 public:
  Query(const Query&) = delete;
  Query(Query&& other) noexcept;
  ~Query();

  Query& Bind(int64_t value);
  Query& Bind(std::string_view text);

  // Whether there is another row.
  Result<bool> Next();
  // Of the present row; columns count from 0.
  int64_t Integer(int column) const;
  std::string Text(int column) const;
  // To the end, where no rows are wanted.
  Status Run();

 private:
  friend class Connection;
  Query(class Connection* connection, sqlite3_stmt* statement, Status status);

  class Connection* connection_;
  sqlite3_stmt* statement_;
  int bound_ = 0;
  Status status_;
};

// One connection to a database; used by one thread at a time. kIo if storage fails, kCorrupt if the
// file is not a database or is damaged, kExists if a value has to be the only one and is not.
class Connection {
 public:
  enum class Mode { kReadWrite, kReadOnly };
  // The file is there already. Waits for other processes' locks for a while.
  static Result<std::unique_ptr<Connection>> Open(const std::string& path, Mode mode);
  ~Connection();

  // Several statements without values or rows.
  Status Execute(const std::string& statements);
  // Statements are prepared once. REQUIRES: no other Query of the same text is in use.
  Query Prepare(const std::string& statement);
  // The first column of the first row.
  Result<std::string> One(const std::string& statement);
  // How many rows the last statement changed.
  int64_t Changed() const;

  Status ErrorOf(int code) const;
  const std::string& path() const { return path_; }

 private:
  friend class Query;
  Connection(std::string path, sqlite3* database);
  void DropOneStatement();

  const std::string path_;
  sqlite3* database_;
  std::unordered_map<std::string, sqlite3_stmt*> statements_;
  std::unordered_set<sqlite3_stmt*> in_use_;
};

// All or nothing: rolled back where it goes out of scope without Commit.
class Transaction {
 public:
  // Takes the right to write at once.
  explicit Transaction(Connection* connection);
  ~Transaction();

  const Status& status() const { return status_; }
  Status Commit();

 private:
  Connection* connection_;
  Status status_;
  bool open_ = false;
};

}  // namespace warden::jobs::db

#endif  // WARDEN_JOBS_DB_SQLITE_H_
