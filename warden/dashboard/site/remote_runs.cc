#include "warden/dashboard/site/remote_runs.h"

#include <fmt/format.h>

#include <algorithm>
#include <set>
#include <utility>

#include "warden/format/layout.h"
#include "warden/net/digest.h"

namespace warden::dashboard {
namespace {

constexpr std::string_view kDebugOutput = "/debug-output";

// The place of the whole run, if it is that of its tensors.
std::string WholeRun(std::string url) {
  while (url.ends_with('/')) url.pop_back();
  if (url.ends_with(kDebugOutput)) url.resize(url.size() - kDebugOutput.size());
  return url;
}

// Ends in the last part of the URL, which may be the name of a run.
std::string FolderFor(const service::ServiceOptions& options, const std::string& url) {
  constexpr size_t kDigits = 16;
  return fmt::format("{}/{}/{}", service::DataLayout(options.data).RunsInS3(),
                     net::Hex(net::Sha256(url)).substr(0, kDigits), format::BaseName(url));
}

bool IsIn(const std::string& path, const std::string& folder) {
  return path.starts_with(folder) && (path.size() == folder.size() || path[folder.size()] == '/');
}

}  // namespace

RemoteRuns::RemoteRuns(const service::ServiceOptions& options) {
  std::set<std::string> begun;
  for (const std::string& given : options.runs_in_s3) {
    const std::string url = WholeRun(given);
    if (!begun.insert(url).second) continue;
    const auto bound = storage::s3::RunMirror::BoundFrom();
    auto mirror = bound.ok()
                      ? storage::s3::RunMirror::Start(url, FolderFor(options, url), bound.value())
                      : Result<std::unique_ptr<storage::s3::RunMirror>>(bound.status());
    if (mirror.ok()) {
      mirrors_.push_back(std::move(mirror.value()));
    } else {
      problems_.push_back(mirror.status().message());
    }
  }
}

void RemoteRuns::AddTo(FoundRuns* found) {
  std::set<std::string> ids;
  for (const auto& mirror : mirrors_) {
    mirror->Want();
    FoundRuns copies = FindRuns({mirror->folder()});
    for (RunPlaces& places : copies.runs) {
      places.folder = mirror->UrlOf(places.folder);
      places.tensors_url = mirror->UrlOf(places.tensors);
      places.id = RunIdOf(places.folder);
      // One place may be below another.
      if (ids.insert(places.id).second) found->runs.push_back(std::move(places));
    }
    for (std::string& problem : mirror->Problems()) found->problems.push_back(std::move(problem));
  }
  found->problems.insert(found->problems.end(), problems_.begin(), problems_.end());
}

void RemoteRuns::LookAt(const RunPlaces& places) {
  if (places.tensors_url.empty()) return;
  // Tensors may be in debug-output; the run is what the URL of its folder says.
  const std::string below = places.tensors_url.substr(places.folder.size());
  const std::string run = places.tensors.substr(0, places.tensors.size() - below.size());
  for (const auto& mirror : mirrors_) {
    if (IsIn(run, mirror->folder())) mirror->LookAt(run);
  }
}

Status CheckIsHere(const RunPlaces& places) {
  if (places.tensors_url.empty()) return Status();
  return Status(Code::kUnavailable,
                fmt::format("{} is in S3, where the dashboard only reads; change it there, or copy "
                            "it to a folder",
                            places.folder));
}

}  // namespace warden::dashboard
