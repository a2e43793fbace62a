#ifndef WARDEN_JOBS_DB_MIGRATIONS_H_
#define WARDEN_JOBS_DB_MIGRATIONS_H_

#include <span>

#include "warden/jobs/db/sqlite.h"

namespace warden::jobs::db {

// What makes a database of version i + 1 of one of version i. Those that were released never
// change; a new one goes to the end.
std::span<const char* const> Migrations();

// kCorrupt unless the database is ours, of a version that we know, or empty. Changes nothing.
Status CheckOwner(Connection* connection);

// Brings it to the newest version, step by step, each all or nothing. REQUIRES: CheckOwner.
Status Migrate(Connection* connection);

}  // namespace warden::jobs::db

#endif  // WARDEN_JOBS_DB_MIGRATIONS_H_
