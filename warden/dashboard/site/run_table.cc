#include "warden/dashboard/site/run_table.h"

#include <fmt/format.h>

#include <algorithm>
#include <filesystem>
#include <utility>

#include "warden/base/json_members.h"
#include "warden/base/log.h"
#include "warden/dashboard/core/run_endpoints.h"
#include "warden/dashboard/site/folder_state.h"
#include "warden/dashboard/site/summary_texts.h"
#include "warden/format/layout.h"
#include "warden/storage/store.h"
#include "warden/trial/run_record.h"
#include "warden/trial/run_scalars.h"

namespace warden::dashboard {
namespace {

namespace fs = std::filesystem;

constexpr std::chrono::seconds kSoonestAgain{5};
constexpr int kShareOfTime = 20;
constexpr std::chrono::seconds kBetweenSaves{30};

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

// What is shown of a run, and what that makes of its rows.
struct RunNumbers {
  Json columns;
  std::map<std::string, std::string> best = {};
  bool could_read = true;
};

std::map<std::string, std::string> BestTexts(const std::vector<trial::BestStep>& all) {
  std::map<std::string, std::string> texts;
  for (const trial::BestStep& one : all) {
    Json values = Json::object();
    for (const auto& [name, value] : one.values) values[name] = JsonNumber(value);
    texts[(one.lowest ? "min:" : "max:") + one.name] = JsonText(values);
  }
  return texts;
}

// Of the asked ones, those that the run has, as RunColumns.at.
std::string TextOfBest(const std::map<std::string, std::string>& known,
                       const std::vector<std::string>& asked) {
  std::string text;
  for (const std::string& name : asked) {
    const auto found = known.find(name);
    if (found == known.end()) continue;
    text += fmt::format("{}{}:{}", text.empty() ? "" : ",", JsonText(Json(name)), found->second);
  }
  return text;
}

RunNumbers NumbersOfRun(const std::string& tensors, const Json& given,
                        const std::stop_token& stop) {
  std::map<std::string, std::string> parameters;  // By name.
  if (given.is_object()) {
    for (const auto& [name, value] : given.items()) parameters[name] = TextOf(&value);
  } else if (const auto record = trial::ReadRunRecord(tensors); record && !tensors.empty()) {
    parameters = record->HyperParameters();
  }
  Json scalars = Json::object();
  const auto store = storage::OpenStore(tensors);
  const auto read = store.ok() ? trial::ReadRunScalars(*store.value(), stop)
                               : Result<trial::RunScalars>(store.status());
  if (read.ok()) {
    parameters = read.value().AllParameters(parameters);
    for (const auto& [name, summary] : read.value().scalars) scalars[name] = ToJson(summary);
  }
  return {{{"hyper_parameters", Json(parameters)}, {"scalars", std::move(scalars)}},
          read.ok() ? BestTexts(read.value().best) : std::map<std::string, std::string>(),
          read.ok()};
}

}  // namespace

RunTable::RunTable(RunSet* runs, std::string file, std::string version)
    : runs_(runs), file_(std::move(file)), version_(std::move(version)) {
  if (!file_.empty()) {
    for (auto& [id, known] : ReadKnownRuns(file_, version_)) rows_[id].known = std::move(known);
  }
  worker_ = std::jthread([this](const std::stop_token& stop) { Work(stop); });
}

std::string RunTable::Answer(const std::vector<std::string>& best) {
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
    if (row.known.stamp != stamp && Clock::now() >= row.again) {
      ++pending;
      tasks_.push_back({places.id, std::move(stamp), places.tensors, ParametersOfJob(places)});
    }
    if (row.known.text.empty()) return;
    if (!rows.empty()) rows += ',';
    rows += JsonText(Json(places.id)) + ':' + row.known.text;
    if (best.empty()) return;
    rows.back() = ',';  // In place of the brace at the end of the object.
    rows += fmt::format(R"("at":{{{}}}}})", TextOfBest(row.known.best, best));
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
    if (row != rows_.end() && row->second.known.stamp == stamp && !row->second.known.text.empty()) {
      return ParseJson(row->second.known.text).value();
    }
  }
  RunNumbers numbers = NumbersOfRun(places.tensors, ParametersOfJob(places), {});
  const std::lock_guard lock(mutex_);
  Row& row = rows_[places.id];
  row = {{stamp, JsonText(numbers.columns), std::move(numbers.best)},
         numbers.could_read,
         Clock::now() + kSoonestAgain,
         std::max(row.listed, answers_)};
  changed_ = true;
  return std::move(numbers.columns);
}

void RunTable::Work(const std::stop_token& stop) {
  std::unique_lock lock(mutex_);
  while (!stop.stop_requested()) {
    const auto has_task = [&] { return !tasks_.empty(); };
    if (changed_ && !file_.empty()) {
      wake_.wait_until(lock, stop, saved_ + kBetweenSaves, has_task);
    } else {
      wake_.wait(lock, stop, has_task);
    }
    if (stop.stop_requested()) break;
    if (!tasks_.empty()) {
      ReadNext(&lock, stop);
    } else if (Clock::now() >= saved_ + kBetweenSaves) {
      Save(&lock);
    }
  }
  if (changed_) Save(&lock);
}

void RunTable::ReadNext(std::unique_lock<std::mutex>* lock, const std::stop_token& stop) {
  Task task = std::move(tasks_.front());
  tasks_.pop_front();
  // It was being read when the answer before the last was made.
  const auto known = rows_.find(task.id);
  if (known == rows_.end() || known->second.known.stamp == task.stamp) return;
  lock->unlock();
  const auto begun = Clock::now();
  KnownRun read{std::move(task.stamp), ""};
  bool could_read = false;
  try {
    RunNumbers numbers = NumbersOfRun(task.tensors, task.given, stop);
    read.text = JsonText(numbers.columns);
    read.best = std::move(numbers.best);
    could_read = numbers.could_read;
  } catch (const std::exception& error) {  // No memory: the next run may need less.
    LogError("cannot summarize run {}: {}", task.id, error.what());
    read.text = R"({"hyper_parameters":{},"scalars":{}})";
  }
  const auto took = Clock::now() - begun;
  lock->lock();
  const auto row = rows_.find(task.id);
  if (stop.stop_requested() || row == rows_.end()) return;
  row->second.known = std::move(read);
  row->second.kept = could_read;
  row->second.again = Clock::now() + std::max<Clock::duration>(kSoonestAgain, kShareOfTime * took);
  changed_ = true;
}

void RunTable::Save(std::unique_lock<std::mutex>* lock) {
  saved_ = Clock::now();
  changed_ = false;
  if (file_.empty()) return;
  KnownRunsText text(version_);
  for (const auto& [id, row] : rows_) {
    if (row.kept && !row.known.text.empty()) text.Add(id, row.known);
  }
  lock->unlock();
  const Status written = text.Write(file_);
  if (!written.ok()) LogWarning("the numbers of runs are not kept: {}", written.message());
  lock->lock();
}

}  // namespace warden::dashboard
