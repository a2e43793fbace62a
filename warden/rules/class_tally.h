#ifndef WARDEN_RULES_CLASS_TALLY_H_
#define WARDEN_RULES_CLASS_TALLY_H_

#include <cstdint>
#include <span>
#include <unordered_map>

namespace warden::rules {

// How often each class was seen as a label so far, and how often it was predicted wrong.
class ClassTally {
 public:
  struct Class {
    int64_t id = 0;
    int64_t labels = 0;
    int64_t wrong = 0;

    // Of the labels of the class.
    double wrong_share() const;
  };

  // predicted: empty, or one for each label. kNoClass is left out of both, and so is the label -100
  // by which PyTorch marks samples that do not count.
  void Add(std::span<const int64_t> labels, std::span<const int64_t> predicted);

  int64_t labels() const { return labels_; }
  // That many are no classes, and are not counted any further.
  bool too_many() const { return classes_.size() > kMost; }

  // Of equal ones that with the lowest id. REQUIRES: labels() > 0.
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
