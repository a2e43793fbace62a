#ifndef WARDEN_RULES_VERDICTS_H_
#define WARDEN_RULES_VERDICTS_H_

// Where a rule says what it found, and where that becomes findings. The rule calls the first half
// of Verdicts while it checks a step; the engine calls the second half around it.
//
//   void Check(TensorView& tensor, Verdicts* verdicts) {
//     const auto norm = Norm(tensor);
//     if (!norm) return verdicts->Skip(tensor, WhyNoStatistic(tensor));
//     if (norm->value <= limit_) return verdicts->Healthy(tensor);
//     verdicts->Fire(tensor, {norm->value, limit_, fmt::format("norm {:.3g} is above {:g}", ...)});
//   }

#include <array>
#include <cstdint>
#include <functional>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <vector>

#include "warden/base/types.h"
#include "warden/rules/finding.h"
#include "warden/rules/tensor_view.h"

namespace warden::rules {

// What a rule has to say against a tensor.
struct Evidence {
  double value = 0;      // Measured.
  double threshold = 0;  // The limit that it violated.
  // What is wrong, to stand between the tensor's name and "at step 420": "mean |g| 3.1e-09 is below
  // 1e-07". No name, no step and no full stop.
  std::string what;
  std::string advice = {};                    // Empty: the rule's own.
  std::optional<Confidence> confidence = {};  // Nothing: the usual one of the rule.
  std::vector<std::string> spread = {};       // As in Finding.
};

// How much of a run a rule has checked. Reported, since a rule that silently never ran looks like a
// healthy run.
struct Coverage {
  int64_t tensors = 0;  // Of all workers, each once.
  int64_t steps = 0;    // Steps, or evaluations of a profiler rule.
};

// What one rule said of all steps so far: findings, what was checked and why the rest was not. One
// for each rule of an engine. Not safe for threads.
//
// A finding is open from the first Fire() of a tensor in a mode to its next Healthy(); a Fire() in
// between only extends it, and keeps the evidence of the first step. Skip() leaves it open.
class Verdicts {
 public:
  // advice: of the rule, for findings whose evidence has none. Not copied; outlives this.
  explicit Verdicts(std::string_view advice, Severity severity = Severity::kProblem)
      : advice_(advice), severity_(severity) {}

  // ---- For the rule, about the step at hand.

  // The tensor was checked and has no problem. Ends its open finding in this mode.
  void Healthy(const TensorView& tensor);
  // The tensor has the problem. Says how many of its values are not finite, if any, since
  // statistics leave those out.
  void Fire(TensorView& tensor, const Evidence& evidence);
  // The tensor cannot be checked at this step; `why` is the same text for all tensors with the same
  // cause, such as "no finite values", and becomes "3 tensors skipped (first: fc.weight): why".
  void Skip(const TensorView& tensor, std::string_view why);

  // The same about the run, or about something that is not among the step's tensors. FireRun opens
  // or extends the finding of this tensor and worker, which may be any texts or empty; HealthyRun
  // ends those of the mode, and of kGlobal, that did not fire at this step, so it comes after all
  // FireRun.
  void HealthyRun();
  void FireRun(std::string_view tensor, std::string_view worker, const Evidence& evidence);

  // Where the newest finding about this tensor and worker has spread so far, in place of what was
  // said before.
  void Spread(std::string_view tensor, std::string_view worker, std::vector<std::string> spread);

  // What is reported from here on is about an earlier step, until the next one begins.
  void About(Step step, Mode mode);

  // One worker as a whole, in the mode at hand, has no problem: ends the finding of FireRun("",
  // worker, ...).
  void HealthyWorker(std::string_view worker);

  // For now there is too little to check: "needs 500 labels, found 120". Holds until something is
  // checked, and is the reason in the report if nothing ever is.
  void TooLittle(std::string reason) { too_little_ = std::move(reason); }
  // Something that a person should know. Each text is reported once; the number of different texts
  // must be small.
  void Note(std::string note) { notes_.insert(std::move(note)); }

  // ---- For the engine.

  // Called with a finding that has just opened; the reference is valid during the call. It may say
  // how the training script counts the step, and must change nothing else.
  using OnOpened = std::function<void(Finding&)>;
  // A step begins; what the rule says until EndStep is about it.
  void BeginStep(Step step, Mode mode);
  // The same for an evaluation of what happened up to a moment, in microseconds since 1970. step:
  // how far the training had come then; -1 if no step is known.
  void BeginMoment(int64_t now_us, Step step);
  // Numbers the findings that opened since BeginStep by step, tensor and worker, and calls `opened`
  // for each in this order.
  void EndStep(const OnOpened& opened);

  // All findings, open or ended, by id. Grows with Fire(), which may move them.
  const std::vector<Finding>& findings() const { return findings_; }
  Coverage coverage() const { return {tensors_evaluated_, steps_evaluated_}; }
  // "7 tensors skipped (first: fc.weight): no finite values", and what the rule noted.
  std::vector<std::string> notes() const;
  const std::string& too_little() const { return too_little_; }
  // Why most tensors were skipped; empty if none was.
  std::string WhySkipped() const;

 private:
  // Of a tensor of a worker, by mode: position of the open finding; -1: none is open.
  using Open = std::array<int64_t, 4>;
  static constexpr Open kNoneOpen = {-1, -1, -1, -1};

  // Tensors by id, each once, and the name of the first: what the note says.
  struct Skipped {
    std::set<uint32_t> tensors;
    std::string first;
  };

  // Something was checked at this step.
  void Evaluated();
  // Those that EndStep has not passed on; changes their ids and the positions in open findings.
  void SortNewFindings();
  // Opens the finding, or extends the one at *open.
  void Record(int64_t* open, std::string_view tensor, std::string_view worker,
              const Evidence& evidence);
  // Made if the tensor is new.
  Open& OpenOf(const TensorView& tensor);

  std::string_view advice_;
  Severity severity_;
  std::string When() const;

  Step step_ = 0;
  Mode mode_ = Mode::kGlobal;
  int64_t now_us_ = 0;      // Of a moment; 0: a step is checked.
  bool trains_ = true;      // Steps are known.
  bool evaluated_ = false;  // Something was checked at this step.

  std::vector<Finding> findings_;  // By id, from 1.
  size_t told_ = 0;                // Findings that EndStep has passed on.
  std::vector<Open> open_;         // By the tensor's id.
  std::vector<bool> seen_;         // By the tensor's id: checked at some step.
  std::map<std::pair<std::string, std::string>, Open> open_elsewhere_;  // By tensor and worker.
  std::vector<std::pair<std::string, std::string>> fired_elsewhere_;    // At this step.
  int64_t tensors_evaluated_ = 0;                                       // Of coverage().
  int64_t steps_evaluated_ = 0;
  std::map<std::string, Skipped, std::less<>> skipped_;
  std::set<std::string> notes_;  // Each once.
  std::string too_little_;
};

}  // namespace warden::rules

#endif  // WARDEN_RULES_VERDICTS_H_
