#ifndef WARDEN_RULES_CLASS_TALLY_H_
#define WARDEN_RULES_CLASS_TALLY_H_

// Counts classes over a whole run, in memory that does not grow with it.

#include <cstdint>
#include <span>
#include <unordered_map>

namespace warden::rules {

// How often each class was seen as a label so far, and how often it was predicted wrong. The rule
// ClassImbalance keeps one for each tensor of labels, over all steps. At most 65536 classes are
// kept. Counts rather than shares are kept, so that steps of different sizes weigh what they
// should. For one thread.
class ClassTally {
 public:
  // One class that occurred.
  struct Class {
    int64_t id = 0;
    int64_t labels = 0;  // How often it was the label.
    int64_t wrong = 0;   // How often something else was predicted for it.

    // Share of the class's labels that were predicted wrong, 0 to 1. Labels without a prediction
    // count as right.
    double wrong_share() const;
  };

  // Adds the samples of a step. predicted: empty, or one for each label. kNoClass is left out of
  // both, and so is the label -100, with which PyTorch marks samples that do not count. REQUIRES:
  // predicted is empty or as long as labels.
  void Add(std::span<const int64_t> labels, std::span<const int64_t> predicted);

  // Labels counted so far.
  int64_t labels() const { return labels_; }
  // More than 65536 different values are not classes. Nothing is counted from then on.
  bool too_many() const { return classes_.size() > kMost; }

  // Of equal ones that with the lowest id. Valid until the next Add. REQUIRES: labels() > 0. Each
  // of these looks at all classes.
  const Class& Rarest() const;
  const Class& Commonest() const;
  const Class& Worst() const;  // By its share of wrong predictions.

 private:
  static constexpr size_t kMost = 65536;

  int64_t labels_ = 0;
  std::unordered_map<int64_t, Class> classes_;
};

}  // namespace warden::rules

#endif  // WARDEN_RULES_CLASS_TALLY_H_
