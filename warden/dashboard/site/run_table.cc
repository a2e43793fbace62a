#include "warden/dashboard/site/run_table.h"

#include <fmt/format.h>

#include <algorithm>
#include <filesystem>
#include <utility>

#include "warden/base/json_members.h"
#include "warden/base/log.h"
#include "warden/dashboard/core/run_endpoints.h"
#include "warden/dashboard/site/folder_state.h"
#include "warden/dashboard/site/summary_memo.h"
#include "warden/format/layout.h"
#include "warden/storage/store.h"
#include "warden/trial/run_record.h"
#include "warden/trial/run_scalars.h"

namespace warden::dashboard {
namespace {

namespace fs = std::filesystem;

constexpr std::chrono::seconds kSoonestAgain{5};
constexpr int kShareOfTime = 20;

// As StampOf, and with the folder that new steps are written into.
std::string StampOfSteps(const RunPlaces& places) {
  if (places.tensors.empty()) return "nowhere";
  std::string stamp = StampOf(places);
  std::error_code error;
  if (fs::exists(places.tensors + "/" + std::string(format::kEndMarker), error)) return stamp;
  std::string last;
  for (fs::directory_iterator it(places.tensors + "/index", error), end; !error && it != end;
       it.increment(error)) {
    last = std::max(last, it->path().string());
  }
  return last.empty() ? stamp : fmt::format("{} {}", stamp, ChangedAt(last).value_or(0));
}

Json ParametersOfJob(const RunPlaces& places) {
  const Json* given = places.job ? MemberOf(places.job->request, "HyperParameters") : nullptr;
  return given == nullptr ? Json() : *given;
}

Json ToJson(const trial::ScalarSummary& one) {
  const auto value = [](const auto& extreme) { return extreme ? Json(extreme->first) : Json(); };
  const auto step = [](const auto& extreme) { return extreme ? Json(extreme->second) : Json(); };
  return Json::array({JsonNumber(one.last), value(one.min), value(one.max), one.last_step,
                      step(one.min), step(one.max)});
}

// What the user gave wins over what the hook saved under the same name.
Json Columns(const std::string& tensors, const Json& given, const std::stop_token& stop) {
  Json parameters = Json::object(), scalars = Json::object();
  const auto store = storage::OpenStore(tensors);
  const auto read = store.ok() ? trial::ReadRunScalars(*store.value(), stop)
                               : Result<trial::RunScalars>(store.status());
  if (read.ok()) {
    for (const auto& [name, text] : read.value().hyper_parameters) parameters[name] = text;
    for (const auto& [name, summary] : read.value().scalars) scalars[name] = ToJson(summary);
  }
  if (given.is_object()) {
    for (const auto& [name, value] : given.items()) parameters[name] = TextOf(&value);
  } else if (const auto record = trial::ReadRunRecord(tensors); record && !tensors.empty()) {
    for (const auto& [name, text] : record->HyperParameters()) parameters[name] = text;
  }
  return {{"hyper_parameters", std::move(parameters)}, {"scalars", std::move(scalars)}};
}

}  // namespace

RunTable::RunTable(RunSet* runs)
    : runs_(runs), worker_([this](const std::stop_token& stop) { Work(stop); }) {}

std::string RunTable::Answer() {
  std::string rows;
  uint64_t answer = 0;
  {
    const std::lock_guard lock(mutex_);
    answer = ++answers_;
    tasks_.clear();  // They are found again below, in the order of the list.
  }
  size_t pending = 0;
  (void)runs_->ForEach([&](const std::shared_ptr<OpenRun>& run) {
    const RunPlaces places = run->places();
    std::string stamp = StampOfSteps(places);
    const std::lock_guard lock(mutex_);
    Row& row = rows_[places.id];
    row.listed = std::max(row.listed, answer);
    if (row.stamp != stamp && Clock::now() >= row.again) {
      ++pending;
      tasks_.push_back({places.id, std::move(stamp), places.tensors, ParametersOfJob(places)});
    }
    if (row.text.empty()) return;
    if (!rows.empty()) rows += ',';
    rows += JsonText(Json(places.id)) + ':' + row.text;
  });
  const std::lock_guard lock(mutex_);
  // Runs that are not there any more. Of two answers at once the later one has listed all.
  std::erase_if(rows_, [&](const auto& row) { return row.second.listed < answer; });
  wake_.notify_one();
  return fmt::format(R"({{"pending":{},"runs":{{{}}}}})", pending, rows);
}

Json RunTable::ColumnsOf(const RunPlaces& places) {
  const std::string stamp = StampOfSteps(places);
  {
    const std::lock_guard lock(mutex_);
    const auto row = rows_.find(places.id);
    if (row != rows_.end() && row->second.stamp == stamp && !row->second.text.empty()) {
      return ParseJson(row->second.text).value();
    }
  }
  Json columns = Columns(places.tensors, ParametersOfJob(places), {});
  const std::lock_guard lock(mutex_);
  Row& row = rows_[places.id];
  row = {stamp, JsonText(columns), Clock::now() + kSoonestAgain, std::max(row.listed, answers_)};
  return columns;
}

void RunTable::Work(const std::stop_token& stop) {
  std::unique_lock lock(mutex_);
  while (wake_.wait(lock, stop, [&] { return !tasks_.empty(); })) {
    Task task = std::move(tasks_.front());
    tasks_.pop_front();
    // It was being read when the answer before the last was made.
    const auto known = rows_.find(task.id);
    if (known == rows_.end() || known->second.stamp == task.stamp) continue;
    lock.unlock();
    const auto begun = Clock::now();
    std::string text;
    try {
      text = JsonText(Columns(task.tensors, task.given, stop));
    } catch (const std::exception& error) {  // No memory: the next run may need less.
      LogError("cannot summarize run {}: {}", task.id, error.what());
      text = R"({"hyper_parameters":{},"scalars":{}})";
    }
    const auto took = Clock::now() - begun;
    lock.lock();
    if (stop.stop_requested()) return;
    const auto row = rows_.find(task.id);
    if (row == rows_.end()) continue;
    row->second.stamp = std::move(task.stamp);
    row->second.text = std::move(text);
    row->second.again =
        Clock::now() + std::max<Clock::duration>(kSoonestAgain, kShareOfTime * took);
  }
}

}  // namespace warden::dashboard
