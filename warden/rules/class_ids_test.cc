#include "warden/rules/class_ids.h"

#include <gtest/gtest.h>

#include <cmath>

#include "warden/rules/class_tally.h"
#include "warden/rules/confusion_counts.h"

namespace warden::rules {
namespace {

using Ids = std::vector<int64_t>;

class ClassIdsTest : public testing::Test {
 protected:
  template <class T>
  const trial::TensorValue* Value(DType dtype, std::vector<int64_t> shape, std::vector<T> values) {
    auto kept = std::make_shared<std::vector<T>>(std::move(values));
    value_ = {dtype, std::move(shape), std::as_bytes(std::span(*kept)), {}, kept};
    return &value_;
  }
  const trial::TensorValue* Floats(std::vector<int64_t> shape, std::vector<float> values) {
    return Value(DType::kFloat32, std::move(shape), std::move(values));
  }

  trial::TensorValue value_;
};

TEST_F(ClassIdsTest, LabelsOfAnyType) {
  EXPECT_EQ(LabelIds(Floats({3}, {0, 2, NAN})).ids, (Ids{0, 2, kNoClass}));
  EXPECT_EQ(LabelIds(Value<int64_t>(DType::kInt64, {2}, {-1, 7})).ids, (Ids{-1, 7}));
  EXPECT_EQ(LabelIds(Value<uint8_t>(DType::kBool, {2}, {1, 0})).ids, (Ids{1, 0}));
  EXPECT_EQ(LabelIds(Floats({1}, {1e30f})).ids, Ids{kNoClass});
  EXPECT_EQ(LabelIds(Floats({2, 3}, {0, 0, 1, 1, 0, 0}), /*one_hot=*/true).ids, (Ids{2, 0}));
}

TEST_F(ClassIdsTest, LabelsThatAreNone) {
  EXPECT_EQ(LabelIds(nullptr).why, "full tensors were not saved; add --reductions none");
  EXPECT_EQ(LabelIds(Floats({1}, {1.5f})).why, "labels are not whole numbers");
  EXPECT_EQ(LabelIds(Value<float>(DType::kComplex64, {1}, {1, 1})).why,
            "labels are not real numbers");
}

TEST_F(ClassIdsTest, PredictionsAreCutRoundedOrWhole) {
  const Ids two = {0, 1, 1};
  const Ids three = {0, 1, 2};
  EXPECT_EQ(PredictedIds(Floats({3}, {0.5f, 0.51f, 7}), two, {}).ids, (Ids{0, 1, 1}));
  EXPECT_EQ(PredictedIds(Floats({3}, {0.4f, 1.4f, 7}), three, {}).ids, (Ids{0, 1, 7}));
  EXPECT_EQ(PredictedIds(Floats({3}, {0, 1, 7}), two, {}).ids, (Ids{0, 1, 7}));
  // The number of categories decides, if it is given.
  EXPECT_EQ(PredictedIds(Floats({3}, {0.4f, 1.4f, 7}), three, {false, 2}).ids, (Ids{0, 1, 1}));
  EXPECT_EQ(PredictedIds(Floats({3}, {0.4f, 1.4f, 7}), two, {false, 3}).ids, (Ids{0, 1, 7}));
}

TEST_F(ClassIdsTest, RowsOfScores) {
  const Ids labels = {0, 1};
  EXPECT_EQ(PredictedIds(Floats({2, 3}, {0, 5, 5, NAN, 1, 2}), labels, {}).ids, (Ids{1, 2}));
  EXPECT_EQ(PredictedIds(Floats({2, 1}, {0, 1}), labels, {}).ids, (Ids{0, 1}));
  EXPECT_EQ(PredictedIds(Floats({2, 2}, {NAN, NAN, 1, 2}), labels, {true, {}}).ids,
            (Ids{kNoClass, 1}));
  EXPECT_EQ(PredictedIds(Floats({2}, {1, 0}), labels, {true, {}}).why,
            "the number of predictions differs from the number of labels");
  EXPECT_EQ(PredictedIds(Floats({2, 0}, {}), labels, {true, {}}).why,
            "the number of predictions differs from the number of labels");
}

TEST(ClassTally, TheLowestOfEqualClasses) {
  ClassTally tally;
  tally.Add(Ids{3, 1, 2, 2, 0, 0}, Ids{});
  EXPECT_EQ(tally.Rarest().id, 1);
  EXPECT_EQ(tally.Commonest().id, 0);
  EXPECT_EQ(tally.Worst().wrong_share(), 0);
  tally.Add(Ids{3, 1, kNoClass, -100}, Ids{1, 3, 0, 0});
  EXPECT_EQ(tally.Worst().id, 1);
  EXPECT_EQ(tally.Worst().wrong_share(), 0.5) << "of all its labels";
  EXPECT_EQ(tally.labels(), 8);
}

TEST(ClassTally, StopsAtTooManyClasses) {
  ClassTally tally;
  Ids ids(70000);
  for (size_t i = 0; i < ids.size(); ++i) ids[i] = static_cast<int64_t>(i);
  tally.Add(std::span(ids).first(65536), {});
  EXPECT_FALSE(tally.too_many());
  tally.Add(ids, {});
  EXPECT_TRUE(tally.too_many());
  EXPECT_LE(tally.labels(), 2 * 65537);
}

TEST(ConfusionCounts, CellsAndSums) {
  const ConfusionCounts counts(Ids{0, 0, 1, 5, kNoClass}, Ids{0, 1, 1, 1, 0});
  EXPECT_EQ(counts.total(), 4);
  EXPECT_EQ(counts.categories(), 6);
  EXPECT_EQ(counts.Labelled(0), 2);
  EXPECT_EQ(counts.Predicted(1), 3);
  EXPECT_EQ(counts.OnDiagonal(1), 1);
  EXPECT_EQ(counts.OnDiagonal(5), 0);
  ASSERT_EQ(counts.cells().size(), 4u);
  EXPECT_EQ(counts.cells()[3].label, 5);
}

}  // namespace
}  // namespace warden::rules
