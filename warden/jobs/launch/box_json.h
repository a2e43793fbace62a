#ifndef WARDEN_JOBS_LAUNCH_BOX_JSON_H_
#define WARDEN_JOBS_LAUNCH_BOX_JSON_H_

// Boxes as the service hands them to its agents: the member "box" of spec.json.

#include "warden/base/json.h"
#include "warden/base/status.h"
#include "warden/os/box.h"

namespace warden::jobs {

Json ToJson(const os::Box& box);
// kCorrupt, naming the member.
Result<os::Box> BoxFromJson(const Json& json);

}  // namespace warden::jobs

#endif  // WARDEN_JOBS_LAUNCH_BOX_JSON_H_
