#include "warden/format/kernel_block.h"

#include <gtest/gtest.h>

#include <random>

#include "warden/format/record.h"

namespace warden::format {
namespace {

// What a file's blocks hold, in one.
struct KernelsRead {
  KernelDictionary dictionary;
  KernelBlock all;
  Status status;
};

KernelsRead ReadKernels(std::string_view file) {
  KernelsRead read;
  EXPECT_TRUE(file.starts_with(kKernelFileMagic));
  RecordReader records(AsBytes(file.substr(kKernelFileMagic.size())), Check::kFull);
  while (!records.done()) {
    const auto payload = records.Next();
    KernelBlock block;
    read.status = payload.ok() ? ParseKernelBlock(payload.value(), &read.dictionary, &block)
                               : payload.status();
    if (!read.status.ok()) return read;
    const auto append = [](const auto& from, auto* to) {
      to->insert(to->end(), from.begin(), from.end());
    };
    append(block.events, &read.all.events);
    append(block.windows, &read.all.windows);
    append(block.steps, &read.all.steps);
  }
  return read;
}

GpuEvent Kernel(uint32_t launch, uint32_t lane, int64_t start_ns, int64_t duration_ns) {
  GpuEvent event;
  event.name = launch;
  event.lane = lane;
  event.start_ns = start_ns;
  event.duration_ns = duration_ns;
  return event;
}

TEST(KernelBlock, EverythingComesBack) {
  KernelBlockWriter writer;
  std::string file(kKernelFileMagic);
  KernelLaunch launch;
  launch.name = writer.NameId("void gemm<float>(float*)");
  launch.grid = {128, 2, 1};
  launch.block = {256, 1, 1};
  launch.registers = 255;
  launch.static_shared = 1024;
  launch.dynamic_shared = 227 * 1024;
  const uint32_t lane = writer.LaneId({.device = 3, .context = 1, .stream = 7});
  const uint32_t thread = writer.LaneId({.thread = 4'000'000'000});
  const int64_t now = 1'795'083'637'182'851'814;
  GpuEvent kernel = Kernel(writer.LaunchId(launch), lane, now, 12'345);
  kernel.correlation = 99;
  kernel.graph = 4;
  kernel.graph_node = 17'179'869'184;
  GpuEvent copy;
  copy.work = GpuWork::kCopy;
  copy.copy = static_cast<uint8_t>(CopyKind::kHostToDevice) | kPageable;
  copy.bytes = uint64_t{1} << 40;
  copy.lane = lane;
  copy.start_ns = now - 500;
  copy.correlation = 7;
  GpuEvent call;
  call.work = GpuWork::kCall;
  call.name = writer.NameId("cudaLaunchKernel");
  call.lane = thread;
  call.start_ns = now - 9000;
  call.duration_ns = 4000;
  call.correlation = 99;
  writer.Add(call);
  writer.Add(copy);
  writer.Add(kernel);
  writer.Add(KernelWindow{now - 10'000, now + 20'000, 5});
  writer.Add(StepMark{500, now - 10'000});
  writer.Finish(&file);
  writer.Finish(&file);  // Nothing was added.

  const KernelsRead read = ReadKernels(file);
  ASSERT_TRUE(read.status.ok()) << read.status.message();
  ASSERT_EQ(read.all.events, (std::vector<GpuEvent>{kernel, copy, call}));
  EXPECT_EQ(read.all.windows, (std::vector<KernelWindow>{{now - 10'000, now + 20'000, 5}}));
  EXPECT_EQ(read.all.steps, (std::vector<StepMark>{{500, now - 10'000}}));
  EXPECT_EQ(read.dictionary.launches.at(kernel.name), launch);
  EXPECT_EQ(read.dictionary.names.at(launch.name), "void gemm<float>(float*)");
  EXPECT_EQ(read.dictionary.names.at(call.name), "cudaLaunchKernel");
  EXPECT_EQ(read.dictionary.lanes.at(thread).thread, 4'000'000'000);
  EXPECT_EQ(CopyName(copy.copy), "host to device (pageable)");
}

TEST(KernelBlock, ManyBlocksShareOneDictionary) {
  std::mt19937_64 random(1);
  KernelBlockWriter writer;
  std::string file(kKernelFileMagic);
  std::vector<GpuEvent> events;
  int64_t now = 1'000'000'000'000'000'000;
  for (int i = 0; i < 5000; ++i) {
    KernelLaunch launch;
    launch.name = writer.NameId("kernel_" + std::to_string(random() % 300));
    launch.grid = {static_cast<uint32_t>(random() % 5 + 1), 1, 1};
    const auto lane = writer.LaneId({.device = static_cast<uint32_t>(random() % 2)});
    now += static_cast<int64_t>(random() % 10'000 + 1);
    events.push_back(
        Kernel(writer.LaunchId(launch), lane, now, static_cast<int64_t>(random() % 100'000)));
    events.back().correlation = static_cast<uint32_t>(random());
    writer.Add(events.back());
    if (i % 777 == 776) writer.Finish(&file);
  }
  writer.Finish(&file);
  const KernelsRead read = ReadKernels(file);
  ASSERT_TRUE(read.status.ok()) << read.status.message();
  EXPECT_EQ(read.all.events, events);
}

TEST(KernelBlock, TimesAnywhereAreKept) {
  KernelBlockWriter writer;
  std::string file(kKernelFileMagic);
  KernelLaunch launch;
  launch.name = writer.NameId("k");
  const uint32_t id = writer.LaunchId(launch);
  const uint32_t lane = writer.LaneId({});
  writer.Add(Kernel(id, lane, -5, 3));
  writer.Add(Kernel(id, lane, INT64_MIN, INT64_MAX));
  writer.Add(Kernel(id, lane, INT64_MAX, -1));
  writer.Finish(&file);
  const KernelsRead read = ReadKernels(file);
  ASSERT_TRUE(read.status.ok()) << read.status.message();
  ASSERT_EQ(read.all.events.size(), 3u);
  EXPECT_EQ(read.all.events[1], Kernel(id, lane, -5, 3));
  for (const GpuEvent& event : read.all.events) EXPECT_GE(event.end_ns(), event.start_ns);
}

// A typical training: its kernels and their launches, one after the other.
std::string TypicalFile(int kernels) {
  KernelBlockWriter writer;
  std::string file(kKernelFileMagic);
  std::mt19937_64 random(2);
  int64_t host = 1'795'083'637'182'851'814;
  int64_t gpu = host + 3'000'000;
  const uint32_t thread = writer.LaneId({.thread = 123'456'789});
  const uint32_t stream = writer.LaneId({.context = 1, .stream = 7});
  for (int i = 0; i < kernels; ++i) {
    KernelLaunch launch;
    launch.name = writer.NameId("kernel_" + std::to_string(i * 7 % 150));
    launch.grid = {static_cast<uint32_t>(i * 7 % 150 + 1), 1, 1};
    GpuEvent call;
    call.work = GpuWork::kCall;
    call.name = writer.NameId("cudaLaunchKernel");
    call.lane = thread;
    call.start_ns = host;
    call.duration_ns = static_cast<int64_t>(3000 + random() % 2000);
    call.correlation = static_cast<uint32_t>(1000 + 3 * i);
    host = call.end_ns() + static_cast<int64_t>(2000 + random() % 20'000);
    GpuEvent kernel = Kernel(writer.LaunchId(launch), stream, gpu,
                             static_cast<int64_t>(2000 + random() % 50'000));
    kernel.correlation = call.correlation;
    gpu = kernel.end_ns() + static_cast<int64_t>(800 + random() % 1000);
    writer.Add(call);
    writer.Add(kernel);
    if (writer.due()) writer.Finish(&file);
  }
  writer.Finish(&file);
  return file;
}

TEST(KernelBlock, AnEventTakesFewBytes) {
  constexpr int kKernels = 100'000;
  const double bytes = static_cast<double>(TypicalFile(kKernels).size()) / (2.0 * kKernels);
  RecordProperty("bytes_per_event", std::to_string(bytes));
  EXPECT_LT(bytes, 8.0);
}

TEST(KernelBlock, ATruncatedFileHasItsWholeBlocks) {
  const std::string file = TypicalFile(40'000);
  const size_t whole = ReadKernels(file).all.events.size();
  for (const size_t cut : {size_t{1}, size_t{4}, size_t{20}, file.size() / 2}) {
    const KernelsRead read = ReadKernels(std::string_view(file).substr(0, file.size() - cut));
    EXPECT_EQ(read.status.code(), Code::kTruncated);
    EXPECT_LT(read.all.events.size(), whole);
    EXPECT_GT(read.all.events.size(), 0u);
  }
}

TEST(KernelBlock, ADamagedByteIsFound) {
  std::string file = TypicalFile(100);
  for (size_t i = kKernelFileMagic.size(); i < file.size(); i += 7) {
    file[i] = static_cast<char>(file[i] ^ 0x20);
    EXPECT_FALSE(ReadKernels(file).status.ok()) << i;
    file[i] = static_cast<char>(file[i] ^ 0x20);
  }
}

// Behind the checksum, as somebody could write it who wants to.
TEST(KernelBlock, HostilePayloadsAreRefused) {
  const std::string file = TypicalFile(50);
  const std::string payload =
      file.substr(kKernelFileMagic.size() + kRecordHeaderSize,
                  file.size() - kKernelFileMagic.size() - kRecordHeaderSize - kRecordFooterSize);
  std::mt19937_64 random(3);
  for (int i = 0; i < 20'000; ++i) {
    std::string changed = payload;
    for (uint64_t n = random() % 3 + 1; n > 0; --n) {
      changed[random() % changed.size()] = static_cast<char>(random());
    }
    changed.resize(random() % 4 == 0 ? random() % changed.size() : changed.size());
    KernelDictionary dictionary;
    KernelBlock block;
    if (!ParseKernelBlock(AsBytes(changed), &dictionary, &block).ok()) continue;
    for (const GpuEvent& event : block.events) {
      ASSERT_GE(event.duration_ns, 0);
      ASSERT_GE(event.end_ns(), event.start_ns);
      ASSERT_LT(event.lane, dictionary.lanes.size());
      const bool is_kernel = event.work == GpuWork::kKernel;
      ASSERT_LT(event.name, is_kernel ? dictionary.launches.size() : dictionary.names.size());
    }
  }
}

TEST(KernelBlock, BlocksOutOfOrderAreRefused) {
  KernelBlockWriter writer;
  std::string first, second;
  writer.Add(Kernel(writer.LaunchId({.name = writer.NameId("a")}), writer.LaneId({}), 1, 1));
  writer.Finish(&first);
  writer.Add(Kernel(writer.LaunchId({.name = writer.NameId("b")}), 0, 2, 1));
  writer.Finish(&second);
  const std::string magic(kKernelFileMagic);
  EXPECT_TRUE(ReadKernels(magic + first + second).status.ok());
  const KernelsRead read = ReadKernels(magic + second + first);
  EXPECT_EQ(read.status.code(), Code::kCorrupt);
  EXPECT_NE(read.status.message().find("an earlier block is missing"), std::string::npos);
}

TEST(KernelBlock, ARunCannotNameMoreEventsThanABlockMayHave) {
  // Version, three empty lists, no windows and steps, then 2^40 kernels.
  std::string payload("\x01\0\0\0\0\0\0\0\0\0", 10);
  payload += std::string("\x80\x80\x80\x80\x80\x20", 6);
  KernelDictionary dictionary;
  KernelBlock block;
  EXPECT_EQ(ParseKernelBlock(AsBytes(payload), &dictionary, &block).code(), Code::kCorrupt);
  EXPECT_TRUE(block.events.empty());
}

TEST(KernelBlock, BlocksCanBeScannedAndReadAgain) {
  const std::string file = TypicalFile(40'000);
  RecordReader records(AsBytes(file).subspan(kKernelFileMagic.size()), Check::kFull);
  std::vector<Bytes> payloads;
  KernelDictionary dictionary;
  std::vector<KernelBlockHead> heads;
  while (!records.done()) {
    payloads.push_back(records.Next().value());
    ASSERT_TRUE(ScanKernelBlock(payloads.back(), &dictionary, &heads.emplace_back()).ok());
  }
  ASSERT_GT(payloads.size(), 1u);
  for (size_t i = payloads.size(); i-- > 0;) {
    KernelBlock block;
    ASSERT_TRUE(ParseKnownKernelBlock(payloads[i], dictionary, &block).ok());
    EXPECT_EQ(block.events.size(), heads[i].events);
    int64_t first = INT64_MAX;
    for (const GpuEvent& event : block.events) first = std::min(first, event.start_ns);
    EXPECT_EQ(first, heads[i].first_ns);
  }
  KernelDictionary none;
  KernelBlock block;
  EXPECT_FALSE(ParseKnownKernelBlock(payloads[0], none, &block).ok());
}

TEST(KernelBlock, AWriterBeginsAnotherFileWithItsOwnDictionary) {
  KernelBlockWriter writer;
  std::string first(kKernelFileMagic), second(kKernelFileMagic);
  writer.Add(Kernel(writer.LaunchId({.name = writer.NameId("a")}), writer.LaneId({}), 1, 1));
  writer.Finish(&first);
  writer.Restart();
  writer.Add(Kernel(writer.LaunchId({.name = writer.NameId("b")}), writer.LaneId({}), 2, 1));
  writer.Finish(&second);
  const KernelsRead read = ReadKernels(second);
  ASSERT_TRUE(read.status.ok()) << read.status.message();
  EXPECT_EQ(read.dictionary.names, std::vector<std::string>{"b"});
}

}  // namespace
}  // namespace warden::format
