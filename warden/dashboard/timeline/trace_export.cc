#include "warden/dashboard/timeline/trace_export.h"

#include <fmt/format.h>
#include <unistd.h>

#include <cerrno>
#include <cstring>
#include <filesystem>
#include <memory>
#include <mutex>
#include <string>
#include <system_error>
#include <utility>

#include "warden/dashboard/core/run_endpoints.h"
#include "warden/timeline/merge/merge.h"
#include "warden/timeline/profile_files.h"

namespace warden::dashboard {
namespace {

namespace fs = std::filesystem;

// The end of the service waits for it.
constexpr uint64_t kMostBytes = uint64_t{4} << 30;

// A folder that goes with the object; whoever has a file in it open keeps that.
class TemporaryFolder {
 public:
  TemporaryFolder() = default;
  TemporaryFolder(const TemporaryFolder&) = delete;
  TemporaryFolder& operator=(const TemporaryFolder&) = delete;
  ~TemporaryFolder() {
    std::error_code ignored;
    if (!path_.empty()) fs::remove_all(path_, ignored);
  }

  Status Make() {
    std::error_code error;
    std::string path = (fs::temp_directory_path(error) / "warden-trace-XXXXXX").string();
    if (error || mkdtemp(path.data()) == nullptr) {
      return Status(Code::kIo, fmt::format("cannot create a folder for the trace in TMPDIR: {}",
                                           error ? error.message() : std::strerror(errno)));
    }
    path_ = path;
    return {};
  }
  const std::string& path() const { return path_; }

 private:
  std::string path_;
};

// Of the files that a merge of all reads.
uint64_t BytesOf(const std::string& profile) {
  uint64_t bytes = 0;
  const auto add = [&](const timeline::FilePlace& file) {
    std::error_code gone;
    const uint64_t size = fs::file_size(file.path, gone);
    if (!gone) bytes += size;
  };
  const timeline::TimeRange all;
  for (const auto& file : timeline::TraceFiles(profile, all, timeline::kTimeBufferUs, true, {})) {
    add(file);
  }
  for (const auto& file : timeline::MetricFiles(profile, all, timeline::kTimeBufferUs, true)) {
    add(file);
  }
  return bytes;
}

// Of a download; nothing that a header or a file system minds.
std::string FileName(std::string_view run) {
  std::string name;
  for (const char c : run.substr(0, 100)) {
    const bool plain = (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9');
    name.push_back(plain || c == '-' || c == '.' ? c : '_');
  }
  return (name.empty() ? "timeline" : name) + ".trace.json.gz";
}

}  // namespace

http::Response TraceAnswer(const std::string& profile, const std::string& name,
                           timeline::HostClocks clocks) {
  // One at a time: each takes a core and the memory of a few thousand events. Nobody waits for his
  // turn, since who waits takes a thread of the server from all others.
  static std::mutex one_at_a_time;
  const std::unique_lock lock(one_at_a_time, std::try_to_lock);
  if (!lock.owns_lock()) {
    return ErrorAnswer(409, "another trace is being exported; try again later");
  }
  if (const uint64_t bytes = BytesOf(profile); bytes > kMostBytes) {
    return ErrorAnswer(413, fmt::format("the profiler files have {} MiB; expected at most {} MiB "
                                        "for one trace. Use 'warden timeline merge' instead",
                                        bytes >> 20, kMostBytes >> 20));
  }
  const auto folder = std::make_shared<TemporaryFolder>();
  if (const Status status = folder->Make(); !status.ok()) return ErrorAnswer(status);
  timeline::MergeOptions options;
  options.out = folder->path() + "/trace.json.gz";
  options.gzip = true;
  options.clocks = std::move(clocks);
  const auto merged = timeline::MergeTimelines(profile, options);
  if (!merged.ok()) return ErrorAnswer(merged.status());
  std::error_code error;
  const uint64_t length = fs::file_size(options.out, error);
  if (error) return ErrorAnswer(Status(Code::kIo, "cannot read the trace: " + error.message()));
  http::Response response;
  response.headers = {
      {"Content-Type", "application/gzip"},
      {"Content-Disposition", fmt::format("attachment; filename=\"{}\"", FileName(name))},
      {"Cache-Control", "no-store"},
      {"X-Content-Type-Options", "nosniff"}};
  response.file = http::FileBody{options.out, 0, length, folder};
  return response;
}

}  // namespace warden::dashboard
