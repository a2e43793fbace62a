#include "warden/view/series/run_series.h"

#include <fmt/format.h>

#include <algorithm>

#include "warden/trial/manifests.h"

namespace warden::view {
namespace {

// While there is much to read, what training writes is looked for this often.
constexpr std::chrono::milliseconds kTakeInterval{20};
// How long the thread sleeps at most where the store tells of changes, and where it does not.
constexpr std::chrono::milliseconds kWatchPause{200};
constexpr std::chrono::milliseconds kPollPause{1000};
constexpr std::chrono::milliseconds kCollectionsInterval{1000};
// More files at once are not what training writes, but what was there.
constexpr size_t kMostNew = 256;
// An event file that is not there, or not whole, is looked for again after half a second, one, two
// and so on, so often: a copier may bring it after its index file.
constexpr uint8_t kMostTries = 8;
constexpr std::chrono::milliseconds kFirstRetry{500};

}  // namespace

RunSeries::RunSeries(std::shared_ptr<const storage::Store> store, SeriesOptions options)
    : store_(std::move(store)),
      options_(options),
      feed_(store_.get()),
      reader_(store_.get()),
      table_(options.budget),
      thread_([this](const std::stop_token& stop) { Loop(stop); }) {}

// ---- The thread.

void RunSeries::Loop(const std::stop_token& stop) {
  while (!stop.stop_requested()) {
    TakeNewFiles();
    TakeRetries();
    const auto next = order_.Take();
    if (next) ReadStep(*next, stop);
    UpdateCollections();
    Announce();
    if (!next) Pause(stop);
  }
}

void RunSeries::Pause(const std::stop_token& stop) {
  if (feed_.watches()) {
    feed_.Wait(kWatchPause);
  } else {
    std::mutex mutex;
    std::unique_lock lock(mutex);
    std::condition_variable_any().wait_for(lock, stop, kPollPause, [] { return false; });
  }
  next_take_ = {};
}

void RunSeries::TakeNewFiles() {
  if (Clock::now() < next_take_) return;
  next_take_ = Clock::now() + kTakeInterval;
  // Only this thread changes the table, so that it needs no lock to look.
  const auto& workers = table_.workers();
  trial::IndexFeed::Query query;
  query.known = [&](const format::StepFileName& name) {
    const auto worker = std::ranges::find(workers, name.worker);
    return worker != workers.end() &&
           files_.Knows(name.step, static_cast<WorkerId>(worker - workers.begin()));
  };
  if (table_.axis().size() > 0) query.last_complete_step = table_.axis().steps().back().step;
  auto files = feed_.Take(query);
  if (files.ok()) {
    AddFiles(files.value());
  } else {
    // What it would have listed, its watch does not tell: it begins again.
    feed_ = trial::IndexFeed(store_.get());
  }
  const auto lock = ToChange();
  listed_ = true;
  constexpr std::string_view kListing = "listing";
  if (files.ok()) {
    problems_.Clear(kListing);
  } else {
    problems_.Set(kListing, files.status().message());
  }
}

void RunSeries::AddFiles(const std::vector<trial::IndexFeed::NewFile>& files) {
  if (files.empty()) return;
  std::vector<StepFiles::Found> found;
  found.reserve(files.size());
  std::vector<Step> steps;
  {
    const auto lock = ToChange();
    for (const auto& [key, name] : files) {
      found.push_back({name.step, table_.AddWorker(name.worker), name.worker, key});
    }
    files_.Add(&found);
    for (const StepFiles::Found& file : found) {
      if (steps.empty() || steps.back() != file.step) steps.push_back(file.step);
    }
    table_.AddSteps(steps);
    for (const StepFiles::Found& file : found) {
      AxisStep& step = table_.axis()[*table_.axis().Find(file.step)];
      if (step.unread++ == 0) ++unread_steps_;
    }
  }
  if (found.size() > kMostNew || !listed_) {
    order_.Start(files_.Waiting());
  } else {
    for (const Step step : steps) order_.AddNew(step);
  }
}

void RunSeries::ReadStep(const ReadingOrder::Next& next, const std::stop_token& stop) {
  const bool large = next.is_new || reader_.large_bytes() < options_.large_bytes;
  for (StepFile& file : files_.At(next.step)) {
    if (file.waits && !stop.stop_requested()) ReadFile(&file, large, stop);
  }
  if (large) return;
  const auto lock = ToChange();
  problems_.Set("large", fmt::format("tensors larger than {} KiB were read only at some steps",
                                     StepFileReader::kLarge >> 10));
}

void RunSeries::ReadFile(StepFile* file, bool large, const std::stop_token& stop) {
  const std::string key = files_.KeyOf(*file, table_.workers()[file->worker]);
  auto data = reader_.Read({.index_key = key, .step = file->step, .large = large}, stop);
  if (data.ok()) {
    Keep(file, key, data.value());
    if (data.value().incomplete) {
      TryAgain(file);
    } else {
      file->tries = 0;
    }
  } else if (data.status().code() != Code::kBadIndex) {
    TryAgain(file);
  }
  const auto lock = ToChange();
  if (!data.ok()) {
    problems_.Set(key, fmt::format("{}: {}", store_->Locate(key), data.status().message()));
  }
  file->waits = false;
  if (!std::exchange(file->counted, false)) return;
  AxisStep& step = table_.axis()[*table_.axis().Find(file->step)];
  if (step.unread > 0 && --step.unread == 0) --unread_steps_;
}

void RunSeries::Keep(StepFile* file, const std::string& key, const StepData& data) {
  const auto lock = ToChange();
  if (file->was_read) table_.Forget(file->worker, file->step);
  table_.Add(file->worker, data);
  file->was_read = true;
  if (data.problems.empty()) {
    problems_.Clear(key);
  } else {
    const trial::Problem& problem = data.problems.front();
    std::string text = fmt::format("{}: {}", problem.file, problem.message);
    if (problem.offset) text += fmt::format(" (record at byte {})", *problem.offset);
    if (data.problems.size() > 1) text += fmt::format(" and {} more", data.problems.size() - 1);
    problems_.Set(key, std::move(text));
  }
  if (table_.left_out() > 0) {
    problems_.Set("memory", fmt::format("{} values were dropped: memory limit for a run reached",
                                        table_.left_out()));
  }
}

void RunSeries::TryAgain(StepFile* file) {
  if (file->tries >= kMostTries) return;
  retries_.push_back({Clock::now() + kFirstRetry * (1 << file->tries), file->step});
  ++file->tries;
}

void RunSeries::TakeRetries() {
  if (retries_.empty()) return;
  const auto now = Clock::now();
  std::erase_if(retries_, [&](const Retry& retry) {
    if (retry.when > now) return false;
    for (StepFile& file : files_.At(retry.step)) file.waits |= file.tries > 0;
    order_.AddNew(retry.step);
    return true;
  });
}

// ---- Collections.

void RunSeries::LoadCollections() {
  auto loaded = trial::LoadManifests(*store_, std::chrono::milliseconds(0), /*needed=*/false);
  if (!loaded.ok() || loaded.value().collections == known_collections_) return;
  std::vector<std::string> problems;
  for (const trial::Problem& problem : loaded.value().problems) {
    problems.push_back(fmt::format("{}: {}", problem.file, problem.message));
  }
  known_collections_ = std::move(loaded.value().collections);
  matchers_.clear();
  matched_tensors_ = 0;
  std::vector<std::string> names;
  for (const auto& [name, collection] : known_collections_) {
    auto matcher = config::CollectionMatcher::Make(collection);
    if (!matcher.ok()) {
      problems.push_back(matcher.status().message());
      continue;
    }
    matchers_.push_back(std::move(matcher.value()));
    names.push_back(name);
  }
  const auto lock = ToChange();
  for (const std::string& problem : problems) problems_.Set(problem, problem);
  table_.set_collections(std::move(names));
}

void RunSeries::UpdateCollections() {
  const size_t count = table_.tensors().size();
  if (matched_tensors_ == count) return;
  // The file is written with the first step, and may come after it.
  if (Clock::now() >= next_collections_) {
    next_collections_ = Clock::now() + kCollectionsInterval;
    LoadCollections();
  }
  if (matchers_.empty()) return;
  std::vector<std::vector<uint32_t>> matched;
  for (size_t i = matched_tensors_; i < count; ++i) {
    auto& places = matched.emplace_back();
    for (size_t c = 0; c < matchers_.size(); ++c) {
      if (matchers_[c].Matches(table_.tensors()[i].name)) {
        places.push_back(static_cast<uint32_t>(c));
      }
    }
  }
  const auto lock = ToChange();
  for (auto& places : matched) table_.tensors()[matched_tensors_++].collections = std::move(places);
}

// ---- What others ask.

void RunSeries::Announce() {
  const auto lock = ToChange();
  const bool has_shape = has_shape_ || order_.coarse_is_done();
  const bool done = unread_steps_ == 0 && order_.empty();
  if (has_shape == has_shape_ && done == done_) return;
  has_shape_ = has_shape;
  done_ = done;
  changed_.notify_all();
}

bool RunSeries::WaitForShape(std::chrono::milliseconds timeout) const {
  auto lock = ToLook();
  return changed_.wait_for(lock, timeout, [&] { return has_shape_; });
}

bool RunSeries::WaitUntilRead(std::chrono::milliseconds timeout) const {
  auto lock = ToLook();
  return changed_.wait_for(lock, timeout, [&] { return done_; });
}

SeriesProgress RunSeries::progress() const {
  const auto lock = ToLook();
  SeriesProgress progress;
  progress.total = table_.axis().size();
  progress.steps = progress.total - unread_steps_;
  progress.done = done_;
  if (progress.total > 0) progress.last_step = table_.axis().steps().back().step;
  return progress;
}

std::vector<std::string> RunSeries::problems() const {
  const auto lock = ToLook();
  return problems_.Tell();
}

std::vector<std::string> RunSeries::collections() const {
  const auto lock = ToLook();
  std::vector<bool> used(table_.collections().size());
  for (const TensorEntry& tensor : table_.tensors()) {
    for (const uint32_t place : tensor.collections) used[place] = true;
  }
  std::vector<std::string> names;
  for (size_t i = 0; i < used.size(); ++i) {
    if (used[i]) names.push_back(table_.collections()[i]);
  }
  return names;
}

}  // namespace warden::view
