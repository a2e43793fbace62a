#include "warden/dashboard/profile/report_files.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/stat.h>

#include <algorithm>
#include <filesystem>
#include <set>
#include <utility>

#include "warden/os/open_beneath.h"

namespace warden::dashboard {
namespace {

namespace fs = std::filesystem;

constexpr std::string_view kProfilerPage = "profiler-report.html";
constexpr std::string_view kXgboostPage = "xgboost_report.html";
constexpr std::string_view kProfilerFolder = "profiler-output";
constexpr int kDeepest = 4;
constexpr size_t kMostLooked = 20'000;
constexpr size_t kMostFiles = 200;
constexpr size_t kMostReports = 200;

bool IsKind(const fs::directory_entry& entry, fs::file_type type) {
  std::error_code error;
  return entry.symlink_status(error).type() == type && !error;
}

// "ProfilerReport-1700" of "ProfilerReport-1700/profiler-output"; the root's where there is none.
std::string NameOf(const fs::path& root, const fs::path& path) {
  fs::path named = path.filename() == kProfilerFolder ? path.parent_path() : path;
  if (named.empty()) named = root.has_filename() ? root : root.parent_path();
  return named.filename().string();
}

class Finder {
 public:
  explicit Finder(std::string root) : root_(std::move(root)) {}

  std::vector<WrittenReport> Find() {
    Look(fs::path(), 0);
    return std::move(found_);
  }

 private:
  void Look(const fs::path& path, int depth) {
    std::vector<fs::path> below;
    std::error_code error;
    for (fs::directory_iterator at(root_ / path, error), end; !error && at != end;
         at.increment(error)) {
      if (++looked_ > kMostLooked || found_.size() == kMostReports) return;
      const fs::path name = at->path().filename();
      if (IsKind(*at, fs::file_type::directory)) {
        below.push_back(path / name);
      } else if ((name == kProfilerPage || name == kXgboostPage) &&
                 IsKind(*at, fs::file_type::regular)) {
        Take(path, name, name == kXgboostPage);
      }
    }
    std::sort(below.begin(), below.end());
    if (depth == kDeepest) return;
    for (const fs::path& folder : below) Look(folder, depth + 1);
  }

  void Take(const fs::path& path, const fs::path& page, bool xgboost) {
    WrittenReport report;
    report.name = NameOf(root_, path);
    report.root = root_.string();
    report.path = path.string();
    report.xgboost = xgboost;
    struct stat info;
    if (stat((root_ / path / page).c_str(), &info) != 0) return;
    report.modified =
        static_cast<double>(info.st_mtim.tv_sec) + static_cast<double>(info.st_mtim.tv_nsec) / 1e9;
    report.files.push_back({page.string(), static_cast<uint64_t>(info.st_size)});
    const std::string stem = page.stem().string();
    AddFiles(path, "", [&](const std::string& name) { return name.starts_with(stem); }, &report);
    if (!xgboost) AddFiles(path, "profiler-reports", [](const auto&) { return true; }, &report);
    found_.push_back(std::move(report));
  }

  // Files of the report's own folder, or of one in it, by name.
  template <class F>
  void AddFiles(const fs::path& path, const fs::path& below, F wanted, WrittenReport* report) {
    std::vector<WrittenReport::File> files;
    std::error_code error;
    for (fs::directory_iterator at(root_ / path / below, error), end; !error && at != end;
         at.increment(error)) {
      const std::string name = at->path().filename().string();
      if (!IsKind(*at, fs::file_type::regular) || !wanted(name)) continue;
      const std::string key = (below / name).string();
      std::error_code unknown;
      const uintmax_t bytes = at->file_size(unknown);
      const bool known = key == report->files[0].path;
      if (!unknown && !known && files.size() < kMostFiles) files.push_back({key, bytes});
    }
    std::sort(files.begin(), files.end(),
              [](const auto& a, const auto& b) { return a.path < b.path; });
    report->files.insert(report->files.end(), files.begin(), files.end());
  }

