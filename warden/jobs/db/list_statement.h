#ifndef WARDEN_JOBS_DB_LIST_STATEMENT_H_
#define WARDEN_JOBS_DB_LIST_STATEMENT_H_

#include <cstdint>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

#include "warden/jobs/db/job_store.h"
#include "warden/jobs/db/sqlite.h"

namespace warden::jobs::db {

// A statement that selects one page, and the values of its '?'. Both tables of jobs have the
// columns that it needs: name, status, created, modified.
struct ListStatement {
  std::string text;
  std::vector<std::variant<int64_t, std::string>> values;

  void BindTo(Query* query) const;
};

// Selects columns from table, in the order of the query, one row more than its limit so that the
// end is seen. kInvalid if the token is not of a page of this table in this order.
Result<ListStatement> StatementOf(const ListQuery& query, std::string_view table,
                                  std::string_view columns);

// Of the page that ends with a row of this name, status and time.
std::string TokenAfter(const ListQuery& query, std::string_view table, const std::string& name,
                       const std::string& status, int64_t created);

}  // namespace warden::jobs::db

#endif  // WARDEN_JOBS_DB_LIST_STATEMENT_H_
