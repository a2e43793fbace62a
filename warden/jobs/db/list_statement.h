#ifndef WARDEN_JOBS_DB_LIST_STATEMENT_H_
#define WARDEN_JOBS_DB_LIST_STATEMENT_H_

// From a ListQuery to SQL, for both tables of jobs.

#include <cstdint>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

#include "warden/jobs/db/job_store.h"
#include "warden/jobs/db/sqlite.h"

namespace warden::jobs::db {

// A statement that selects one page, and the values of its '?'. All values are bound, never part of
// the text. Both tables of jobs have the columns that it needs: name, status, created, modified.
struct ListStatement {
  std::string text;                                        // SQL.
  std::vector<std::variant<int64_t, std::string>> values;  // In the order of the '?'.

  // Binds the values to a query that was prepared from text.
  void BindTo(Query* query) const;
};

// Selects columns from table, in the order of the query, one row more than its limit so that the
// end is seen. kInvalid if the token is not of a page of this table in this order. table and
// columns are constants of ours.
Result<ListStatement> StatementOf(const ListQuery& query, std::string_view table,
                                  std::string_view columns);

// The token for the page after one that ends with a row of this name, status and time
// (milliseconds).
std::string TokenAfter(const ListQuery& query, std::string_view table, const std::string& name,
                       const std::string& status, int64_t created);

}  // namespace warden::jobs::db

#endif  // WARDEN_JOBS_DB_LIST_STATEMENT_H_
