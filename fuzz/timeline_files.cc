// The input as a file of a profiler's folder: a trace that is packed, traces and metrics that are
// followed while they grow, arguments of an event, the name of a node.

#include <sys/stat.h>
#include <zlib.h>

#include <algorithm>
#include <cmath>
#include <filesystem>
#include <fstream>
#include <optional>
#include <string>
#include <vector>

#include "fuzz/check.h"
#include "fuzz/memory_folder.h"
#include "warden/base/json.h"
#include "warden/base/json_members.h"
#include "warden/timeline/feed/stream.h"
#include "warden/timeline/file_text.h"
#include "warden/timeline/host_clocks.h"
#include "warden/view/timeline/span_args.h"

namespace warden::fuzz {
namespace {

namespace fs = std::filesystem;
using namespace timeline;

constexpr size_t kMost = 1 << 20;  // Unpacked.
constexpr int64_t kWhole = int64_t{1} << 62;

void CheckPadding(PaddedText& text) {
  for (size_t i = 0; i < PaddedText::kPadding; ++i) Check(text.data()[text.size() + i] == 0);
}

std::string Packed(std::string_view text) {
  z_stream stream{};
  Check(deflateInit2(&stream, 1, Z_DEFLATED, 15 + 16, 8, Z_DEFAULT_STRATEGY) == Z_OK);
  std::string packed(deflateBound(&stream, text.size()), '\0');
  stream.next_in = reinterpret_cast<Bytef*>(const_cast<char*>(text.data()));
  stream.avail_in = static_cast<uInt>(text.size());
  stream.next_out = reinterpret_cast<Bytef*>(packed.data());
  stream.avail_out = static_cast<uInt>(packed.size());
  Check(deflate(&stream, Z_FINISH) == Z_STREAM_END);
  packed.resize(packed.size() - stream.avail_out);
  deflateEnd(&stream);
  return packed;
}

// What was packed comes back; cut off, its beginning does.
void ReadPacked(const fs::path& file, std::string_view text) {
  bool cut = false;
  Write(file, text);
  auto read = ReadGzipFile({file.string()}, kMost, &cut);
  if (read.ok()) {
    Check(read.value().size() <= kMost);
    CheckPadding(read.value());
  } else {
    Check(read.status().code() == Code::kCorrupt && !read.status().message().empty());
  }
  const std::string packed = Packed(text);
  Write(file, packed);
  read = ReadGzipFile({file.string()}, kMost, &cut);
  Check(read.ok() && !cut && read.value().text() == text);
  Write(file, std::string_view(packed).substr(0, packed.size() - 1 - text.size() % 8));
  read = ReadGzipFile({file.string()}, kMost, &cut);
  Check(!read.ok() || (cut && text.starts_with(read.value().text())));
  read = ReadGzipFile({file.string()}, text.size() / 2, &cut);
  Check(!read.ok() || read.value().size() <= text.size() / 2);
}

// In pieces it is the same.
void ReadRanges(const fs::path& file, std::string_view text) {
  Write(file, text);
  PaddedText pieces;
  const size_t piece = std::max<size_t>(1, text.size() / 3);
  for (size_t at = 0; at <= text.size(); at += piece) {
    Check(ReadFileRange({file.string()}, at, piece, &pieces).ok());
  }
  Check(pieces.text() == text);
  CheckPadding(pieces);
  pieces.Drop(text.size() / 2);
  Check(pieces.text() == text.substr(text.size() / 2));
}

FileId IdOf(const fs::path& file) {
  struct stat info;
  Check(stat(file.c_str(), &info) == 0);
  return {info.st_dev, info.st_ino};
}

ProfileBatch All(Stream* stream) {
  ProfileBatch batch;
  while (stream->Fill()) {
    (void)stream->time_us();
    const size_t before = batch.spans.size() + batch.samples.size();
    stream->TakeNext(&batch);
    Check(batch.spans.size() + batch.samples.size() == before + 1);
  }
  return batch;
}

// A trace that grows has the same spans as one that is complete.
void FollowSpans(const fs::path& file, std::string_view text) {
  TraceFile trace;
  trace.path = file;
  trace.node = "algo-1-88";
  Names names, other_names;
  std::vector<std::string> problems;
  Write(file, text);
  SpanStream whole(trace, &names, &problems);
  whole.Add(IdOf(file), file, 0, true);
  const ProfileBatch expected = All(&whole);
  for (const Span& span : expected.spans) Check(span.end_us() >= span.start_us);
  const size_t half = text.size() / 2;
  Write(file, text.substr(0, half));
  SpanStream growing(trace, &other_names, &problems);
  growing.Add(IdOf(file), file, 0, false);
  ProfileBatch grown = All(&growing);
  std::ofstream(file, std::ios::binary | std::ios::app) << text.substr(half);
  growing.Add(IdOf(file), file, 0, true);
  const ProfileBatch rest = All(&growing);
  grown.spans.insert(grown.spans.end(), rest.spans.begin(), rest.spans.end());
  Check(problems.size() <= 200);
  // Where there is something broken, the cut decides what is taken for its end.
  if (problems.empty()) Check(grown.spans.size() == expected.spans.size());
}

void FollowMetrics(const fs::path& file, std::string_view text) {
  Names names;
  std::vector<std::string> problems;
  Write(file, text);
  MetricStream stream(&names, &problems);
  stream.Add(IdOf(file), file, 0, true);
  for (const NodeSample& sample : All(&stream).samples) {
    Check(sample.node < names.size() && std::isfinite(sample.time_s));
  }
  Check(problems.size() <= 100);
}

// Numbers are those that a parser of JSON finds.
void UseAsArguments(std::string_view text) {
  PaddedText padded;
  padded.Append(text);
  const view::SpanArgs args = view::ReadSpanArgs(padded.text());
  Check(args.launch_name.empty() || padded.text().find(args.launch_name) != std::string_view::npos);
  // With escapes, names of members may be written in other ways.
  const auto json = ParseJson(text);
  if (!json.ok() || !json.value().is_object() || text.find('\\') != std::string_view::npos) return;
  if (text.starts_with("\xEF\xBB\xBF")) return;  // A mark of UTF-8, which that parser skips.
  const std::pair<const char*, std::optional<int64_t>> numbers[] = {
      {"tid", args.tid},
      {"stream", args.stream},
      {"correlation", args.correlation},
      {"start_cpu_thread", args.launch_thread},
      {"cpu_thread_start_time", args.launch_us}};
  for (const auto& [name, number] : numbers) {
    const Json* member = MemberOf(json.value(), name);
    if (member == nullptr) Check(!number);
    if (member == nullptr || !member->is_number_integer()) continue;
    const bool fits = member->is_number_unsigned()
                          ? member->get<uint64_t>() < static_cast<uint64_t>(kWhole)
                          : member->get<int64_t>() > -kWhole;
    Check(fits ? number == member->get<int64_t>() : !number);
  }
}

// Host and process are parts of the name; a host's clock is found under both spellings.
void UseAsNode(std::string_view text) {
  const auto [host, process] = SplitNode(text);
  Check(process.empty() ? host.size() <= text.size()
                        : host.size() + process.size() + 1 == text.size());
  Check(text.find(host) != std::string_view::npos && text.find(process) != std::string_view::npos);
  std::string other(text);
  std::ranges::replace(other, '-', '_');
  const HostClocks clocks = {{std::string(text), "", 5, 1}};
  Check(AheadUs(clocks, text) == 5 && AheadUs(clocks, other) == 5);
  Check(AheadUs(clocks, other + "x") == 0 && FarthestUs(clocks) == 5);
}

}  // namespace
}  // namespace warden::fuzz

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  using namespace warden::fuzz;
  static const MemoryFolder folder;
  const fs::path file = folder.path() / "file";
  const std::string_view text = Text(data, size);
  ReadPacked(file, text);
  ReadRanges(file, text);
  FollowSpans(file, text);
  FollowMetrics(file, text);
  UseAsArguments(text);
  UseAsNode(text);
  return 0;
}
