#ifndef WARDEN_RULES_VERDICTS_H_
#define WARDEN_RULES_VERDICTS_H_

#include <array>
#include <cstdint>
#include <functional>
#include <map>
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
  double value = 0;
  double threshold = 0;
  // What is wrong, to stand between the tensor's name and "at step 420": "mean |g| 3.1e-09 is below
  // 1e-07".
  std::string what;
  std::string advice = {};  // Empty: the rule's own.
};

// How much of a run a rule has judged. A rule that silently never ran is the worst of all.
struct Coverage {
  int64_t tensors = 0;  // Of all workers.
  int64_t steps = 0;
};

// What one rule said of all steps so far: findings, what was judged and why the rest was not.
class Verdicts {
 public:
  explicit Verdicts(std::string_view advice) : advice_(advice) {}

  // ---- For the rule, about the step at hand.

  void Healthy(const TensorView& tensor);
  void Fire(TensorView& tensor, const Evidence& evidence);
  // The tensor cannot be checked at this step; `why` follows "3 tensors skipped: ", as in "no
  // finite values".
  void Skip(const TensorView& tensor, std::string_view why);

  // The same about no tensor in particular, or one that is not among the step's.
  void HealthyRun();
  void FireRun(std::string_view tensor, std::string_view worker, const Evidence& evidence);

  // What is told from here on is about an earlier step, until the next one begins.
  void About(Step step, Mode mode);

  // Of one worker as a whole, in the mode at hand.
  void HealthyWorker(std::string_view worker);

  // For now there is too little to check: "needs 500 labels, found 120". Holds until something is
  // checked.
  void TooLittle(std::string reason) { too_little_ = std::move(reason); }
  // Something that a person should know, told once.
  void Note(std::string note) { notes_.insert(std::move(note)); }

  // ---- For the engine.

  // The findings opened since the last call, to be told.
  using OnOpened = std::function<void(const Finding&)>;
  void BeginStep(Step step, Mode mode);
  // The same for a judgement of what happened up to a moment, since 1970. step: how far the
  // training had come then; -1 if it is not known to train.
  void BeginMoment(int64_t now_us, Step step);
  void EndStep(const OnOpened& opened);

  const std::vector<Finding>& findings() const { return findings_; }
  Coverage coverage() const { return {tensors_judged_, steps_judged_}; }
  // "7 tensors skipped (first: fc.weight): no finite values", and what rules noted.
  std::vector<std::string> notes() const;
  const std::string& too_little() const { return too_little_; }
  // Why most tensors were skipped; empty if none was.
  std::string WhySkipped() const;

 private:
  // Of a tensor of a worker, by mode: the finding that goes on; -1: none does.
  using Open = std::array<int64_t, 4>;
  static constexpr Open kNoneOpen = {-1, -1, -1, -1};

  struct Skipped {
    std::set<uint32_t> tensors;
    std::string first;
  };

  void Judged();
  void SortNewFindings();
  void Record(int64_t* open, std::string_view tensor, std::string_view worker,
              const Evidence& evidence);
  Open& OpenOf(const TensorView& tensor);

  std::string_view advice_;
  std::string When() const;

  Step step_ = 0;
  Mode mode_ = Mode::kGlobal;
  int64_t now_us_ = 0;   // Of a moment; 0: a step is judged.
  bool trains_ = true;   // Steps are known.
  bool judged_ = false;  // Something at this step.

  std::vector<Finding> findings_;
  size_t told_ = 0;
  std::vector<Open> open_;  // By the tensor's id.
  std::vector<bool> seen_;  // By the tensor's id: judged at some step.
  std::map<std::pair<std::string, std::string>, Open> open_elsewhere_;  // By tensor and worker.
  std::vector<std::pair<std::string, std::string>> fired_elsewhere_;    // At this step.
  int64_t tensors_judged_ = 0;
  int64_t steps_judged_ = 0;
  std::map<std::string, Skipped, std::less<>> skipped_;
  std::set<std::string> notes_;
  std::string too_little_;
};

}  // namespace warden::rules

#endif  // WARDEN_RULES_VERDICTS_H_
