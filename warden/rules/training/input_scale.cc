#include <fmt/format.h>

#include <cmath>

#include "warden/base/json_members.h"
#include "warden/rules/training/log_rule.h"
#include "warden/rules/training/training_rules.h"

namespace warden::rules {
namespace {

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
      wide_ = wide && !IsTrue(MemberOf(log().facts(), "input_is_normalized")) ? wide_ + 1 : 0;
      same_ = *deviation == 0 ? same_ + 1 : 0;
      deviation_ = *deviation;
      size_ = *size;
      mean_ = *mean;
    }
    if (same_ >= looks_) {
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
    return log().Last("input_deviation").has_value();
  }

 private:
  const double largest_;
  const int64_t looks_;
  int64_t wide_ = 0;
  int64_t same_ = 0;
  double deviation_ = 0;
  double size_ = 0;
  double mean_ = 0;
};

}  // namespace

RuleEntry InputScale() {
  static constexpr Param kParams[] = {
      {"largest", ParamType::kNumber, "20", "Largest value of normalized inputs", 0},
      {"looks", ParamType::kInteger, "4", "Looks in a row; there is one every 20 steps", 1}};
  static constexpr RuleSpec kSpec{
      "InputScale", "The inputs of the model are not normalized, or all the same.",
      "Scale inputs to a mean of 0 and a deviation of 1: divide images by 255 and normalize them, "
      "standardize columns of tables.",
      kParams};
  return {&kSpec, Make<Scale>};
}

}  // namespace warden::rules
