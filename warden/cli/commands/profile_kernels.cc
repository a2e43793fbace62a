// warden profile kernels: what the GPUs of a run did.
#include <fmt/format.h>

#include <algorithm>

#include "warden/base/json.h"
#include "warden/base/text/printable.h"
#include "warden/cli/commands/commands.h"
#include "warden/cli/profiler_data.h"
#include "warden/cli/table.h"
#include "warden/cli/text.h"
#include "warden/timeline/kernels/kernel_json.h"
#include "warden/timeline/kernels/kernel_statistics.h"

namespace warden::cli {
namespace {

using timeline::CopyRow;
using timeline::DeviceRow;
using timeline::IdleGap;
using timeline::KernelRow;
using timeline::KernelShare;
using timeline::KernelStatistics;

// Of the name of a kernel, in columns; --json has all of it.
constexpr size_t kLongestName = 100;
constexpr size_t kLongestInText = 60;

struct ProfileKernelsOptions {
  std::string run;
  std::string top = "20";
  std::string start;
  std::string end;
  bool json = false;
};

std::string Nanoseconds(double ns) { return FormatDuration(ns / 1000); }
std::string Nanoseconds(int64_t ns) { return Nanoseconds(static_cast<double>(ns)); }
std::string Share(int64_t part, int64_t whole) {
  return FormatShare(static_cast<double>(part), static_cast<double>(whole));
}

// Names of templates take whole screens; what a kernel does stands at their start.
std::string ShortName(std::string_view name, size_t width) {
  constexpr std::string_view kResult = "void ";
  if (name.starts_with(kResult)) name.remove_prefix(kResult.size());
  return Shorten(name, width, "...");
}

std::string_view KindAt(size_t i) {
  return timeline::KernelKindName(static_cast<timeline::KernelKind>(i));
}
std::string_view PrecisionAt(size_t i) {
  return timeline::PrecisionName(static_cast<timeline::Precision>(i));
}

void PrintDevices(const KernelStatistics& all, Output* out) {
  Table table({{"NODE"},
               {"GPU", Align::kRight},
               {"RECORDED", Align::kRight},
               {"BUSY", Align::kRight},
               {"IDLE", Align::kRight},
               {"HOST LATE", Align::kRight},
               {"COMMUNICATION", Align::kRight},
               {"COPIES", Align::kRight},
               {"GAPS", Align::kRight},
               {"LONGEST GAP", Align::kRight}});
  for (const DeviceRow& row : all.devices) {
    table.Add({row.node, std::to_string(row.device), Nanoseconds(row.window_ns),
               Share(row.busy_ns, row.window_ns), Share(row.idle_ns(), row.window_ns),
               Share(row.host_late_ns, row.window_ns), Share(row.communication_ns, row.window_ns),
               Share(row.copy_ns, row.window_ns), std::to_string(row.gaps),
               Nanoseconds(row.longest_gap_ns)});
  }
  table.Print(out);
}

void PrintKernels(const KernelStatistics& all, size_t top, Output* out) {
  Table table({{"KERNEL", Align::kLeft, /*shrinks=*/true},
               {"KIND"},
               {"PRECISION"},
               {"COUNT", Align::kRight},
               {"TOTAL", Align::kRight},
               {"SHARE", Align::kRight},
               {"MEAN", Align::kRight},
               {"MAX", Align::kRight}});
  for (size_t i = 0; i < std::min(top, all.kernels.size()); ++i) {
    const KernelRow& row = all.kernels[i];
    table.Add(
        {ShortName(row.name, kLongestName), std::string(timeline::KernelKindName(row.traits.kind)),
         std::string(timeline::PrecisionName(row.traits.precision)), std::to_string(row.count),
         Nanoseconds(row.total_ns), Share(row.total_ns, all.kernel_ns),
         Nanoseconds(static_cast<double>(row.total_ns) / static_cast<double>(row.count)),
         Nanoseconds(row.max_ns)});
  }
  table.Print(out);
  if (all.kernels.size() > top) {
    out->Print("{} more kernels; use --top to show them\n", all.kernels.size() - top);
  }
}

void PrintCopies(const KernelStatistics& all, Output* out) {
  Table table({{"MEMORY"},
               {"COUNT", Align::kRight},
               {"BYTES", Align::kRight},
               {"TOTAL", Align::kRight},
               {"PER SECOND", Align::kRight}});
  for (const CopyRow& row : all.copies) {
    table.Add({row.name, std::to_string(row.count), FormatBytes(row.bytes),
               Nanoseconds(row.total_ns),
               FormatBytes(static_cast<uint64_t>(row.bytes_per_second()))});
  }
  table.Print(out);
}

template <class Shares, class NameOfShare>
std::string SharesText(const Shares& shares, int64_t whole_ns, NameOfShare name_of) {
  std::vector<size_t> order;
  for (size_t i = 0; i < shares.size(); ++i) {
    if (shares[i].count > 0) order.push_back(i);
  }
  std::sort(order.begin(), order.end(),
            [&](size_t a, size_t b) { return shares[a].total_ns > shares[b].total_ns; });
  std::string text;
  for (const size_t i : order) {
    text += fmt::format("{}{} {}", text.empty() ? "" : ", ", name_of(i),
                        Share(shares[i].total_ns, whole_ns));
  }
  return text;
}

void PrintKernelFacts(const KernelStatistics& all, Output* out) {
  out->Print("Time of kernels by kind: {}\n", SharesText(all.kinds, all.kernel_ns, KindAt));
  out->Print("By precision, as their names tell it: {}; on tensor cores {}\n",
             SharesText(all.precisions, all.kernel_ns, PrecisionAt),
             Share(all.tensor_cores.total_ns, all.kernel_ns));
  out->Print("Kernels shorter than {}: {} of {}, {} of the time\n",
             Nanoseconds(timeline::kShortKernelNs), all.short_kernels.count, all.launches,
             Share(all.short_kernels.total_ns, all.kernel_ns));
  if (all.delays.count > 0) {
    out->Print("From launch to start: median {}, 95 % within {}, at most {}\n",
               Nanoseconds(all.delays.p50_ns), Nanoseconds(all.delays.p95_ns),
               Nanoseconds(all.delays.max_ns));
  }
  for (size_t i = 0; i < std::min<size_t>(all.gaps.size(), 3); ++i) {
    const IdleGap& gap = all.gaps[i];
    const auto name = [](const std::string& what, const char* none) {
      return what.empty() ? none : Printable(ShortName(what, kLongestInText));
    };
    out->Print("Idle for {} on GPU {} of {}, between {} and {}{}\n", Nanoseconds(gap.duration_ns),
               gap.device, Printable(gap.node), name(gap.before, "the start"),
               name(gap.after, "the end"), gap.host_late ? ": the host was late" : "");
  }
}

Result<int> ShowKernels(const ProfileKernelsOptions& options, Output* out) {
  const auto top = ParseTop(options.top);
  if (!top.ok()) return top.status();
  const auto data = FindProfilerData(options.run);
  if (!data.ok()) return data.status();
  const std::string& folder = data.value().folder;
  timeline::KernelQuery query;
  if (!options.start.empty() || !options.end.empty()) {
    const auto range = ParseTimeRange(options.start, options.end, folder);
    if (!range.ok()) return range.status();
    query.range = range.value();
  }
  const auto read = timeline::SummarizeKernels(folder, query);
  if (!read.ok()) return read.status();
  const KernelStatistics& all = read.value();
  for (const std::string& problem : all.problems) out->Tell(Printable(problem));
  if (options.json) {
    out->PrintJson(timeline::KernelStatisticsJson(all, top.value()));
    return kDone;
  }
  out->Print("{} kernel{} in {} window{}, {} step{}; {} recorded\n", all.launches,
             all.launches == 1 ? "" : "s", all.windows, all.windows == 1 ? "" : "s", all.steps,
             all.steps == 1 ? "" : "s", FormatBytes(all.bytes));
  if (all.dropped > 0) {
    out->Print("{} events were dropped: there was no room for them\n", all.dropped);
  }
  PrintDevices(all, out);
  PrintKernels(all, top.value(), out);
  if (!all.copies.empty()) PrintCopies(all, out);
  PrintKernelFacts(all, out);
  return kDone;
}

void DefineKernels(Command* command) {
  auto options = std::make_shared<ProfileKernelsOptions>();
  command->Positional("RUN", &options->run, "Folder of the run or of its profiler data");
  command->Text("--top", &options->top,
                "Number of kernels, longest total time first (default: 20)");
  command->Text("--start", &options->start, "Start time: seconds of the run, or since 1970");
  command->Text("--end", &options->end, "End time: seconds of the run, or since 1970");
  command->Json(&options->json);
  command->Footer(
      "BUSY is the share of the recorded time in which a kernel or a copy ran. HOST LATE is the\n"
      "part of idle time in which nobody had asked for more work. Kind and precision are guessed\n"
      "from names.\n\n"
      "Examples:\n"
      "  warden run --profile-kernels 10@500 -- python3 train.py\n"
      "  warden profile start runs/a --kernels\n"
      "  warden profile kernels runs/a");
  command->Runs(options, ShowKernels);
}

}  // namespace

CommandEntry ProfileKernels() {
  return {"kernels", "Show where the time of GPUs went", DefineKernels};
}

}  // namespace warden::cli
