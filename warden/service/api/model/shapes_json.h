#ifndef WARDEN_SERVICE_API_MODEL_SHAPES_JSON_H_
#define WARDEN_SERVICE_API_MODEL_SHAPES_JSON_H_

#include "warden/base/asset.h"

namespace warden::service {

// Amazon's model of the operations on training jobs: names, types and constraints.
Asset ShapesJson();

}  // namespace warden::service

#endif  // WARDEN_SERVICE_API_MODEL_SHAPES_JSON_H_
