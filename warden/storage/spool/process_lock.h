#ifndef WARDEN_STORAGE_SPOOL_PROCESS_LOCK_H_
#define WARDEN_STORAGE_SPOOL_PROCESS_LOCK_H_

#include <sys/types.h>

#include <string>

namespace warden::storage::spool {

// Locks on files that a process holds until it drops them or ends, however it ends: they say who is
// alive. Children that it forks do not hold them. The kernel gives a process's locks of a file back
// as soon as the process closes that file anywhere, so files that are locked are opened through
// these functions alone. Safe for many threads, which share what their process holds.
enum class Lock {
  kShared,  // Together with others who share it.
  kAlone,
};

// Makes the file if it is missing, in a folder that exists. False if other processes hold it, or if
// it cannot be opened: the folder was removed, perhaps. True at once where this process holds it.
bool TakeLock(const std::string& path, Lock lock);

// Nothing happens if this process does not hold it.
void DropLock(const std::string& path);

// Another process that holds it; -1 for one that cannot be seen from here, of another container or
// machine; 0 if none does.
pid_t LockHolder(const std::string& path);

}  // namespace warden::storage::spool

#endif  // WARDEN_STORAGE_SPOOL_PROCESS_LOCK_H_
