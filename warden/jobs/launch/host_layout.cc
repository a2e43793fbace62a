#include "warden/jobs/launch/host_layout.h"

#include <fmt/format.h>

#include "warden/jobs/launch/clean_path.h"

namespace warden::jobs {
namespace {

constexpr std::string_view kRoot = "/opt/ml";
// What requests name elsewhere goes below this, so that it cannot meet our own files.
constexpr std::string_view kElsewhere = "/other";

}  // namespace

std::string HostLayout::Here(std::string_view path) const {
  return fmt::format("{}{}/{}", agent_, kRoot, path);
}

std::string HostLayout::Seen(std::string_view path) const {
  return view_ == View::kHere ? Here(path) : fmt::format("{}/{}", kRoot, path);
}

Result<HostLayout::Place> HostLayout::PlaceOf(const std::string& requested) const {
  const auto path = CleanAbsolute(requested);
  if (!path || path->empty()) {
    return Status(
        Code::kInvalid,
        fmt::format(
            "LocalPath is '{}'; expected an absolute folder path, such as /opt/ml/output/tensors",
            requested.substr(0, 200)));
  }
  const bool usual = IsBelowOrSame(*path, kRoot);
  std::string here = agent_ + (usual ? "" : std::string(kElsewhere)) + *path;
  const bool moved = view_ == View::kContainer || (view_ == View::kBox && usual);
  return Place{here, moved ? *path : here};
}

}  // namespace warden::jobs
