#ifndef WARDEN_CAPTURE_LAUNCH_MARK_H_
#define WARDEN_CAPTURE_LAUNCH_MARK_H_

#include <string>
#include <string_view>

#include "warden/base/status.h"
#include "warden/storage/store.h"

namespace warden::capture {

// Objects of a run, {"launch": id}, with which the processes of a SharedLaunch (launch_folder.h)
// tell each other something. One of an earlier attempt has another id.

// Errors of Store::Put.
Status SetLaunchMark(storage::Store* store, std::string_view key, const std::string& id);
// The id in the object; empty if there is none.
std::string ReadLaunchMark(const storage::Store& store, std::string_view key);

}  // namespace warden::capture

#endif  // WARDEN_CAPTURE_LAUNCH_MARK_H_
