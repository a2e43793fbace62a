// Records steps as fast as it can until it is killed, or a number of them. With a limit on the size
// of its files, as if the disk were full, it goes on all the same and tells how the hook fared.
//   write_forever RUN GENERATION [STEPS [FILE_SIZE_LIMIT]]
#include <fmt/format.h>
#include <sys/resource.h>

#include <csignal>
#include <cstdio>
#include <limits>
#include <string>

#include "tests/support/forever.h"
#include "warden/base/strings.h"
#include "warden/capture/capture_hook.h"

namespace {

using warden::DType;
using warden::Step;
using warden::capture::Hook;
using warden::capture::HookOptions;

void LimitFileSize(int64_t bytes) {
  // Ignored, the write fails with an error; else it would end the process.
  std::signal(SIGXFSZ, SIG_IGN);
  const rlimit limit = {static_cast<rlim_t>(bytes), static_cast<rlim_t>(bytes)};
  setrlimit(RLIMIT_FSIZE, &limit);
}

HookOptions Options(const std::string& run) {
  HookOptions options;
  options.config.out_dir = run;
  options.config.include_collections = {"weights"};
  options.config.save_config = warden::config::SaveConfig::Same({.save_interval = 1});
  options.staging_bytes = size_t{4} << 20;
  return options;
}

void SaveStep(int64_t generation, Hook* hook) {
  for (size_t i = 0; i < warden::testing::kForeverTensors.size(); ++i) {
    const std::vector<int32_t> values = warden::testing::ForeverValues(generation, hook->step(), i);
    const int64_t size = std::ssize(values);
    hook->Save(warden::testing::kForeverTensors[i],
               {values.data(), DType::kInt32, std::span(&size, 1)});
  }
  hook->Save(warden::testing::kGenerationTensor, {&generation, DType::kInt64, {}});
}

}  // namespace

int main(int argc, char** argv) {
  if (argc < 3) {
    fmt::print(stderr, "usage: write_forever RUN GENERATION [STEPS [FILE_SIZE_LIMIT]]\n");
    return 2;
  }
  const auto number = [&](int i, int64_t otherwise) {
    return i < argc ? warden::ParseInt(argv[i]).value_or(otherwise) : otherwise;
  };
  const int64_t generation = number(2, 0);
  const int64_t steps = number(3, std::numeric_limits<int64_t>::max());
  if (argc > 4) LimitFileSize(number(4, 0));
  const auto hook = Hook::Create(Options(argv[1]));
  if (!hook.ok()) {
    fmt::print(stderr, "write_forever: {}\n", hook.status().message());
    return 1;
  }
  hook.value()->SetMode(warden::Mode::kTrain);
  int64_t trained = 0;
  for (; trained < steps; ++trained) {
    hook.value()->BeginStep();
    SaveStep(generation, hook.value().get());
  }
  const warden::Status closed = hook.value()->Close();
  fmt::print("trained {} steps; {}\n", trained, closed.ok() ? "saved" : closed.message());
  return 0;
}
