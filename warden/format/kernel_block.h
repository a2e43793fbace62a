#ifndef WARDEN_FORMAT_KERNEL_BLOCK_H_
#define WARDEN_FORMAT_KERNEL_BLOCK_H_

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "warden/base/status.h"
#include "warden/base/types.h"
#include "warden/format/kernel_event.h"

namespace warden::format {

// Files of GPU activity: kKernelFileMagic, then blocks, each framed as a record (record.h) with the
// true checksum of its payload. A block holds some ten thousand events in columns, and the names,
// launches and lanes that no earlier block of the file had; so blocks are read in order.
// docs/formats/profile.md has the layout. A file may end in the middle of a block: what comes
// before it is whole.

inline constexpr std::string_view kKernelFileMagic = "TWKERN1\n";
// Of the payload of a block, and of what is in it. A block with more is refused.
inline constexpr uint64_t kMostBlockBytes = uint64_t{16} << 20;
inline constexpr size_t kMostBlockEvents = size_t{1} << 16;
// In a whole file; a writer begins another file before that.
inline constexpr size_t kMostKernelNames = size_t{1} << 18;
inline constexpr size_t kMostKernelNameBytes = size_t{64} << 20;
// Of one name; longer ones are cut.
inline constexpr size_t kLongestKernelName = 4096;

// Collects events and makes blocks of them. For one thread.
//
//   KernelBlockWriter writer;
//   std::string file(kKernelFileMagic);
//   writer.Add({.name = writer.LaunchId({.name = writer.NameId("gemm")}), ...});
//   writer.Finish(&file);
class KernelBlockWriter {
 public:
  // The numbers that events have for these; the text is copied.
  uint32_t NameId(std::string_view name);
  uint32_t LaunchId(const KernelLaunch& launch);
  uint32_t LaneId(const GpuLane& lane);

  // Events may come in any order. A negative duration counts as 0. REQUIRES: fewer than
  // kMostBlockEvents events since the last Finish.
  void Add(const GpuEvent& event);
  void Add(const KernelWindow& window) { block_.windows.push_back(window); }
  void Add(const StepMark& step) { block_.steps.push_back(step); }

  // Appends what was added since the last call as one block; nothing if nothing was added.
  void Finish(std::string* out);
  size_t pending() const { return block_.events.size(); }
  // Whether so much was added that Finish should be called.
  bool due() const;
  // Whether the dictionary is so large that the next file should begin.
  bool full() const;
  // Forgets all names, launches and lanes: the next block begins a file. REQUIRES: pending() == 0.
  void Restart();

 private:
  struct HashLaunch {
    size_t operator()(const KernelLaunch& launch) const;
  };
  struct HashLane {
    size_t operator()(const GpuLane& lane) const;
  };
  struct HashName {
    using is_transparent = void;
    size_t operator()(std::string_view name) const { return std::hash<std::string_view>()(name); }
  };

  void AppendDictionary(std::string* out);

  std::unordered_map<std::string, uint32_t, HashName, std::equal_to<>> names_;
  std::unordered_map<KernelLaunch, uint32_t, HashLaunch> launches_;
  std::unordered_map<GpuLane, uint32_t, HashLane> lanes_;
  KernelDictionary added_;  // What the next block has to tell.
  size_t name_bytes_ = 0;
  KernelBlock block_;
};

// Reads the payload of one block. New names, launches and lanes are appended to *dictionary, which
// must be that of the blocks before; *block is replaced, and keeps its memory. kCorrupt, with both
// undefined, for bytes that make no sense; every number in the events is one of the dictionary.
Status ParseKernelBlock(Bytes payload, KernelDictionary* dictionary, KernelBlock* block);

// The same for a block whose names are in the dictionary already, so that blocks can be read again
// in any order.
Status ParseKnownKernelBlock(Bytes payload, const KernelDictionary& dictionary, KernelBlock* block);

// What is known of a block without its events.
struct KernelBlockHead {
  size_t events = 0;
  int64_t first_ns = 0;  // The earliest start; 0 without events.
  std::vector<KernelWindow> windows;
  std::vector<StepMark> steps;
};
// Reads only that, and the dictionary: a tenth of the time. Errors as ParseKernelBlock, except
// those in events.
Status ScanKernelBlock(Bytes payload, KernelDictionary* dictionary, KernelBlockHead* head);

}  // namespace warden::format

#endif  // WARDEN_FORMAT_KERNEL_BLOCK_H_
