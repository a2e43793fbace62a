#include "warden/timeline/kernels/kernel_json.h"

#include <algorithm>
#include <string>
#include <string_view>

#include "warden/base/json.h"

namespace warden::timeline {
namespace {

Json KernelJson(const KernelRow& row) {
  const format::KernelLaunch& launch = row.launch;
  return {{"name", row.name},
          {"kind", KernelKindName(row.traits.kind)},
          {"precision", PrecisionName(row.traits.precision)},
          {"tensor_cores", row.traits.tensor_cores},
          {"count", row.count},
          {"in_graphs", row.in_graphs},
          {"total_ns", row.total_ns},
          {"min_ns", row.min_ns},
          {"max_ns", row.max_ns},
          {"longest",
           {{"grid", launch.grid},
            {"block", launch.block},
            {"registers", launch.registers},
            {"static_shared_bytes", launch.static_shared},
            {"dynamic_shared_bytes", launch.dynamic_shared}}}};
}

Json DeviceJson(const DeviceRow& row) {
  return {{"node", row.node},
          {"device", row.device},
          {"window_ns", row.window_ns},
          {"busy_ns", row.busy_ns},
          {"idle_ns", row.idle_ns()},
          {"host_late_ns", row.host_late_ns},
          {"kernel_ns", row.kernel_ns},
          {"communication_ns", row.communication_ns},
          {"copy_ns", row.copy_ns},
          {"gaps", row.gaps},
          {"longest_gap_ns", row.longest_gap_ns}};
}

Json CopyJson(const CopyRow& row) {
  return {{"name", row.name},
          {"count", row.count},
          {"bytes", row.bytes},
          {"total_ns", row.total_ns},
          {"bytes_per_second", row.bytes_per_second()}};
}

Json CallJson(const CallRow& row) {
  return {
      {"name", row.name}, {"count", row.count}, {"total_ns", row.total_ns}, {"max_ns", row.max_ns}};
}

Json GapJson(const IdleGap& gap) {
  return {{"node", gap.node},          {"device", gap.device},
          {"start_ns", gap.start_ns},  {"duration_ns", gap.duration_ns},
          {"before", gap.before},      {"after", gap.after},
          {"host_late", gap.host_late}};
}

Json ShareJson(const KernelShare& share) {
  return {{"count", share.count}, {"total_ns", share.total_ns}};
}

template <class Rows, class ToJsonRow>
Json ListJson(const Rows& rows, size_t most, ToJsonRow to_json) {
  Json list = Json::array();
  for (size_t i = 0; i < std::min(most, rows.size()); ++i) list.push_back(to_json(rows[i]));
  return list;
}

template <class Shares, class NameOfShare>
Json SharesJson(const Shares& shares, NameOfShare name_of) {
  Json json = Json::object();
  for (size_t i = 0; i < shares.size(); ++i) {
    if (shares[i].count > 0) json[std::string(name_of(i))] = ShareJson(shares[i]);
  }
  return json;
}

std::string_view KindAt(size_t i) { return KernelKindName(static_cast<KernelKind>(i)); }
std::string_view PrecisionAt(size_t i) { return PrecisionName(static_cast<Precision>(i)); }

}  // namespace

Json KernelStatisticsJson(const KernelStatistics& all, size_t top) {
  return {{"events", all.events},
          {"kernels", all.launches},
          {"kernel_ns", all.kernel_ns},
          {"windows", all.windows},
          {"steps", all.steps},
          {"dropped", all.dropped},
          {"start_ns", all.start_ns},
          {"end_ns", all.end_ns},
          {"bytes", all.bytes},
          {"by_name", ListJson(all.kernels, top, KernelJson)},
          {"names", all.kernels.size()},
          {"by_kind", SharesJson(all.kinds, KindAt)},
          {"by_precision", SharesJson(all.precisions, PrecisionAt)},
          {"tensor_cores", ShareJson(all.tensor_cores)},
          {"short_kernels", ShareJson(all.short_kernels)},
          {"devices", ListJson(all.devices, all.devices.size(), DeviceJson)},
          {"copies", ListJson(all.copies, all.copies.size(), CopyJson)},
          {"calls", ListJson(all.calls, top, CallJson)},
          {"waits", ListJson(all.waits, top, CallJson)},
          {"launch_delay",
           {{"count", all.delays.count},
            {"mean_ns", all.delays.mean_ns},
            {"p50_ns", all.delays.p50_ns},
            {"p95_ns", all.delays.p95_ns},
            {"max_ns", all.delays.max_ns}}},
          {"gaps", ListJson(all.gaps, top, GapJson)},
          {"problems", all.problems}};
}

}  // namespace warden::timeline
