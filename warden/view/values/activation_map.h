#ifndef WARDEN_VIEW_VALUES_ACTIVATION_MAP_H_
#define WARDEN_VIEW_VALUES_ACTIVATION_MAP_H_

// Class activation maps for the dashboard's page of images.

#include <cstdint>
#include <vector>

#include "warden/base/status.h"
#include "warden/trial/tensor_value.h"

namespace warden::view {

// Where in an image a layer saw what mattered.
struct ActivationMap {
  int64_t height = 0;
  int64_t width = 0;
  int64_t channels = 0;             // Of the activation.
  int64_t images = 1;               // In the batch.
  std::vector<double> values = {};  // 0 to 1, row by row; height * width of them.
};

// A map of more points is refused.
inline constexpr int64_t kMostMapPoints = 1 << 20;

// Of one image of a layer's output, channels x height x width with or without the batch in front.
// image: from 0. The arguments are only read; a null gradient means none.
//
// With a gradient of the same shape it is the class activation map: each channel weighs as much as
// its mean gradient, what speaks against the class is left out, and the largest becomes 1. Without
// one it is the mean of the channels, from the smallest at 0 to the largest at 1. Elements that are
// not finite count as 0.
//
// kInvalid has the shapes that there are and those that are accepted; kInvalidType for strings.
Result<ActivationMap> MakeActivationMap(const trial::TensorValue& activation,
                                        const trial::TensorValue* gradient, int64_t image);

}  // namespace warden::view

#endif  // WARDEN_VIEW_VALUES_ACTIVATION_MAP_H_
