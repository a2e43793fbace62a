#ifndef WARDEN_DASHBOARD_TENSORS_TENSOR_STORE_H_
#define WARDEN_DASHBOARD_TENSORS_TENSOR_STORE_H_

#include <memory>

#include "warden/base/status.h"
#include "warden/dashboard/core/open_run.h"
#include "warden/storage/store.h"

namespace warden::dashboard {

// The store of a run's tensors: its folder, or, for a run in S3, the copy with the values that are
// read there. Errors are those of storage::OpenStore; nothing is read yet. Safe for many threads.
Result<std::unique_ptr<storage::Store>> OpenTensors(const RunPlaces& places);

}  // namespace warden::dashboard

#endif  // WARDEN_DASHBOARD_TENSORS_TENSOR_STORE_H_