  const fs::path root_;
  size_t looked_ = 0;
  std::vector<WrittenReport> found_;
};

// Whether each part of it names something: no way up, and nothing empty.
bool IsPlain(std::string_view path) {
  if (path.empty() || path.find('\0') != std::string_view::npos) return false;
  while (true) {
    const size_t slash = path.find('/');
    const std::string_view part = path.substr(0, slash);
    if (part.empty() || part == "." || part == "..") return false;
    if (slash == std::string_view::npos) return true;
    path.remove_prefix(slash + 1);
  }
}

std::string_view TypeOf(std::string_view path) {
  if (path.ends_with(".html")) return "text/html; charset=utf-8";
  if (path.ends_with(".json")) return "application/json";
  if (path.ends_with(".ipynb")) return "application/x-ipynb+json";
  if (path.ends_with(".txt")) return "text/plain; charset=utf-8";
  return "application/octet-stream";
}

// As a header can have it, and any file system.
std::string SafeName(std::string_view report, std::string_view path) {
  std::string name = fmt::format("{}-{}", report, path.substr(path.rfind('/') + 1));
  std::replace_if(
      name.begin(), name.end(),
      [](unsigned char c) { return std::isalnum(c) == 0 && c != '.' && c != '-' && c != '_'; },
      '_');
  constexpr size_t kLongest = 200;
  if (name.size() > kLongest) name.erase(0, name.size() - kLongest);  // The ending stays.
  if (name.starts_with('.')) name[0] = '_';
  return name;
}

http::Headers HeadersOf(const WrittenReport& report, std::string_view path, bool download) {
  http::Headers headers = {
      {"Content-Type", std::string(TypeOf(path))},
      {"Cache-Control", "no-store"},
      {"X-Content-Type-Options", "nosniff"},
      // A file that a training's process may have written: it can draw itself, and nothing else.
      {"Content-Security-Policy",
       "sandbox allow-scripts allow-downloads; default-src 'none'; script-src 'unsafe-inline'; "
       "style-src 'unsafe-inline'; img-src data:"}};
  if (download) {
    headers.emplace_back("Content-Disposition",
                         fmt::format("attachment; filename=\"{}\"", SafeName(report.name, path)));
  }
  return headers;
}

}  // namespace

std::vector<WrittenReport> FindReports(const RunPlaces& places) {
  std::vector<WrittenReport> all;
  std::set<std::string> seen;
  for (const std::string& root : places.reports) {
    if (root.empty()) continue;
    for (WrittenReport& report : Finder(root).Find()) {
      const auto folder = (fs::path(report.root) / report.path / report.files[0].path);
      // One folder of rules may be below another.
      if (seen.insert(folder.lexically_normal().string()).second) all.push_back(std::move(report));
    }
  }
  std::set<std::string> names;
  for (WrittenReport& report : all) {
    const std::string stem = report.name.empty() ? "report" : report.name;
    report.name = stem;
    for (int i = 2; !names.insert(report.name).second; ++i) {
      report.name = fmt::format("{}-{}", stem, i);
    }
  }
  std::sort(all.begin(), all.end(), [](const WrittenReport& a, const WrittenReport& b) {
    return std::pair(-a.modified, std::string_view(a.name)) <
           std::pair(-b.modified, std::string_view(b.name));
  });
  return all;
}

Result<http::Response> ReportFile(const RunPlaces& places, std::string_view name_and_path,
                                  bool download) {
  const size_t slash = std::min(name_and_path.find('/'), name_and_path.size());
  const std::string_view name = name_and_path.substr(0, slash);
  const std::string_view path = name_and_path.substr(std::min(slash + 1, name_and_path.size()));
  const Status absent(Code::kNotFound, fmt::format("no report file '{}'", path));
  const std::vector<WrittenReport> reports = FindReports(places);
  const auto report = std::find_if(reports.begin(), reports.end(),
                                   [&](const auto& one) { return one.name == name; });
  if (report == reports.end()) {
    return Status(Code::kNotFound, fmt::format("no report '{}'", name));
  }
  if (!IsPlain(path)) return absent;
  const os::UniqueFd root(open(report->root.c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC));
  if (!root.ok()) return absent;
  const std::string beneath =
      report->path.empty() ? std::string(path) : fmt::format("{}/{}", report->path, path);
  auto opened = os::OpenFileBeneath(root.get(), beneath);
  if (!opened.ok()) return absent;
  auto file = std::make_shared<os::UniqueFd>(std::move(opened.value()));
  struct stat info;
  if (fstat(file->get(), &info) != 0) return absent;
  http::Response response;
  response.headers = HeadersOf(*report, path, download);
  response.file = http::FileBody{fmt::format("/proc/self/fd/{}", file->get()), 0,
                                 static_cast<uint64_t>(info.st_size), file};
  return response;
}

}  // namespace warden::dashboard
