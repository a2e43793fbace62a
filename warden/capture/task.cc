#include "warden/capture/task.h"

namespace warden::capture {

size_t TaskBytes(const Task& task) {
  size_t bytes = sizeof(Task);
  if (const auto* tensor = std::get_if<TensorTask>(&task)) bytes += tensor->bytes;
  if (const auto* strings = std::get_if<StringsTask>(&task)) {
    for (const std::string& value : strings->values) bytes += sizeof(value) + value.size();
  }
  return bytes;
}

}  // namespace warden::capture
