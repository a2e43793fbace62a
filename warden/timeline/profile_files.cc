#include "warden/timeline/profile_files.h"

#include <dirent.h>
#include <fcntl.h>
#include <fmt/format.h>
#include <sys/stat.h>

#include <algorithm>
#include <array>
#include <filesystem>
#include <iterator>
#include <limits>
#include <tuple>
#include <utility>

#include "warden/base/strings.h"
#include "warden/format/profiler_layout.h"
#include "warden/os/open_beneath.h"
#include "warden/os/open_inside.h"

namespace warden::timeline {
namespace {

constexpr int kDeepest = 16;  // Folders below the one that is listed.
constexpr std::string_view kTensorFlowFolder = "tensorflow/detailed_profiling/";
constexpr std::string_view kTensorFlowTrace = "trace.json.gz";
constexpr std::string_view kMetadata = ".metadata";
constexpr std::string_view kGzip = ".gz";
// As torch.profiler.tensorboard_trace_handler calls them.
constexpr std::array<std::string_view, 2> kTorchTraces = {".pt.trace.json", ".pt.trace.json.gz"};

constexpr std::array<std::pair<std::string_view, Source>, 4> kSuffixes = {{
    {format::kPythonTimeline, Source::kPython},
    {format::kModelTimeline, Source::kModel},
    {format::kHorovodTimeline, Source::kHorovod},
    {format::kDataParallelTimeline, Source::kDataParallel},
}};

// Readers of the original hand out what they have in this order.
int Rank(Source source) {
  switch (source) {
    case Source::kPython: return 0;
    case Source::kModel: return 1;
    case Source::kTensorFlow: return 2;
    case Source::kHorovod: return 3;
    case Source::kDataParallel: return 4;
    case Source::kOther: break;
  }
  return 5;
}

std::string_view BaseName(std::string_view key) { return key.substr(key.rfind('/') + 1); }

// The folder so many levels up from the file.
std::string_view FolderAbove(std::string_view key, int levels) {
  for (int i = 0; i < levels; ++i) {
    const size_t slash = key.rfind('/');
    if (slash == std::string_view::npos) return {};
    key = key.substr(0, slash);
  }
  return key;
}

// "<node>_<start us>_<end us>.metadata", the first of them below a folder.
void ReadMetadataName(std::string_view below, const std::vector<std::string>& all,
                      TraceFile* file) {
  const std::string prefix = std::string(below) + "/";
  for (auto at = std::lower_bound(all.begin(), all.end(), prefix);
       at != all.end() && at->starts_with(prefix); ++at) {
    std::string_view name = BaseName(*at);
    if (!name.ends_with(kMetadata)) continue;
    name.remove_suffix(kMetadata.size());
    const size_t first = name.find('_');
    const size_t second = name.find('_', first + 1);
    if (first == std::string_view::npos || second == std::string_view::npos) continue;
    const auto start = ParseInt(name.substr(first + 1, second - first - 1));
    const auto end = ParseInt(name.substr(second + 1));
    if (!start || !end) continue;
    file->base_us = *start;
    file->time_us = *end;
    return;
  }
}

std::optional<TraceFile> ToTensorFlowTrace(const std::string& key,
                                           const std::vector<std::string>& all) {
  TraceFile file;
  file.source = Source::kTensorFlow;
  file.suffix = kTensorFlowTrace;
  file.gzip = true;
  file.node = std::string(BaseName(key).substr(0, BaseName(key).find('.')));
  ReadMetadataName(FolderAbove(key, 4), all, &file);
  return file;
}

// Their times say themselves what they count from, their names only who wrote them.
std::optional<TraceFile> ToTorchTrace(const std::string& key) {
  for (const std::string_view ending : kTorchTraces) {
    if (!key.ends_with(ending)) continue;
    TraceFile file;
    file.suffix = ending;
    file.gzip = ending.ends_with(kGzip);
    file.node = std::string(BaseName(key).substr(0, BaseName(key).find('.')));
    return file;
  }
  return std::nullopt;
}

// Times in order, each once.
template <class File>
std::vector<int64_t> TimesOf(const std::vector<File>& files) {
  std::vector<int64_t> times;
  for (const File& file : files) {
    if (file.finished && file.time_us != 0) times.push_back(file.time_us);
  }
  std::sort(times.begin(), times.end());
  times.erase(std::unique(times.begin(), times.end()), times.end());
  return times;
}

int64_t Add(int64_t a, int64_t b) {
  int64_t sum = 0;
  if (!__builtin_add_overflow(a, b, &sum)) return sum;
  return b < 0 ? std::numeric_limits<int64_t>::min() : std::numeric_limits<int64_t>::max();
}

// Leaves those that may hold something of the range. Names of metrics tell their first moment, so
// that the file before may reach into the range (`before`).
template <class File>
void Choose(const TimeRange& range, int64_t buffer_us, bool before, bool unfinished,
            std::vector<File>* files) {
  const std::vector<int64_t> times = TimesOf(*files);
  auto first = std::lower_bound(times.begin(), times.end(), Add(range.start_us, -buffer_us));
  const auto last = std::upper_bound(times.begin(), times.end(), Add(range.end_us, buffer_us));
  if (before && first != times.begin()) --first;
  const int64_t from = first == times.end() ? std::numeric_limits<int64_t>::max() : *first;
  const int64_t to = last == times.end() ? std::numeric_limits<int64_t>::max() : *last;
  std::erase_if(*files, [&](const File& file) {
    if (!file.finished) return !unfinished;
    return file.time_us != 0 && (file.time_us < from || file.time_us > to);
  });
}

// Lists files below one folder of a profile. Works on what it has opened, which nobody can replace
// by a link meanwhile.
class Lister {
 public:
  Lister(const std::string& folder, std::string_view below)
      : folder_(folder),
        below_(below),
        opened_(OpenInProfile(folder, below, O_RDONLY | O_DIRECTORY | O_NONBLOCK)) {}

