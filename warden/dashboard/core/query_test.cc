#include "warden/dashboard/core/query.h"

#include <gtest/gtest.h>

namespace warden::dashboard {
namespace {

TEST(QueryTest, ReadsWhatIsThere) {
  const Query query("tensor=a%2Fb&tensor=c+d&points=12&from=-1.5&mode=EVAL");
  EXPECT_EQ(query.Text("tensor"), "a/b");
  EXPECT_EQ(query.All("tensor"), (std::vector<std::string>{"a/b", "c d"}));
  EXPECT_EQ(query.Int("points", 1, 100, 7).value(), 12);
  EXPECT_EQ(query.Number("from", 0).value(), -1.5);
  EXPECT_EQ(query.ModeOf("mode").value(), Mode::kEval);
}

TEST(QueryTest, FallsBackWhereNothingIs) {
  const Query query("empty=");
  EXPECT_EQ(query.Text("tensor"), "");
  EXPECT_TRUE(query.All("tensor").empty());
  EXPECT_EQ(query.Int("points", 1, 100, 7).value(), 7);
  EXPECT_EQ(query.Int("empty", 1, 100, 7).value(), 7);
  EXPECT_EQ(query.Number("from", 2.5).value(), 2.5);
  EXPECT_EQ(query.ModeOf("mode").value(), Mode::kGlobal);
}

TEST(QueryTest, ErrorsNameParameterValueAndWhatIsAccepted) {
  const Query query("points=1e3&from=nan&mode=train&big=101");
  EXPECT_EQ(query.Int("points", 1, 100, 7).status().message(),
            "points is '1e3'; expected an integer from 1 to 100");
  EXPECT_EQ(query.Int("big", 1, 100, 7).status().message(),
            "big is '101'; expected an integer from 1 to 100");
  EXPECT_EQ(query.Number("from", 0).status().message(), "from is 'nan'; expected a number");
  EXPECT_EQ(query.ModeOf("mode").status().message(),
            "mode is 'train'; expected one of: TRAIN, EVAL, PREDICT, GLOBAL");
  EXPECT_EQ(query.Needed("tensor").status().message(), "tensor is missing");
}

}  // namespace
}  // namespace warden::dashboard
