#include "warden/stats/cuda/device_summaries.h"

#include <algorithm>
#include <array>
#include <bit>
#include <map>
#include <utility>

#include "warden/stats/cuda/summary_kernel.h"

namespace warden::stats::cuda {
namespace {

constexpr const char* kJobHeader = "warden/stats/cuda/summary_job.h";
// A list of a thousand tensors.
constexpr size_t kSmallestUpload = size_t{64} << 10;
// Lists that may be on their way at a time; one more waits for the GPU.
constexpr size_t kMostUploads = 64;
// A grid that fills any GPU; each block then finishes several tensors.
constexpr unsigned kMostFinishers = 4096;

constexpr size_t PartBytes(size_t parts) { return parts * kPartFields * sizeof(double); }

}  // namespace

Summary SummaryFromRow(const double* row) {
  const auto number = [&](size_t i) { return static_cast<uint64_t>(row[i]); };
  Summary s;
  s.count = number(0);
  s.nan_count = number(1);
  s.pos_inf_count = number(2);
  s.neg_inf_count = number(3);
  s.zero_count = number(4);
  s.negative_count = number(5);
  s.min = row[6];
  s.max = row[7];
  s.abs_min = row[8];
  s.abs_max = row[9];
  s.sum = row[10];
  s.abs_sum = row[11];
  s.sum_squares = row[12];
  s.l2 = row[13];
  s.mean = row[14];
  s.m2 = row[15];
  s.abs_m2 = row[16];
  s.prod = row[17];
  return s;
}

Exponents ExponentsFromHistogram(const uint64_t* histogram) {
  Exponents exponents;
  std::copy_n(histogram, exponents.bins.size(), exponents.bins.begin());
  return exponents;
}

Result<std::unique_ptr<DeviceSummaries>> DeviceSummaries::Make(int device,
                                                               const std::string& compiler,
                                                               const Options& options) {
  const Driver* driver = Driver::Get();
  if (driver == nullptr) return Status(Code::kUnavailable, "no CUDA driver found");
  std::unique_ptr<DeviceSummaries> made(new DeviceSummaries(driver, device));
  if (Status ready = made->Prepare(compiler, options); !ready.ok()) return ready;
  return made;
}

DeviceSummaries::~DeviceSummaries() {
  for (const Upload& upload : uploads_) {
    (void)driver_->Wait(device_, upload.done);
    driver_->DestroyEvent(device_, upload.done);
    driver_->FreePinned(device_, upload.memory);
  }
}

Status DeviceSummaries::Prepare(const std::string& compiler, const Options& options) {
  const std::array<Driver::Header, 1> headers = {
      {{kJobHeader, std::string(SummaryJobSource().text)}}};
  std::vector<std::string> flags;
  if (options.all_double) flags.emplace_back("-DWARDEN_DOUBLE=1");
  // A module stays loaded, and compiling takes a second: once for all hooks of the process.
  static std::mutex compiling;
  static std::map<std::pair<int, bool>, Module> modules;
  const std::lock_guard lock(compiling);
  Module& module = modules[{device_, options.all_double}];
  if (module == nullptr) {
    const auto made = driver_->Compile(
        device_, {std::string(SummaryKernelSource().text), headers, flags, compiler});
    if (!made.ok()) return made.status();
    module = made.value();
  }
  const auto summarize = driver_->Find(module, "WardenSummarize");
  if (!summarize.ok()) return summarize.status();
  const auto finish = driver_->Find(module, "WardenFinish");
  if (!finish.ok()) return finish.status();
  const auto blocks = driver_->ResidentBlocks(device_, summarize.value(), kBlockThreads);
  if (!blocks.ok()) return blocks.status();
  summarize_ = summarize.value();
  finish_ = finish.value();
  most_blocks_ = blocks.value();
  return Status();
}

unsigned DeviceSummaries::BlocksFor(unsigned tiles) const {
  return std::clamp(tiles, 1U, most_blocks_);
}

size_t DeviceSummaries::ScratchBytes(size_t tensors) const {
  const size_t table =
      tensors * (sizeof(TensorEntry) + sizeof(StridedLayout) + sizeof(unsigned)) + sizeof(unsigned);
  return kTicketBytes + PartBytes(most_blocks_ + tensors) + table;
}

Status DeviceSummaries::Launch(std::span<const DeviceTensor> tensors, const SummaryTarget& target,
                               Stream stream) const {
  if (tensors.empty()) return Status();
  const std::lock_guard lock(mutex_);
  table_.Clear();
  for (const DeviceTensor& tensor : tensors) {
    if (Status added = table_.Add(tensor); !added.ok()) return added;
  }
  SummaryJob job;
  job.tensors = table_.tensors();
  job.layouts = table_.layouts();
  job.tiles = table_.tiles();
  job.blocks = BlocksFor(job.tiles);
  job.ticket = reinterpret_cast<unsigned*>(target.scratch);
  const Address parts = target.scratch + kTicketBytes;
  job.parts = reinterpret_cast<double*>(parts);
  job.rows = reinterpret_cast<double*>(target.rows);
  job.histograms = reinterpret_cast<unsigned long long*>(target.histograms);
  job.first_bad = reinterpret_cast<unsigned long long*>(target.first_bad);
  job.sequence = target.sequence;
  job.table = nullptr;
  if (table_.bytes() <= sizeof(job.inline_table)) {
    table_.Write(reinterpret_cast<std::byte*>(job.inline_table));
  } else {
    const Address table = parts + PartBytes(size_t{job.blocks} + job.tensors);
    if (Status sent = SendTable(table, stream); !sent.ok()) return sent;
    job.table = reinterpret_cast<const unsigned char*>(table);
  }
  if (target.histograms != 0) {
    const Status zeroed =
        driver_->Zero(device_, target.histograms, job.tensors * kHistogramBytes, stream);
    if (!zeroed.ok()) return zeroed;
  }
  std::array<void*, 1> arguments = {&job};
  const Status launched =
      driver_->Launch(device_, summarize_, {job.blocks, kBlockThreads}, arguments.data(), stream);
  if (!launched.ok() || job.tensors <= kMostFinishedAtOnce) return launched;
  const unsigned finishers = std::min(job.tensors, kMostFinishers);
  return driver_->Launch(device_, finish_, {finishers, kFinishThreads}, arguments.data(), stream);
}

Status DeviceSummaries::SendTable(Address target, Stream stream) const {
  const auto upload = TakeUpload(table_.bytes());
  if (!upload.ok()) return upload.status();
  table_.Write(upload.value()->memory);
  const Status sent =
      driver_->CopyToDevice(device_, target, upload.value()->memory, table_.bytes(), stream);
  if (!sent.ok()) return sent;
  return driver_->Record(device_, upload.value()->done, stream);
}

Result<DeviceSummaries::Upload*> DeviceSummaries::TakeUpload(size_t bytes) const {
  // Never used ones, and those whose list has arrived, are free.
  Upload* waiting = nullptr;
  for (Upload& upload : uploads_) {
    if (upload.bytes < bytes) continue;
    if (driver_->IsDone(device_, upload.done)) return &upload;
    if (waiting == nullptr) waiting = &upload;
  }
  if (waiting != nullptr && uploads_.size() >= kMostUploads) {
    if (Status arrived = driver_->Wait(device_, waiting->done); !arrived.ok()) return arrived;
    return waiting;
  }
  Upload made;
  made.bytes = std::max(std::bit_ceil(bytes), kSmallestUpload);
  const auto memory = driver_->AllocatePinned(device_, made.bytes);
  if (!memory.ok()) return memory.status();
  const auto event = driver_->MakeEvent(device_);
  if (!event.ok()) return event.status();
  made.memory = static_cast<std::byte*>(memory.value());
  made.done = event.value();
  return &uploads_.emplace_back(made);
}

}  // namespace warden::stats::cuda