  // Files in the folder, and as many levels down.
  std::vector<std::string> List(int levels) {
    if (opened_.ok()) Add("", levels);
    return std::move(keys_);
  }

 private:
  void Add(const std::string& path, int levels) {
    std::vector<std::string> folders;
    {
      const auto folder = os::ReadFolderBeneath(opened_.get(), path);
      if (!folder.ok()) return;
      DIR* const names = folder.value().get();
      while (const dirent* const entry = readdir(names)) {
        const std::string_view name = entry->d_name;
        if (name == "." || name == "..") continue;
        std::string inner = path.empty() ? std::string(name) : fmt::format("{}/{}", path, name);
        const unsigned char type = TypeOf(*entry, dirfd(names));
        if (type == DT_DIR) {
          folders.push_back(std::move(inner));
        } else if (type == DT_REG || (type == DT_LNK && LeadsToFile(below_ + inner))) {
          keys_.push_back(below_ + inner);
        }
      }
    }
    if (levels == 0) return;
    for (const std::string& inner : folders) Add(inner, levels - 1);
  }

  // Asks the file system only where the folder does not say it itself.
  static unsigned char TypeOf(const dirent& entry, int folder) {
    if (entry.d_type != DT_UNKNOWN) return entry.d_type;
    struct stat info;
    const bool found = fstatat(folder, entry.d_name, &info, AT_SYMLINK_NOFOLLOW) == 0;
    return found ? static_cast<unsigned char>(IFTODT(info.st_mode)) : entry.d_type;
  }

  bool LeadsToFile(const std::string& key) const {
    const os::UniqueFd file = OpenInProfile(folder_, key, O_PATH);
    struct stat info;
    return file.ok() && fstat(file.get(), &info) == 0 && S_ISREG(info.st_mode);
  }

