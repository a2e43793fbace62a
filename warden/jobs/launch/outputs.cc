#include "warden/jobs/launch/outputs.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <filesystem>
#include <optional>
#include <string_view>

#include "warden/base/json_members.h"
#include "warden/jobs/launch/clean_path.h"
#include "warden/os/open_beneath.h"
#include "warden/os/posix.h"
#include "warden/s3/object_path.h"

namespace warden::jobs {
namespace {

namespace fs = std::filesystem;

// What every host has.
constexpr const char* kFolders[] = {"input/config",
                                    "input/data",
                                    "model",
                                    "code",
                                    "output/data",
                                    "output/metrics/sagemaker",
                                    "output/intermediate",
                                    "output/tensors",
                                    "output/profiler",
                                    "output/tensorboard",
                                    "checkpoints"};
// Those of them that may be outputs; the others are for something else.
constexpr size_t kReserved = 7;

struct Wanted {
  const char* kind;
  std::string uri;
  std::string local_path;
};

std::string LocalPathOf(const Json* config, const char* usual) {
  const std::string path = config == nullptr ? "" : TextOf(MemberOf(*config, "LocalPath"));
  return path.empty() ? std::string("/opt/ml/") + usual : path;
}

std::vector<Wanted> WantedBy(const TrainingJob& job) {
  std::vector<Wanted> wanted;
  const Json& request = job.request;
  if (const Json* config = MemberOf(request, "DebugHookConfig")) {
    wanted.push_back({"DebugHookConfig", job.DebugOutput(), LocalPathOf(config, "output/tensors")});
  }
  if (const std::string uri = job.ProfilerOutput(); !uri.empty()) {
    const Json* parameters = MemberOf(request, "ProfilerConfig", "ProfilingParameters");
    wanted.push_back({"ProfilerConfig", uri, LocalPathOf(parameters, "output/profiler")});
  }
  if (const Json* config = MemberOf(request, "TensorBoardOutputConfig")) {
    wanted.push_back({"TensorBoardOutputConfig", job.TensorBoardOutput(),
                      LocalPathOf(config, "output/tensorboard")});
  }
  if (const Json* config = MemberOf(request, "CheckpointConfig")) {
    wanted.push_back({"CheckpointConfig", TextOf(MemberOf(*config, "S3Uri")),
                      LocalPathOf(config, "checkpoints")});
  }
  return wanted;
}

Result<OutputFolder> FolderOf(const Wanted& wanted, const HostLayout& layout,
                              const std::string& objects) {
  auto place = layout.PlaceOf(wanted.local_path);
  if (!place.ok()) return place.status().WithContext(wanted.kind);
  auto object = s3::ParseS3Uri(wanted.uri);
  if (!object.ok()) return object.status().WithContext(wanted.kind);
  while (object.value().key.ends_with('/')) object.value().key.pop_back();
  auto target = s3::PathOfObject(objects, object.value());
  if (!target.ok()) return target.status().WithContext(wanted.kind);
  return OutputFolder{wanted.kind, std::move(place.value()), std::move(target.value()), objects};
}

bool Overlap(const std::string& a, const std::string& b) {
  return IsBelowOrSame(a, b) || IsBelowOrSame(b, a);
}

// A link cannot stand where a folder of ours is, or where another link leads through.
Status CheckPlaces(const HostLayout& layout, const std::vector<OutputFolder>& outputs) {
  for (size_t i = 0; i < outputs.size(); ++i) {
    const std::string& here = outputs[i].place.here;
    for (size_t j = 0; j < kReserved; ++j) {
      if (!IsBelowOrSame(layout.Here(kFolders[j]), here)) continue;
      return Status(Code::kInvalid, fmt::format("{}: LocalPath: /opt/ml/{} is reserved",
                                                outputs[i].kind, kFolders[j]));
    }
    for (size_t j = 0; j < i; ++j) {
      if (!Overlap(here, outputs[j].place.here)) continue;
      return Status(Code::kInvalid, fmt::format("{}: LocalPath overlaps with that of {}",
                                                outputs[i].kind, outputs[j].kind));
    }
  }
  return Status();
}

Status MakeOutputFolder(const std::string& path) {
  std::error_code error;
  fs::create_directories(path, error);
  if (error && !fs::is_directory(path)) return os::IoError("create", path, error.value());
  return Status();
}

// Makes a path below the root where it is not there. Never by a link, which a program may have left
// where it may write: we, or another job, would write there.
Result<os::UniqueFd> MakeBelow(const std::string& root, const std::string& path) {
  const os::UniqueFd opened(open(root.c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC));
  if (!opened.ok()) return os::IoError("open", root, errno);
  const size_t below = std::min(root.size() + 1, path.size());
  return os::MakeFolderBeneath(opened.get(), std::string_view(path).substr(below));
}

Status MakeTarget(const OutputFolder& output) {
  if (Status status = MakeOutputFolder(output.objects); !status.ok()) return status;
  return MakeBelow(output.objects, output.target).status().WithContext(output.kind);
}

Status MakeLink(const HostLayout& layout, const OutputFolder& output, const std::string& here) {
  std::error_code error;
  if (fs::read_symlink(here, error) == output.target && !error) return Status();
  const fs::path path(here);
  const auto above = MakeBelow(layout.agent(), path.parent_path());
  if (!above.ok()) return above.status().WithContext(output.kind);
  const std::string name = path.filename();
  // One that was made before anybody asked for this output; with something in it it stays.
  unlinkat(above.value().get(), name.c_str(), AT_REMOVEDIR);
  if (symlinkat(output.target.c_str(), above.value().get(), name.c_str()) == 0) return Status();
  return os::IoError("create a link at", here, errno).WithContext(output.kind);
}

}  // namespace

Result<std::vector<OutputFolder>> OutputFoldersOf(const TrainingJob& job, const HostLayout& layout,
                                                  const std::string& objects) {
  std::vector<OutputFolder> outputs;
  for (const Wanted& wanted : WantedBy(job)) {
    auto folder = FolderOf(wanted, layout, objects);
    if (!folder.ok()) return folder.status();
    outputs.push_back(std::move(folder.value()));
  }
  if (Status status = CheckPlaces(layout, outputs); !status.ok()) return status;
  return outputs;
}

std::string ProfilerLinkOf(const HostLayout& layout) { return layout.agent() + "/profiler"; }

Status LinkOutputs(const HostLayout& layout, const std::vector<OutputFolder>& outputs,
                   bool running) {
  for (const OutputFolder& output : outputs) {
    if (Status status = MakeTarget(output); !status.ok()) return status;
    if (Status status = MakeOutputFolder(layout.agent()); !status.ok()) return status;
    const std::string& here = output.place.here;
    std::error_code error;
    const bool linked = fs::read_symlink(here, error) == output.target && !error;
    // A container gets it mounted. A box has been made, and what was not in it then cannot be
    // reached from it: the folder stays as it is until the end.
    const bool stays = running && layout.view() == HostLayout::View::kBox && !linked;
    Status status;
    if (layout.in_container()) {
      status = MakeBelow(layout.agent(), here).status().WithContext(output.kind);
    } else if (!stays) {
      status = MakeLink(layout, output, here);
    }
    if (status.ok() && output.kind == "ProfilerConfig") {
      status = MakeLink(layout, output, ProfilerLinkOf(layout));
    }
    if (!status.ok()) return status;
  }
  return Status();
}

Status MakeHostFolders(const HostLayout& layout, const std::vector<OutputFolder>& outputs) {
  if (Status status = LinkOutputs(layout, outputs); !status.ok()) return status;
  for (const char* folder : kFolders) {
    if (Status status = MakeOutputFolder(layout.Here(folder)); !status.ok()) return status;
  }
  return Status();
}

}  // namespace warden::jobs
