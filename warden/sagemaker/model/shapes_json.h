#ifndef WARDEN_SAGEMAKER_MODEL_SHAPES_JSON_H_
#define WARDEN_SAGEMAKER_MODEL_SHAPES_JSON_H_

#include "warden/base/asset.h"

namespace warden::sagemaker {

// Amazon's model of the operations on training jobs: names, types and constraints.
Asset ShapesJson();

}  // namespace warden::sagemaker

#endif  // WARDEN_SAGEMAKER_MODEL_SHAPES_JSON_H_
