#include "warden/rules/loss_place.h"

#include <gtest/gtest.h>

namespace warden::rules {
namespace {

TEST(PlaceOf, StepsWithAModeSayIt) {
  const auto place = PlaceOf("train-rmse", Mode::kEval);
  ASSERT_TRUE(place);
  EXPECT_EQ(place->mode, Mode::kEval);
  EXPECT_EQ(place->pair, "train-rmse");
  EXPECT_EQ(PlaceOf("loss", Mode::kTrain)->mode, Mode::kTrain);
  EXPECT_FALSE(PlaceOf("loss", Mode::kPredict));
}

TEST(PlaceOf, ElseNamesAsXgboostGivesThem) {
  EXPECT_EQ(PlaceOf("train-rmse", Mode::kGlobal)->mode, Mode::kTrain);
  EXPECT_EQ(PlaceOf("Training-rmse", Mode::kGlobal)->mode, Mode::kTrain);
  EXPECT_EQ(PlaceOf("validation-rmse", Mode::kGlobal)->mode, Mode::kEval);
  EXPECT_EQ(PlaceOf("validation-rmse", Mode::kGlobal)->pair, "rmse");
  EXPECT_EQ(PlaceOf("eval-poisson-nloglik", Mode::kGlobal)->pair, "poisson-nloglik");
}

TEST(PlaceOf, OtherNamesTellNothing) {
  for (const char* name : {"loss", "CrossEntropyLoss_output_0", "scalar/a-b", "-", ""}) {
    EXPECT_FALSE(PlaceOf(name, Mode::kGlobal)) << name;
  }
}

TEST(RisesWhenBetter, KnowsTheMetricsOfXgboost) {
  for (const char* name : {"train-auc", "validation-aucpr", "eval-ndcg@5-", "test-pre@3"}) {
    EXPECT_TRUE(RisesWhenBetter(name)) << name;
  }
  for (const char* name : {"train-rmse", "auc", "validation-logloss", "val_auc"}) {
    EXPECT_FALSE(RisesWhenBetter(name)) << name;
  }
}

}  // namespace
}  // namespace warden::rules
