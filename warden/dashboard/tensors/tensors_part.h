#ifndef WARDEN_DASHBOARD_TENSORS_TENSORS_PART_H_
#define WARDEN_DASHBOARD_TENSORS_TENSORS_PART_H_

#include "warden/dashboard/core/part.h"

namespace warden::dashboard {

// Tensors of a run: which there are, their series, heat maps, distributions and values.
DashboardPart TensorsPart();

}  // namespace warden::dashboard

#endif  // WARDEN_DASHBOARD_TENSORS_TENSORS_PART_H_
