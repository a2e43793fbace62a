// Raw tensors through the hook, and records with true checksums, beside a plain write of the same
// bytes into the same folder: one file for each step, made under another name and then renamed.
//   bench_writing [--dir FOLDER] [--steps N] [--tensors N] [--mib N] [--json] [VARIANT...]
#include <fcntl.h>
#include <unistd.h>

#include <CLI/CLI.hpp>
#include <algorithm>
#include <cerrno>
#include <cstring>
#include <filesystem>
#include <memory>
#include <numeric>
#include <string>
#include <vector>

#include "bench/bench_program.h"
#include "warden/capture/capture_hook.h"
#include "warden/format/crc32c.h"
#include "warden/format/record.h"
#include "warden/storage/store.h"

namespace warden::bench {
namespace {

struct Options {
  std::string dir = "build/bench";
  int steps = 4;
  int tensors = 4;
  size_t mib = 16;  // Of one tensor.
};

// What one step saves.
struct Tensors {
  explicit Tensors(const Options& options)
      : shape{static_cast<int64_t>((options.mib << 20) / sizeof(float))} {
    for (int i = 0; i < options.tensors; ++i) {
      names.push_back("layer" + std::to_string(i) + ".weight");
      values.emplace_back(static_cast<size_t>(shape[0]));
      std::iota(values.back().begin(), values.back().end(), static_cast<float>(i));
    }
  }

  stats::TensorRef ref(size_t i) const { return {values[i].data(), DType::kFloat32, shape}; }
  size_t bytes() const { return values.size() * values[0].size() * sizeof(float); }

  std::vector<int64_t> shape;
  std::vector<std::string> names;
  std::vector<std::vector<float>> values;
};

[[noreturn]] void Fail(const std::string& path) {
  std::fprintf(stderr, "%s: %s\n", path.c_str(), std::strerror(errno));
  std::exit(1);
}

// ---- What is measured.

template <bool kChecksums>
void WriteThroughHook(const Options& options, const Tensors& tensors, const std::string& folder) {
  capture::HookOptions hook_options;
  hook_options.checksums = kChecksums;
  hook_options.config.out_dir = folder;
  hook_options.config.include_collections = {"weights"};
  for (const Mode mode : kAllModes) hook_options.config.save_config.mode(mode).save_interval = 1;
  const auto hook = Require(capture::Hook::Create(hook_options));
  for (int step = 0; step < options.steps; ++step) {
    hook->BeginStep();
    for (size_t i = 0; i < tensors.names.size(); ++i) hook->Save(tensors.names[i], tensors.ref(i));
    hook->EndStep();
  }
  Require(hook->Close());
}

// Piece by piece, so that what was summed is still in the cache when it is written.
void WriteRecord(Bytes payload, storage::ObjectWriter* file) {
  constexpr size_t kPieceBytes = size_t{1} << 20;
  Require(file->Append(format::RecordHeader(payload.size())));
  uint32_t crc = 0;
  while (!payload.empty()) {
    const Bytes piece = payload.first(std::min(payload.size(), kPieceBytes));
    crc = format::Crc32c(piece, crc);
    Require(file->Append(piece));
    payload = payload.subspan(piece.size());
  }
  Require(file->Append(format::RecordFooter(format::MaskCrc(crc))));
}

void WriteRecords(const Options& options, const Tensors& tensors, const std::string& folder) {
  const auto store = Require(storage::OpenStore(folder));
  for (int step = 0; step < options.steps; ++step) {
    const auto file = Require(store->Create(std::to_string(step) + ".tfevents"));
    for (size_t i = 0; i < tensors.names.size(); ++i) {
      WriteRecord(tensors.ref(i).bytes(), file.get());
    }
    Require(file->Commit());
  }
}

void WriteAll(int fd, Bytes bytes, const std::string& path) {
  constexpr size_t kCallBytes = size_t{1} << 20;
  while (!bytes.empty()) {
    const ssize_t written = write(fd, bytes.data(), std::min(bytes.size(), kCallBytes));
    if (written < 0) Fail(path);
    bytes = bytes.subspan(static_cast<size_t>(written));
  }
}

void WritePlainly(const Options& options, const Tensors& tensors, const std::string& folder) {
  std::filesystem::create_directories(folder);
  for (int step = 0; step < options.steps; ++step) {
    const std::string path = folder + "/" + std::to_string(step);
    const std::string temporary = path + ".tmp";
    const int fd = open(temporary.c_str(), O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0666);
    if (fd < 0) Fail(temporary);
    for (size_t i = 0; i < tensors.names.size(); ++i) {
      WriteAll(fd, tensors.ref(i).bytes(), temporary);
    }
    if (close(fd) != 0 || rename(temporary.c_str(), path.c_str()) != 0) Fail(path);
  }
}

void CopyInMemory(const Options& options, const Tensors& tensors, std::vector<float>* target) {
  for (int step = 0; step < options.steps; ++step) {
    for (const std::vector<float>& value : tensors.values) {
      std::memcpy(target->data(), value.data(), value.size() * sizeof(float));
      Use(*target);
    }
  }
}

// ---- How.

using Write = void (*)(const Options&, const Tensors&, const std::string&);

// Into a folder of its own that is removed afterwards, outside of the time.
Measurements TimedInFolder(const Options& options, const Tensors& tensors, Write write) {
  const std::string folder = options.dir + "/writing";
  std::filesystem::remove_all(folder);
  const double seconds = Seconds([&] { write(options, tensors, folder); });
  std::filesystem::remove_all(folder);
  return {{"seconds", seconds}, {"bytes", static_cast<double>(tensors.bytes()) * options.steps}};
}

}  // namespace
}  // namespace warden::bench

int main(int argc, char** argv) {
  using namespace warden::bench;
  Options options;
  Sampler sampler;
  CLI::App app("Raw tensors through the hook, beside a plain write of the same bytes");
  app.add_option("--dir", options.dir, "Where to write: its disk is measured");
  app.add_option("--steps", options.steps, "Steps, each a file");
  app.add_option("--tensors", options.tensors, "Tensors in a step");
  app.add_option("--mib", options.mib, "Size of a tensor");
  sampler.AddFlags(&app);
  CLI11_PARSE(app, argc, argv);

  const Tensors tensors(options);
  std::vector<float> target(tensors.values[0].size());
  const auto add = [&](std::string name, Write write) {
    sampler.Add(std::move(name), [&, write] { return TimedInFolder(options, tensors, write); });
  };
  add("hook", WriteThroughHook<true>);
  add("hook_without_checksums", WriteThroughHook<false>);
  add("records", WriteRecords);
  add("plain", WritePlainly);
  sampler.Add("memcpy", [&]() -> Measurements {
    return {{"seconds", Seconds([&] { CopyInMemory(options, tensors, &target); })},
            {"bytes", static_cast<double>(tensors.bytes()) * options.steps}};
  });
  return sampler.Run();
}
