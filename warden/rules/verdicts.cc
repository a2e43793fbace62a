#include "warden/rules/verdicts.h"

#include <fmt/format.h>

#include <algorithm>
#include <ctime>
#include <tuple>
#include <utility>

namespace warden::rules {
namespace {

std::string At(Step step, Mode mode) {
  const bool usual = mode == Mode::kTrain || mode == Mode::kGlobal;
  return usual ? fmt::format("at step {}", step)
               : fmt::format("at step {} ({})", step, ModeName(mode));
}

// "at 12:03:20 UTC".
std::string AtTime(int64_t now_us) {
  const auto seconds = static_cast<std::time_t>(now_us / 1'000'000);
  std::tm parts{};
  gmtime_r(&seconds, &parts);
  return fmt::format("at {:02}:{:02}:{:02} UTC", parts.tm_hour, parts.tm_min, parts.tm_sec);
}

// A statistic that leaves values out says so.
std::string NonFiniteText(TensorView& tensor) {
  const stats::Summary* summary = tensor.Summary();
  if (summary == nullptr || summary->finite_count() == summary->count) return "";
  return fmt::format(" ({} of {} values are not finite)", summary->count - summary->finite_count(),
                     summary->count);
}

}  // namespace

void Verdicts::BeginStep(Step step, Mode mode) {
  step_ = step;
  mode_ = mode;
  now_us_ = 0;
  trains_ = true;
  evaluated_ = false;
  fired_elsewhere_.clear();
}

void Verdicts::BeginMoment(int64_t now_us, Step step) {
  BeginStep(std::max<Step>(step, 0), Mode::kGlobal);
  now_us_ = now_us;
  trains_ = step >= 0;
}

std::string Verdicts::When() const {
  if (now_us_ == 0) return At(step_, mode_);
  return trains_ ? fmt::format("{} (step {})", AtTime(now_us_), step_) : AtTime(now_us_);
}

void Verdicts::About(Step step, Mode mode) {
  step_ = step;
  mode_ = mode;
}

void Verdicts::Evaluated() {
  if (!evaluated_) ++steps_evaluated_;
  evaluated_ = true;
  too_little_.clear();
}

Verdicts::Open& Verdicts::OpenOf(const TensorView& tensor) {
  if (tensor.id() >= open_.size()) {
    open_.resize(tensor.id() + 1, kNoneOpen);
    seen_.resize(tensor.id() + 1, false);
  }
  if (!seen_[tensor.id()]) {
    seen_[tensor.id()] = true;
    ++tensors_evaluated_;
  }
  return open_[tensor.id()];
}

void Verdicts::Healthy(const TensorView& tensor) {
  Evaluated();
  OpenOf(tensor)[ModeIndex(mode_)] = -1;
}

void Verdicts::Fire(TensorView& tensor, const Evidence& evidence) {
  Evaluated();
  int64_t* open = &OpenOf(tensor)[ModeIndex(mode_)];
  if (*open >= 0) {
    Record(open, tensor.name(), tensor.worker(), evidence);
    return;
  }
  Evidence complete = evidence;
  complete.what += NonFiniteText(tensor);
  Record(open, tensor.name(), tensor.worker(), complete);
}

void Verdicts::Record(int64_t* open, std::string_view tensor, std::string_view worker,
                      const Evidence& evidence) {
  if (*open >= 0) {
    Finding& finding = findings_[static_cast<size_t>(*open)];
    finding.last_step = step_;
    ++finding.count;
    return;
  }
  *open = std::ssize(findings_);
  const std::string sentence = fmt::format("{} {}", evidence.what, When());
  findings_.push_back({*open + 1, step_, step_, 1, mode_, std::string(worker), std::string(tensor),
                       evidence.value, evidence.threshold,
                       tensor.empty() ? sentence : fmt::format("{}: {}", tensor, sentence),
                       evidence.advice.empty() ? std::string(advice_) : evidence.advice,
                       static_cast<double>(now_us_) / 1e6, severity_});
  findings_.back().confidence = evidence.confidence;
  findings_.back().spread = evidence.spread;
}

void Verdicts::HealthyRun() {
  Evaluated();
  for (auto& [key, open] : open_elsewhere_) {
    const bool fired =
        std::find(fired_elsewhere_.begin(), fired_elsewhere_.end(), key) != fired_elsewhere_.end();
    if (fired) continue;
    open[ModeIndex(mode_)] = -1;
    open[ModeIndex(Mode::kGlobal)] = -1;  // Found in no mode in particular, as silence is.
  }
}

void Verdicts::HealthyWorker(std::string_view worker) {
  Evaluated();
  const auto found = open_elsewhere_.find({"", std::string(worker)});
  if (found != open_elsewhere_.end()) found->second[ModeIndex(mode_)] = -1;
}

void Verdicts::FireRun(std::string_view tensor, std::string_view worker, const Evidence& evidence) {
  Evaluated();
  const std::pair<std::string, std::string> key(tensor, worker);
  Open& open = open_elsewhere_.try_emplace(key, kNoneOpen).first->second;
  Record(&open[ModeIndex(mode_)], tensor, worker, evidence);
  fired_elsewhere_.push_back(key);
}

void Verdicts::Spread(std::string_view tensor, std::string_view worker,
                      std::vector<std::string> spread) {
  const auto newest = std::find_if(findings_.rbegin(), findings_.rend(), [&](const Finding& one) {
    return one.tensor == tensor && one.worker == worker;
  });
  if (newest != findings_.rend()) newest->spread = std::move(spread);
}

void Verdicts::Skip(const TensorView& tensor, std::string_view why) {
  auto found = skipped_.find(why);
  if (found == skipped_.end()) {
    found = skipped_.emplace(why, Skipped{{}, std::string(tensor.name())}).first;
  }
  found->second.tensors.insert(tensor.id());
}

// By tensor, then worker. Rules mostly find them in this order.
void Verdicts::SortNewFindings() {
  const auto key = [](const Finding& f) { return std::tie(f.step, f.tensor, f.worker); };
  const auto before = [&](const Finding& a, const Finding& b) { return key(a) < key(b); };
  const auto first = findings_.begin() + static_cast<ptrdiff_t>(told_);
  if (std::is_sorted(first, findings_.end(), before)) return;
  std::sort(first, findings_.end(), before);
  std::vector<int64_t> now_at(findings_.size());
  for (size_t i = 0; i < findings_.size(); ++i) {
    now_at[static_cast<size_t>(findings_[i].id - 1)] = static_cast<int64_t>(i);
  }
  const auto move = [&](Open* open) {
    for (int64_t& at : *open) at = at < 0 ? at : now_at[static_cast<size_t>(at)];
  };
  for (Open& open : open_) move(&open);
  for (auto& [tensor, open] : open_elsewhere_) move(&open);
  for (size_t i = told_; i < findings_.size(); ++i) findings_[i].id = static_cast<int64_t>(i) + 1;
}

void Verdicts::EndStep(const OnOpened& opened) {
  SortNewFindings();
  for (; told_ < findings_.size(); ++told_) opened(findings_[told_]);
}

std::vector<std::string> Verdicts::notes() const {
  std::vector<std::string> notes;
  for (const auto& [why, skipped] : skipped_) {
    const size_t count = skipped.tensors.size();
    notes.push_back(fmt::format("{} {} skipped (first: {}): {}", count,
                                count == 1 ? "tensor" : "tensors", skipped.first, why));
  }
  notes.insert(notes.end(), notes_.begin(), notes_.end());
  return notes;
}

std::string Verdicts::WhySkipped() const {
  const auto most =
      std::max_element(skipped_.begin(), skipped_.end(), [](const auto& a, const auto& b) {
        return a.second.tensors.size() < b.second.tensors.size();
      });
  return most == skipped_.end() ? "" : most->first;
}

}  // namespace warden::rules