  const std::string& folder_;
  const std::string below_;
  const os::UniqueFd opened_;
  std::vector<std::string> keys_;
};

constexpr int64_t kHourUs = 3'600'000'000;
constexpr int64_t kFileUs = 60'000'000;  // What a file of metrics holds.

// The files of metrics among the keys that may have something of the range, by time, then name.
std::vector<MetricFile> ChooseMetricFiles(const std::string& folder,
                                          const std::vector<std::string>& keys,
                                          const TimeRange& range, int64_t buffer_us,
                                          bool unfinished) {
  std::vector<MetricFile> files;
  for (const std::string& key : keys) {
    if (auto file = ToMetricFile(folder, key)) files.push_back(*std::move(file));
  }
  Choose(range, buffer_us, /*before=*/true, unfinished, &files);
  std::sort(files.begin(), files.end(), [](const MetricFile& a, const MetricFile& b) {
    return std::tie(a.time_us, a.path) < std::tie(b.time_us, b.path);
  });
  return files;
}

// What readers are to open.
FilePlace PlaceOf(const std::string& folder, std::string_view key) {
  return {fmt::format("{}/{}", folder, key), RootOfProfile(folder)};
}

}  // namespace

size_t RootOfProfile(std::string_view folder) {
  const size_t last = folder.find_last_not_of('/');
  if (last == std::string_view::npos) return 1;  // That of the file system.
  const std::string_view path = folder.substr(0, last + 1);
  const std::string_view name = BaseName(path);
  return name == format::kProfilerOutput ? path.size() - name.size() : path.size() + 1;
}

std::string NamedProfile(const std::string& folder) {
  const std::string path = folder.substr(0, folder.find_last_not_of('/') + 1);
  std::error_code error;
  if (BaseName(path) != format::kProfilerOutput) return folder;
  if (!std::filesystem::is_symlink(path, error)) return folder;
  const std::filesystem::path real = std::filesystem::canonical(path, error);
  return error ? folder : real.string();
}

os::UniqueFd OpenInProfile(const std::string& folder, std::string_view key, int flags) {
  const FilePlace place = PlaceOf(folder, key);
  return os::OpenInside(place.path.substr(0, place.root),
                        std::string_view(place.path).substr(place.root), flags);
}

bool HasProfile(const std::string& folder) {
  const auto has = [&](std::string_view key) {
    return OpenInProfile(folder, key, O_PATH | O_DIRECTORY).ok();
  };
  return has(format::kSystemPrefix) || has(format::kFrameworkPrefix);
}

std::vector<std::string> ListFolder(const std::string& folder, std::string_view below) {
  return Lister(folder, below).List(kDeepest);
}

std::optional<MetricFile> ToMetricFile(const std::string& folder, const std::string& key) {
  const auto name = format::ParseMetricFileKey(key);
  if (!name || name->seconds > std::numeric_limits<int64_t>::max() / 1'000'000) return std::nullopt;
  return MetricFile{PlaceOf(folder, key), name->seconds * 1'000'000, name->finished};
}

std::optional<TraceFile> ToTraceFile(const std::string& folder, const std::string& key,
                                     const std::vector<std::string>& all) {
  std::optional<TraceFile> file;
  if (auto name = format::ParseTimelineFileKey(key)) {
    const auto known = std::find_if(kSuffixes.begin(), kSuffixes.end(), [&](const auto& suffix) {
      return name->suffix.ends_with(suffix.first);
    });
    if (known == kSuffixes.end()) return std::nullopt;
    file.emplace();
    file->time_us = name->end_us;
    file->node = std::move(name->node);
    file->suffix = known->first;
    file->source = known->second;
    file->finished = name->finished;
  } else if (key.find(kTensorFlowFolder) != std::string::npos && key.ends_with(kTensorFlowTrace)) {
    file = ToTensorFlowTrace(key, all);
  } else if (key.starts_with(format::kFrameworkPrefix)) {
    file = ToTorchTrace(key);
  }
  if (file) static_cast<FilePlace&>(*file) = PlaceOf(folder, key);
  return file;
}

std::vector<MetricFile> MetricFiles(const std::string& folder, const TimeRange& range,
                                    int64_t buffer_us, bool unfinished) {
  return ChooseMetricFiles(folder, ListFolder(folder, format::kSystemPrefix), range, buffer_us,
                           unfinished);
}

std::vector<MetricFile> MetricFilesAround(const std::string& folder, const TimeRange& range) {
  std::vector<std::string> keys;
  // A file that has something of the first hour may have begun in the one before.
  const int64_t first_hour = (range.start_us - kFileUs) / kHourUs;
  for (int64_t hour = first_hour; hour <= range.end_us / kHourUs; ++hour) {
    const std::string any = format::MetricFileKey(hour * kHourUs / 1'000'000, "algo-1");
    std::vector<std::string> more = ListFolder(folder, any.substr(0, any.rfind('/') + 1));
    std::move(more.begin(), more.end(), std::back_inserter(keys));
  }
  std::vector<MetricFile> files =
      ChooseMetricFiles(folder, keys, range, /*buffer_us=*/0, /*unfinished=*/true);
  // Their names have the times of their first lines.
  std::erase_if(files, [&](const MetricFile& file) { return file.time_us > range.end_us; });
  return files;
}

std::vector<TraceFile> TraceFiles(const std::string& folder, const TimeRange& range,
                                  int64_t buffer_us, bool unfinished,
                                  const std::vector<std::string>& suffixes) {
  std::vector<std::string> keys = ListFolder(folder, format::kFrameworkPrefix);
  // Data parallelism writes its unfinished file beside that folder.
  std::vector<std::string> beside = Lister(folder, "").List(0);
  std::move(beside.begin(), beside.end(), std::back_inserter(keys));
  std::sort(keys.begin(), keys.end());
  std::vector<TraceFile> files;
  for (const std::string& key : keys) {
    auto file = ToTraceFile(folder, key, keys);
    if (!file) continue;
    const bool wanted =
        suffixes.empty() || std::any_of(suffixes.begin(), suffixes.end(),
                                        [&](const auto& suffix) { return key.ends_with(suffix); });
    if (wanted) files.push_back(*std::move(file));
  }
  Choose(range, buffer_us, /*before=*/false, unfinished, &files);
  static constexpr int64_t kLast = std::numeric_limits<int64_t>::max();
  const auto key = [](const TraceFile& file) {
    return std::tuple(Rank(file.source), file.finished ? file.time_us : kLast, file.path);
  };
  std::sort(files.begin(), files.end(),
            [&](const TraceFile& a, const TraceFile& b) { return key(a) < key(b); });
  return files;
}

}  // namespace warden::timeline
