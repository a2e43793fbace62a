#include "warden/jobs/launch/input_data.h"

#include <fmt/format.h>

#include <algorithm>
#include <filesystem>
#include <set>
#include <vector>

#include "warden/base/json.h"
#include "warden/base/json_members.h"
#include "warden/jobs/launch/copy_tree.h"
#include "warden/jobs/launch/job_files.h"
#include "warden/jobs/launch/objects.h"
#include "warden/os/posix.h"

namespace warden::jobs {
namespace {

struct Channel {
  std::string name;
  std::string address;
  bool sharded = false;
};

Status WrongChannel(const std::string& channel, std::string_view what) {
  return Status(Code::kInvalid, fmt::format("channel '{}': {}", channel, what));
}

// Names become folders and parts of variables.
bool IsChannelName(const std::string& name) {
  return !name.empty() && name != "." && name != ".." &&
         std::all_of(name.begin(), name.end(), [](unsigned char c) {
           return c < 0x80 && (std::isalnum(c) != 0 || c == '.' || c == '-' || c == '_');
         });
}

Result<Channel> ReadChannel(const Json& json, const std::string& mode) {
  Channel channel;
  channel.name = TextOf(MemberOf(json, "ChannelName"));
  if (!IsChannelName(channel.name)) {
    return WrongChannel(channel.name, "invalid name; expected letters, digits, '.', '-' and '_'");
  }
  if (mode == "Pipe") {
    return WrongChannel(
        channel.name,
        "input mode Pipe is not supported; expected File or FastFile (treated as File)");
  }
  if (MemberOf(json, "DataSource", "FileSystemDataSource") != nullptr) {
    return WrongChannel(channel.name,
                        "FileSystemDataSource is not supported; expected an S3DataSource");
  }
  const Json* source = MemberOf(json, "DataSource", "S3DataSource");
  if (source == nullptr)
    return WrongChannel(channel.name, "DataSource is missing; expected an S3DataSource");
  const std::string type = TextOf(MemberOf(*source, "S3DataType"));
  if (!type.empty() && type != "S3Prefix") {
    return WrongChannel(channel.name,
                        fmt::format("S3DataType {} is not supported; expected S3Prefix", type));
  }
  channel.address = TextOf(MemberOf(*source, "S3Uri"));
  channel.sharded = TextOf(MemberOf(*source, "S3DataDistributionType")) == "ShardedByS3Key";
  return channel;
}

Result<std::vector<Channel>> ReadChannels(const TrainingJob& job) {
  std::vector<Channel> channels;
  const Json* given = MemberOf(job.request, "InputDataConfig");
  if (given == nullptr || !given->is_array()) return channels;
  const Json modes = InputDataConfigOf(job);
  std::set<std::string> names;
  for (const Json& json : *given) {
    const std::string name = TextOf(MemberOf(json, "ChannelName"));
    auto channel = ReadChannel(json, TextOf(MemberOf(modes, name, "TrainingInputMode")));
    if (!channel.ok()) return channel.status();
    if (!names.insert(name).second) return WrongChannel(name, "duplicate channel name");
    channels.push_back(std::move(channel.value()));
  }
  return channels;
}

}  // namespace

Status CheckInputData(const TrainingJob& job) { return ReadChannels(job).status(); }

Status FetchInputData(const TrainingJob& job, const std::string& host, const HostLayout& layout,
                      const std::string& objects) {
  const auto channels = ReadChannels(job);
  if (!channels.ok()) return channels.status();
  const std::vector<std::string> hosts = job.Hosts();
  const auto own = static_cast<size_t>(std::find(hosts.begin(), hosts.end(), host) - hosts.begin());
  for (const Channel& channel : channels.value()) {
    const auto files = FilesAt(objects, channel.address);
    if (!files.ok()) {
      return Status(files.status().code(),
                    fmt::format("channel '{}': {}", channel.name, files.status().message()));
    }
    const std::string folder = layout.Here("input/data/" + channel.name);
    std::error_code error;
    std::filesystem::create_directories(folder, error);
    if (error) return os::IoError("create", folder, error.value());
    for (size_t i = 0; i < files.value().size(); ++i) {
      if (channel.sharded && i % hosts.size() != own) continue;
      const GivenFile& file = files.value()[i];
      const Status status = CopyBeneath(file.folder, file.path, folder, file.name);
      if (!status.ok()) return status.WithContext(fmt::format("channel '{}'", channel.name));
    }
  }
  return Status();
}

}  // namespace warden::jobs
