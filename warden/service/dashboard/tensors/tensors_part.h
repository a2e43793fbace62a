#ifndef WARDEN_SERVICE_DASHBOARD_TENSORS_TENSORS_PART_H_
#define WARDEN_SERVICE_DASHBOARD_TENSORS_TENSORS_PART_H_

#include "warden/service/dashboard/core/part.h"

namespace warden::service {

// Tensors of a run: which there are, their series, heat maps, distributions and values.
DashboardPart TensorsPart();

}  // namespace warden::service

#endif  // WARDEN_SERVICE_DASHBOARD_TENSORS_TENSORS_PART_H_
