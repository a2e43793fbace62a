// The input as the payload of a block of GPU activity. What parses must come back from the block
// written with it.

#include <string>

#include "fuzz/check.h"
#include "warden/format/kernel_block.h"
#include "warden/format/record.h"

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  namespace format = warden::format;
  format::KernelDictionary dictionary;
  format::KernelBlock block;
  const warden::Bytes payload = warden::AsBytes(warden::fuzz::Text(data, size));
  if (!format::ParseKernelBlock(payload, &dictionary, &block).ok()) return 0;
  format::KernelBlockWriter writer;
  for (format::GpuEvent event : block.events) {
    const bool is_kernel = event.work == format::GpuWork::kKernel;
    format::KernelLaunch launch;
    if (is_kernel) launch = dictionary.launches[event.name];
    launch.name = writer.NameId(dictionary.names[is_kernel ? launch.name : event.name]);
    event.name = is_kernel ? writer.LaunchId(launch) : launch.name;
    event.lane = writer.LaneId(dictionary.lanes[event.lane]);
    writer.Add(event);
  }
  for (const format::KernelWindow& window : block.windows) writer.Add(window);
  for (const format::StepMark& step : block.steps) writer.Add(step);
  std::string written;
  writer.Finish(&written);
  if (written.empty()) return 0;
  const auto again = format::ParseRecord(warden::AsBytes(written), 0, format::Check::kFull);
  format::KernelDictionary other;
  format::KernelBlock copy;
  warden::fuzz::Check(again.ok() && format::ParseKernelBlock(again.value(), &other, &copy).ok() &&
                      copy.events.size() == block.events.size() && copy.windows == block.windows &&
                      copy.steps == block.steps);
  return 0;
}
