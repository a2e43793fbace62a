#ifndef WARDEN_JOBS_DB_MIGRATIONS_H_
#define WARDEN_JOBS_DB_MIGRATIONS_H_

// The schema of the database and its versions. Used when the store is opened; the tables are in
// migrations.cc.

#include <span>

#include "warden/jobs/db/sqlite.h"

namespace warden::jobs::db {

// The SQL that brings a database of version i to version i + 1. Those that were released never
// change; a new one is added at the end.
std::span<const char* const> Migrations();

// kCorrupt unless the database is ours and of a version that we know, or empty. Changes nothing, so
// that another program's database stays intact.
Status CheckOwner(Connection* connection);

// Brings it to the newest version, step by step, each all or nothing. REQUIRES: CheckOwner
// succeeded. kIo.
Status Migrate(Connection* connection);

}  // namespace warden::jobs::db

#endif  // WARDEN_JOBS_DB_MIGRATIONS_H_
