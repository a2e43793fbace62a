#ifndef WARDEN_TRIAL_TRIAL_FOR_TEST_H_
#define WARDEN_TRIAL_TRIAL_FOR_TEST_H_

#include <gtest/gtest.h>

#include <map>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "warden/config/manifest.h"
#include "warden/format/event_message.h"
#include "warden/format/index_file.h"
#include "warden/format/layout.h"
#include "warden/storage/store.h"

// For the tests of what reads a run.
namespace warden::trial {

// When step 0 of a run in a test was, in seconds since 1970; each step takes a second.
inline constexpr double kTestWallTime = 1'700'000'000;

struct StepOptions {
  Mode mode = Mode::kGlobal;
  Step mode_step = -1;  // -1: the global step.
  bool without_event_file = false;
};

struct TestTensor {
  DType dtype = DType::kFloat32;
  std::vector<int64_t> shape = {};
  std::string bytes = {};
  std::vector<std::string> strings = {};  // dtype kString.
};

template <class T>
TestTensor MakeTensor(DType dtype, std::vector<int64_t> shape, const std::vector<T>& values) {
  return {dtype,
          std::move(shape),
          std::string(reinterpret_cast<const char*>(values.data()), values.size() * sizeof(T)),
          {}};
}
inline TestTensor FloatTensor(std::vector<int64_t> shape, const std::vector<float>& values) {
  return MakeTensor(DType::kFloat32, std::move(shape), values);
}

// Writes a run file by file, so that a test decides which worker is how far.
class RunBuilder {
 public:
  explicit RunBuilder(storage::Store* store) : store_(store) {}

  void Manifests(int num_workers) {
    for (int i = 0; i < num_workers; ++i) {
      config::Manifest manifest;
      manifest.collections = config::BuiltinCollections(config::Framework::kPyTorch);
      manifest.num_workers = num_workers;
      Put(format::ManifestKey("worker_" + std::to_string(i)), config::EncodeManifest(manifest));
    }
  }

  // Each tensor is one float.
  void Step(warden::Step step, int worker, const std::map<std::string, float>& tensors,
            StepOptions options = {}) {
    std::map<std::string, TestTensor> whole;
    for (const auto& [name, value] : tensors) whole[name] = FloatTensor({}, {value});
    Tensors(step, worker, whole, options);
  }

  void Tensors(warden::Step step, int worker, const std::map<std::string, TestTensor>& tensors,
               StepOptions options = {}) {
    const std::string name = "worker_" + std::to_string(worker);
    const std::string event_key = format::EventFileKey(step, name);
    format::IndexFile index;
    index.mode = options.mode;
    index.mode_step = options.mode_step < 0 ? step : options.mode_step;
    index.event_file = event_key;
    std::string events;
    for (const auto& [tensor, value] : tensors) {
      const format::TensorEventHeader header{kTestWallTime + static_cast<double>(step),
                                             step,
                                             tensor,
                                             options.mode,
                                             index.mode_step,
                                             value.dtype,
                                             value.shape,
                                             value.bytes.size()};
      const size_t start = events.size();
      if (value.dtype == DType::kString) {
        format::EncodeStringRecord(header, value.strings, &events);
      } else {
        std::string head, tail;
        format::EncodeTensorRecord(header, &head, &tail);
        events += head + value.bytes + tail;
      }
      index.entries.push_back({tensor, start, events.size() - start});
    }
    if (!options.without_event_file) Put(event_key, events);
    Put(format::IndexFileKey(step, name), format::EncodeIndexFile(index));
  }

  void End() { Put(format::kEndMarker, ""); }

  void Put(std::string_view key, std::string_view text) {
    const Status status = store_->Put(key, AsBytes(text));
    ASSERT_TRUE(status.ok()) << status.message();
  }

 private:
  storage::Store* store_;
};

}  // namespace warden::trial

#endif  // WARDEN_TRIAL_TRIAL_FOR_TEST_H_
