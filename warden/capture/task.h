#ifndef WARDEN_CAPTURE_TASK_H_
#define WARDEN_CAPTURE_TASK_H_

#include <cstddef>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

#include "warden/base/dtype.h"
#include "warden/base/reduction.h"
#include "warden/base/types.h"
#include "warden/capture/buffer_pool.h"
#include "warden/capture/loan.h"
#include "warden/capture/save_plan.h"
#include "warden/stats/summary.h"

namespace warden::capture {

// What the hook's thread asks of the writer's, in order: the messages between the two halves of
// Writer, of no use to anybody else. Names of tensors are views that outlive the writer.
struct BeginStepTask {
  StepIdentity identity;
};

// One tensor of the step that was begun last.
struct TensorTask {
  std::string_view tensor;
  SavePlan plan;
  DType dtype = DType::kFloat32;
  std::vector<int64_t> shape = {};
  // Where the values are: a copy, a loan, or nowhere if the summary says all.
  BufferPool::Buffer copy = {};
  const void* lent = nullptr;
  std::shared_ptr<Lender> lender = nullptr;
  std::optional<stats::Summary> summary = {};
  const double* summary_row = nullptr;  // Lent: see stats/cuda/device_summaries.h.
  size_t bytes = 0;                     // Of the copy.
};

// Reductions that were computed elsewhere. values: lent, one for each of reductions.
struct ReductionsTask {
  std::string_view tensor;
  DType dtype = DType::kFloat32;
  std::vector<int64_t> shape;
  bool save_shape = false;
  std::vector<Reduction> reductions;
  const double* values = nullptr;
  std::shared_ptr<Lender> lender;
};

struct StringsTask {
  std::string_view tensor;
  std::vector<std::string> values;
};

struct ScalarTask {
  std::string name;
  double value;
};

// Makes the step visible. manifest: the new text of the collections file, if it changed.
struct EndStepTask {
  std::optional<std::string> manifest;
};

// A small file, outside of steps.
struct PutTask {
  std::string key, body;
};

using Task = std::variant<BeginStepTask, TensorTask, ReductionsTask, StringsTask, ScalarTask,
                          EndStepTask, PutTask>;

// What a task counts as against the staging memory, in bytes: the data that it owns, and its own
// size. What is lent does not count.
size_t TaskBytes(const Task& task);

}  // namespace warden::capture

#endif  // WARDEN_CAPTURE_TASK_H_
