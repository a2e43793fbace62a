#ifndef WARDEN_TIMELINE_IMPORT_TORCH_PHASES_H_
#define WARDEN_TIMELINE_IMPORT_TORCH_PHASES_H_

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

namespace warden::timeline {

// The phase that an event of PyTorch's own profiler belongs to, by its category, under the name
// that hooks use: "cpu_functions", "gpu_functions-dev:0", "Annotation". device: the GPU's number, 0
// if the event has none. Empty if there is no such phase; TraceReader then uses that of the
// process.
std::string TorchPhase(std::string_view category, std::optional<int64_t> device);

}  // namespace warden::timeline

#endif  // WARDEN_TIMELINE_IMPORT_TORCH_PHASES_H_
