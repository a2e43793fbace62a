#include <gtest/gtest.h>

#include <set>

#include "warden/base/json.h"
#include "warden/report/profiler/profiler_report.h"
#include "warden/report/report_for_test.h"

namespace warden::report {
namespace {

size_t TimesIn(std::string_view text, std::string_view part) {
  size_t times = 0;
  for (size_t at = text.find(part); at != text.npos; at = text.find(part, at + 1)) ++times;
  return times;
}

// The contents of the data of all charts in a page.
std::vector<std::string> ChartData(const std::string& html) {
  static constexpr std::string_view kBegin = "<script type=\"application/json\">";
  std::vector<std::string> data;
  for (size_t at = html.find(kBegin); at != html.npos; at = html.find(kBegin, at + 1)) {
    const size_t begin = at + kBegin.size();
    data.push_back(html.substr(begin, html.find("</script>", begin) - begin));
  }
  return data;
}

TEST(ProfilerPageTest, IsOneFileThatMayFetchNothing) {
  const std::string html = ToHtml(BuildProfilerReport(FullInputs()));
  EXPECT_NE(html.find("default-src 'none'; script-src 'sha256-"), std::string::npos);
  for (const char* outside : {"src=", "@import", "url(http", "<link"}) {
    EXPECT_EQ(html.find(outside), std::string::npos) << outside;
  }
}

TEST(ProfilerPageTest, EveryLinkHasItsTargetAndEveryIdIsOnce) {
  const std::string html = ToHtml(BuildProfilerReport(FullInputs()));
  std::set<std::string> ids;
  for (size_t at = html.find(" id=\""); at != html.npos; at = html.find(" id=\"", at + 1)) {
    const std::string id = html.substr(at + 5, html.find('"', at + 5) - at - 5);
    EXPECT_TRUE(ids.insert(id).second) << id;
  }
  for (size_t at = html.find("href=\"#"); at != html.npos; at = html.find("href=\"#", at + 1)) {
    EXPECT_TRUE(ids.contains(html.substr(at + 7, html.find('"', at + 7) - at - 7)));
  }
}

TEST(ProfilerPageTest, ChartDataIsJsonWithoutNonNumbers) {
  for (const ProfilerInputs& inputs : {FullInputs(), HostileInputs()}) {
    const std::string html = ToHtml(BuildProfilerReport(inputs));
    const auto all = ChartData(html);
    EXPECT_GT(all.size(), 25u);
    for (const std::string& data : all) {
      EXPECT_TRUE(ParseJson(data).ok()) << data.substr(0, 200);
      EXPECT_EQ(data.find("NaN"), std::string::npos);
      EXPECT_EQ(data.find("Infinity"), std::string::npos);
    }
  }
}

TEST(ProfilerPageTest, NamesCannotBecomeMarkup) {
  const std::string html = ToHtml(BuildProfilerReport(HostileInputs()));
  EXPECT_EQ(html.find("<img"), std::string::npos);
  EXPECT_EQ(TimesIn(html, "<script>"), 1u);
  EXPECT_EQ(html.find("<!--"), std::string::npos);
  EXPECT_EQ(html.find('\xff'), std::string::npos);
  EXPECT_EQ(TimesIn(html, "<script"), TimesIn(html, "</script>"));
}

TEST(ProfilerPageTest, OnlyAJobThatRunsIsLoadedAgain) {
  ProfilerInputs inputs = FullInputs();
  EXPECT_EQ(ToHtml(BuildProfilerReport(inputs)).find("http-equiv=\"refresh\""), std::string::npos);
  inputs.job.still_running = true;
  const std::string html = ToHtml(BuildProfilerReport(inputs));
  EXPECT_NE(html.find("http-equiv=\"refresh\" content=\"30\""), std::string::npos);
  EXPECT_NE(html.find("Still running"), std::string::npos);
}

TEST(ProfilerPageTest, IsPure) {
  EXPECT_EQ(ToHtml(BuildProfilerReport(FullInputs())), ToHtml(BuildProfilerReport(FullInputs())));
}

}  // namespace
}  // namespace warden::report
