// Disks, from /proc/diskstats.
#include <unistd.h>

#include <algorithm>
#include <array>
#include <string>
#include <vector>

#include "warden/monitor/collectors.h"
#include "warden/monitor/scan.h"
#include "warden/monitor/source_file.h"

namespace warden::monitor {
namespace {

constexpr double kSector = 512;  // Of these files, whatever the disk's own are.
constexpr size_t kMostDisks = 1024;

// Columns after the name.
enum DiskColumn { kReads = 0, kSectorsRead = 2, kWrites = 4, kSectorsWritten = 6, kBusyMs = 9 };
constexpr size_t kDiskColumns = 10;
using DiskCounts = std::array<uint64_t, kDiskColumns>;

// Devices that are made of others, whose traffic counts there, or of memory.
bool IsMadeOfOthers(std::string_view name) {
  constexpr std::array<std::string_view, 7> kPrefixes = {"loop", "ram", "zram", "dm-",
                                                         "md",   "sr",  "fd"};
  return std::any_of(kPrefixes.begin(), kPrefixes.end(),
                     [&](std::string_view prefix) { return name.starts_with(prefix); });
}

// By their names alone, for where /sys cannot be seen: "sda1", "nvme0n1p2".
bool IsNamedLikePartition(std::string_view name) {
  const size_t last = name.find_last_not_of("0123456789");
  if (last == std::string_view::npos || last + 1 == name.size()) return false;
  if (name.starts_with("nvme") || name.starts_with("mmcblk")) return name[last] == 'p';
  return name.starts_with("sd") || name.starts_with("hd") || name.starts_with("vd") ||
         name.starts_with("xvd");
}

struct Disk {
  std::string name;
  bool counted = false;  // A whole device of its own.
  bool known = false;    // Has a last reading.
  DiskCounts last{};
  SlotId read = 0, write = 0, iops = 0, busy = 0;
};

class DiskCollector : public Collector {
 public:
  explicit DiskCollector(const std::string& root)
      : diskstats_(root + "/proc/diskstats"), devices_(root + "/sys/block") {}

  void Collect(const Moment& now, Slots* slots, Tick* tick) override {
    std::string_view text = diskstats_.Read();
    const double seconds = stopwatch_.Lap(now.ns);
    double sum_read = 0, sum_written = 0, sum_done = 0;
    bool any = false;
    size_t position = 0;
    while (!text.empty()) {
      std::string_view line = TakeLine(&text);
      TakeWord(&line);  // The numbers of the device.
      TakeWord(&line);
      const std::string_view name = TakeWord(&line);
      Disk* disk = name.empty() ? nullptr : Find(name, position++, slots);
      DiskCounts counts;
      if (disk == nullptr || !disk->counted || !ReadCounts(line, &counts)) continue;
      if (disk->known && seconds > 0) {
        const double read = Growth(disk->last[kSectorsRead], counts[kSectorsRead]) * kSector;
        const double written =
            Growth(disk->last[kSectorsWritten], counts[kSectorsWritten]) * kSector;
        const double done = Growth(disk->last[kReads], counts[kReads]) +
                            Growth(disk->last[kWrites], counts[kWrites]);
        const double busy_s = Growth(disk->last[kBusyMs], counts[kBusyMs]) / 1000;
        tick->Put(disk->read, read / seconds);
        tick->Put(disk->write, written / seconds);
        tick->Put(disk->iops, done / seconds);
        tick->Put(disk->busy, std::min(100 * busy_s / seconds, 100.0));
        sum_read += read;
        sum_written += written;
        sum_done += done;
        any = true;
      }
      disk->known = true;
      disk->last = counts;
    }
    if (!any) return;
    tick->Put(slots->Of(Metric::kIops), sum_done / seconds);
    tick->Put(slots->Of(Metric::kDiskRead), sum_read / seconds);
    tick->Put(slots->Of(Metric::kDiskWrite), sum_written / seconds);
  }

  void Restart() override {
    stopwatch_.Restart();
    for (Disk& disk : disks_) disk.known = false;
  }

 private:
  static bool ReadCounts(std::string_view line, DiskCounts* counts) {
    for (uint64_t& count : *counts) {
      const auto read = TakeCount(&line);
      if (!read) return false;
      count = *read;
    }
    return true;
  }

  // Lines keep their order, so that a disk is mostly where it was; null if there are too many.
  Disk* Find(std::string_view name, size_t position, Slots* slots) {
    if (position < disks_.size() && disks_[position].name == name) return &disks_[position];
    const auto found = std::find_if(disks_.begin(), disks_.end(),
                                    [&](const Disk& disk) { return disk.name == name; });
    if (found != disks_.end()) return &*found;
    if (disks_.size() >= kMostDisks) return nullptr;
    Disk& disk = disks_.emplace_back();
    disk.name = name;
    disk.counted = !IsMadeOfOthers(name) && IsWhole(disk.name);
    if (!disk.counted) return &disk;
    disk.read = slots->Of(Metric::kDeviceRead, name);
    disk.write = slots->Of(Metric::kDeviceWrite, name);
    disk.iops = slots->Of(Metric::kDeviceIops, name);
    disk.busy = slots->Of(Metric::kDeviceBusy, name);
    return &disk;
  }

  bool IsWhole(const std::string& name) const {
    if (access(devices_.c_str(), F_OK) != 0) return !IsNamedLikePartition(name);
    return name.find('/') == std::string::npos &&
           access((devices_ + "/" + name).c_str(), F_OK) == 0;
  }

  SourceFile diskstats_;
  const std::string devices_;
  Stopwatch stopwatch_;
  std::vector<Disk> disks_;
};

}  // namespace

std::unique_ptr<Collector> MakeDiskCollector(const std::string& root) {
  return std::make_unique<DiskCollector>(root);
}

}  // namespace warden::monitor
