#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "warden/base/json_members.h"
#include "warden/rules/training/log_rule.h"
#include "warden/rules/training/training_rules.h"

namespace warden::rules {
namespace {

constexpr int64_t kRepeats = 7;  // Looks.
// The first batches may come from a buffer that is still empty.
constexpr int64_t kSameLooks = 4;

class Scale : public LogRule {
 public:
  explicit Scale(const Params& params)
      : largest_(params.Number("largest")), looks_(params.Integer("looks")) {}

 protected:
  bool Check(Verdicts* verdicts) override {
    const auto deviation = log().Now("input_deviation");
    const auto mean = log().Now("input_mean");
    const auto size = log().Now("input_largest");
    if (deviation && mean && size) {
      const bool wide = *size > largest_ && std::max(*deviation, std::abs(*mean)) > largest_ / 5;
      CountWide(wide && !IsTrue(MemberOf(log().facts(), "input_is_normalized")));
      same_ = *deviation == 0 ? same_ + 1 : 0;
      if (*deviation == 0 || narrow_ == 0) {
        deviation_ = *deviation;
        size_ = *size;
        mean_ = *mean;
      }
    }
    if (const auto rows = log().Now("input_rows_same")) equal_ = *rows > 0 ? equal_ + 1 : 0;
    if (const auto repeats = log().Now("same_batch")) repeats_ = *repeats;
    if (CheckRepeats(verdicts)) return true;
    if (same_ >= std::max(looks_, kSameLooks)) {
      verdicts->FireRun(
          "", "",
          {size_, 0, fmt::format("all inputs of the model have the same value ({:.3g})", mean_),
           "Look at a batch: is the data loaded, and is preprocessing right?"});
    } else if (wide_ >= looks_) {
      verdicts->FireRun("", "",
                        {size_, largest_,
                         fmt::format("the inputs of the model are not normalized: values up to "
                                     "{:.3g}, mean {:.3g}, deviation {:.3g}",
                                     size_, mean_, deviation_)});
    }
    return log().Last("input_deviation").has_value() || log().Last("input_rows_same").has_value();
  }

 private:
  // Two models may take turns, so that every other look is at the data, the others at what the
  // first model made of it.
  void CountWide(bool is_wide) {
    narrow_ = is_wide ? 0 : narrow_ + 1;
    if (is_wide) ++wide_;
    if (narrow_ > 1) wide_ = 0;
  }

  // Whether batches hold nothing new.
  bool CheckRepeats(Verdicts* verdicts) const {
    if (equal_ >= kRepeats) {
      verdicts->FireRun("", "",
                        {static_cast<double>(equal_), kRepeats,
                         "all samples of a batch are the same: the data set repeats one sample",
                         "Look at a batch: does the data set use the index that it gets, and does "
                         "it make its random generator only once?"});
    } else if (repeats_ >= kRepeats) {
      verdicts->FireRun("", "",
                        {repeats_, kRepeats,
                         "the model gets the same batch again and again, although the script goes "
                         "through more data",
                         "Look at how a batch is taken: next(iter(loader)) starts over each time, "
                         "and an index may be missing."});
    } else {
      return false;
    }
    return true;
  }

  const double largest_;
  const int64_t looks_;
  int64_t wide_ = 0;    // Looks at inputs that are not normalized, in a row or in turns.
  int64_t narrow_ = 0;  // Looks since the last of these.
  int64_t same_ = 0;
  int64_t equal_ = 0;   // Looks in a row at batches of equal samples.
  double repeats_ = 0;  // Looks in a row at the same batch.
  double deviation_ = 0;
  double size_ = 0;
  double mean_ = 0;
};

}  // namespace

RuleEntry InputScale() {
  static constexpr Param kParams[] = {
      {"largest", ParamType::kNumber, "20", "Largest value of normalized inputs", 0},
      {"looks", ParamType::kInteger, "3",
       "Looks in a row: the first three steps, then one every 20 steps or more", 1}};
  static constexpr RuleSpec kSpec{
      "InputScale", "The inputs of the model are not normalized, all the same, or repeated.",
      "Scale inputs to a mean of 0 and a deviation of 1: divide images by 255 and normalize them, "
      "standardize columns of tables.",
      kParams};
  return {&kSpec, Make<Scale>};
}

}  // namespace warden::rules
