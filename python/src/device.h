#ifndef PYTHON_SRC_DEVICE_H_
#define PYTHON_SRC_DEVICE_H_

#include <cstdint>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "warden/capture/capture_hook.h"
#include "warden/stats/cuda/device_summaries.h"

namespace warden::python {

// A type of elements by PyTorch's name for it, and the core's type that its reductions are saved
// as.
struct NamedType {
  stats::cuda::ElementType element;
  DType dtype;
};
// Raises ValueError for other names.
NamedType ElementTypeNamed(std::string_view name);

// stats::cuda::DeviceSummaries for Python.
class PyDeviceSummaries {
 public:
  PyDeviceSummaries(int device, const std::string& compiler, bool all_double);
  const stats::cuda::DeviceSummaries& summaries() const { return *summaries_; }

 private:
  const std::unique_ptr<stats::cuda::DeviceSummaries> summaries_;
};

// Tensors that are saved together: what stays the same from step to step.
struct DeviceGroup {
  struct Item {
    size_t number;  // Of PyHook::Register.
    NamedType type;
    uint64_t count;
    std::vector<int64_t> shape;
    std::vector<int64_t> steps;  // Empty if the elements lie side by side.
  };
  std::shared_ptr<const std::vector<Item>> items;
};

// Rows of summaries that a GPU writes, one after the other, into memory of its own, from which they
// are copied to the same place in host memory.
struct DeviceRows {
  struct Row {
    const capture::TensorHandle* tensor;
    std::shared_ptr<const std::vector<DeviceGroup::Item>> items;
    size_t item;
    uint64_t sequence;  // Among what was seen in the step.
  };
  uint64_t on_device = 0;
  uint64_t on_host = 0;
  size_t capacity = 0;
  std::vector<Row> rows = {};

  size_t room() const { return capacity - rows.size(); }
};

}  // namespace warden::python

#endif  // PYTHON_SRC_DEVICE_H_
