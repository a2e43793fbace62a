#include "warden/dashboard/site/export_run.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <map>
#include <regex>

#include "warden/base/json.h"
#include "warden/dashboard/site/export_page.h"
#include "warden/dashboard/site/page.h"
#include "warden/net/digest.h"

namespace warden::dashboard {
namespace {

constexpr char kHostile[] = "</script><script>hacked=1</script><!--";

// A run with a loss and two layers, whose answers are what was asked.
class ExportRunTest : public testing::Test {
 protected:
  ExportRunTest() {
    if (!HasDashboardPages()) skip_ = true;
    const Json tensors = Json::array({
        {{"name", kHostile},
         {"collections", {"losses"}},
         {"statistics", {"value"}},
         {"modes", {"GLOBAL", "TRAIN"}},
         {"last", 9}},
        {{"name", "a/b (c)"},
         {"collections", {"weights"}},
         {"statistics", {"mean", "l2", "zeros"}},
         {"modes", {"GLOBAL"}},
         {"last", 9}},
        {{"name", "d"},
         {"collections", {"weights"}},
         {"statistics", {"mean"}},
         {"modes", {"GLOBAL"}},
         {"last", 9}},
    });
    answers_[""] = Json({{"name", kHostile}, {"rules", Json::array()}}).dump();
    answers_["tensors"] = Json({{"tensors", tensors},
                                {"collections", {"losses", "weights"}},
                                {"workers", {"worker_0", "worker_1"}},
                                {"ingested", {{"done", true}}}})
                              .dump();
    answers_["logs"] = Json({{"lines", {{{"text", kHostile}}}}, {"hosts", {"local"}}}).dump();
  }

  Result<ExportedRun> Export(const ExportLimits& limits = {}) {
    return ExportRun(
        "run.12",
        [this](const std::string& what, const std::string& query) {
          asked_.push_back(what + "?" + query);
          http::Response response;
          const auto found = answers_.find(what);
          if (found != answers_.end()) {
            response.body = found->second;
          } else if (what == "series" || what == "heatmap") {
            response.body = std::string(1000, 'x');
          } else {
            response.status = 404;
          }
          return response;
        },
        limits);
  }
  bool Asked(const std::string& one) const {
    return std::ranges::find(asked_, one) != asked_.end();
  }

  bool skip_ = false;
  std::map<std::string, std::string> answers_;
  std::vector<std::string> asked_;
};

TEST_F(ExportRunTest, AsksForWhatThePageShows) {
  if (skip_) GTEST_SKIP() << "a build without pages";
  const auto exported = Export();
  ASSERT_TRUE(exported.ok()) << exported.status().message();
  const std::string loss = "%3C%2Fscript%3E%3Cscript%3Ehacked%3D1%3C%2Fscript%3E%3C%21--";
  EXPECT_TRUE(Asked("series?points=1000&statistic=value&tensor=" + loss));
  EXPECT_TRUE(Asked("series?points=1000&statistic=value&tensor=" + loss + "&x=time"));
  EXPECT_TRUE(Asked("series?mode=TRAIN&points=1000&statistic=value&tensor=" + loss + "&x=global"));
  EXPECT_TRUE(Asked("series?points=1000&statistic=zeros&tensor=a%2Fb%20%28c%29"));
  EXPECT_TRUE(Asked("heatmap?collection=weights&columns=300&statistic=l2"));
  EXPECT_TRUE(Asked("logs?host=local"));
}

TEST_F(ExportRunTest, NothingInTheDataIsMarkup) {
  if (skip_) GTEST_SKIP() << "a build without pages";
  const auto exported = Export();
  ASSERT_TRUE(exported.ok());
  const std::string& page = exported.value().page;
  EXPECT_EQ(page.find("hacked=1</script>"), std::string::npos);
  EXPECT_NE(page.find("<title>&#60;/script&#62;"), std::string::npos);
  // The elements of the page itself end, and no others.
  const std::regex end("</script", std::regex::icase);
  const auto ends = std::distance(std::sregex_iterator(page.begin(), page.end(), end), {});
  EXPECT_EQ(ends, 2);
  EXPECT_EQ(page.find("<!--"), std::string::npos);
}

TEST_F(ExportRunTest, SaysWhatWasLeftOut) {
  if (skip_) GTEST_SKIP() << "a build without pages";
  const auto all = Export();
  ASSERT_TRUE(all.ok());
  for (const std::string& words : all.value().left_out) {
    EXPECT_EQ(words.find("tensors."), std::string::npos) << words;
  }
  const auto few = Export({.most_bytes = 4000});
  ASSERT_TRUE(few.ok());
  EXPECT_LT(few.value().page.size(), all.value().page.size());
  EXPECT_TRUE(std::ranges::any_of(few.value().left_out, [](const std::string& words) {
    return words.starts_with("Curves of ") && words.ends_with(" of 3 tensors.");
  })) << few.value().left_out[0];
}

TEST_F(ExportRunTest, WaitsForTheRunToBeRead) {
  if (skip_) GTEST_SKIP() << "a build without pages";
  int asked = 0;
  const auto exported = ExportRun("run.12",
                                  [&](const std::string& what, const std::string&) {
                                    http::Response response;
                                    response.body = "{}";
                                    if (what == "tensors") {
                                      response.body =
                                          Json({{"ingested", {{"done", ++asked == 3}}}}).dump();
                                    }
                                    return response;
                                  },
                                  {});
  ASSERT_TRUE(exported.ok());
  EXPECT_EQ(asked, 3);
}

TEST_F(ExportRunTest, ARunThatCannotBeReadIsAnError) {
  if (skip_) GTEST_SKIP() << "a build without pages";
  const auto exported = ExportRun("run.12",
                                  [](const std::string&, const std::string&) {
                                    http::Response response;
                                    response.status = 404;
                                    response.body = R"({"message": "no such run"})";
                                    return response;
                                  },
                                  {});
  EXPECT_EQ(exported.status().message(), "no such run");
}

}  // namespace
}  // namespace warden::dashboard
