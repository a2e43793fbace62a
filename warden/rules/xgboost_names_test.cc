#include "warden/rules/xgboost_names.h"

#include <gtest/gtest.h>

namespace warden::rules {
namespace {

std::string Parsed(std::string_view name) {
  const auto metric = ParseMetricName(name);
  return metric ? metric->data + " | " + metric->metric : "none";
}

TEST(XgboostNames, MetricsWithAndWithoutDashes) {
  EXPECT_EQ(Parsed("train-rmse"), "train | rmse");
  EXPECT_EQ(Parsed("validation_0-logloss"), "validation_0 | logloss");
  EXPECT_EQ(Parsed("my-own-set-auc"), "my-own-set | auc");
  EXPECT_EQ(Parsed("eval-poisson-nloglik"), "eval | poisson-nloglik");
  EXPECT_EQ(Parsed("a-b-tweedie-nloglik@1.5"), "a-b | tweedie-nloglik@1.5");
  EXPECT_EQ(Parsed("eval-interval-regression-accuracy"), "eval | interval-regression-accuracy");
  EXPECT_EQ(Parsed("eval-map@3-"), "eval | map@3-");
  EXPECT_EQ(Parsed("eval-error@0.7"), "eval | error@0.7");
}

TEST(XgboostNames, WhatIsNoMetric) {
  for (const char* name : {"", "-", "--", "loss", "-rmse", "rmse-", "gradient/a-b", "labels"}) {
    EXPECT_EQ(Parsed(name), "none") << name;
  }
}

TEST(XgboostNames, BasesOfMetrics) {
  EXPECT_EQ(BaseOfMetric("error@0.7"), "error");
  EXPECT_EQ(BaseOfMetric("map@3-"), "map");
  EXPECT_EQ(BaseOfMetric("ndcg-"), "ndcg");
  EXPECT_TRUE(IsXgboostMetric("ndcg@10-"));
  EXPECT_FALSE(IsXgboostMetric("my_metric"));
}

TEST(XgboostNames, TensorsThatNoOtherFrameworkHas) {
  for (const char* name : {"hyperparameters/eta", "feature_importance/gain/f0", "trees/Tree",
                           "validation-rmse", "x-ndcg@5"}) {
    EXPECT_TRUE(IsXgboostTensor(name)) << name;
  }
  for (const char* name : {"labels", "predictions", "loss", "val_loss", "hyperparameters/",
                           "CrossEntropyLoss_output_0", "gradient/Net_fc.weight", "a-b"}) {
    EXPECT_FALSE(IsXgboostTensor(name)) << name;
  }
}

}  // namespace
}  // namespace warden::rules
