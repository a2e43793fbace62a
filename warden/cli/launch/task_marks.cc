#include "warden/cli/launch/task_marks.h"

#include <fmt/format.h>

#include <algorithm>
#include <thread>
#include <utility>

#include "warden/base/log.h"
#include "warden/capture/launch_mark.h"
#include "warden/format/layout.h"

namespace warden::cli {
namespace {

std::string KeyOf(std::string_view mark) {
  return fmt::format("{}tasks/{}.json", format::kOwnPrefix, mark);
}

constexpr char kStop[] = "stop";

}  // namespace

Result<TaskMarks> TaskMarks::Open(const std::string& run, capture::SharedLaunch launch) {
  auto store = storage::OpenStore(run);
  if (!store.ok()) return store.status();
  return TaskMarks(std::move(store.value()), std::move(launch));
}

void TaskMarks::End() const {
  const Status set = Set(KeyOf(std::to_string(launch_.rank)));
  if (!set.ok()) LogWarning("{}", set.message());
}

void TaskMarks::WaitForOthers(std::chrono::milliseconds most) const {
  const auto deadline = std::chrono::steady_clock::now() + most;
  for (int rank = 0; rank < launch_.size; ++rank) {
    while (rank != launch_.rank && !IsSet(KeyOf(std::to_string(rank)))) {
      if (std::chrono::steady_clock::now() >= deadline) return;
      std::this_thread::sleep_for(std::chrono::milliseconds(20));
    }
  }
}

Status TaskMarks::Stop() const { return Set(KeyOf(kStop)); }

bool TaskMarks::Stopped() const { return IsSet(KeyOf(kStop)); }

std::chrono::milliseconds TaskMarks::Pause() const {
  return std::max<std::chrono::milliseconds>(std::chrono::milliseconds(200),
                                             std::chrono::milliseconds(10) * launch_.size);
}

Status TaskMarks::Set(const std::string& key) const {
  return capture::SetLaunchMark(store_.get(), key, launch_.id);
}

bool TaskMarks::IsSet(const std::string& key) const {
  return capture::ReadLaunchMark(*store_, key) == launch_.id;
}

}  // namespace warden::cli
