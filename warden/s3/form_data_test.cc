#include "warden/s3/form_data.h"

#include <gtest/gtest.h>

namespace warden::s3 {
namespace {

struct TakenForm {
  Status status;
  bool done = false;
  int begun = 0;
  std::string file;
  std::string file_name;
  QueryPairs fields;
};

TakenForm TakeForm(const std::string& body, size_t piece) {
  TakenForm taken;
  FormDataParser parser(
      "XX",
      [&taken] {
        ++taken.begun;
        return Status();
      },
      [&taken](std::string_view data) {
        taken.file += data;
        return Status();
      });
  for (size_t at = 0; at < body.size() && taken.status.ok(); at += piece) {
    taken.status = parser.Take(std::string_view(body).substr(at, piece));
  }
  taken.done = parser.done();
  taken.file_name = parser.file_name();
  taken.fields = parser.fields();
  return taken;
}

std::string Field(const std::string& name, const std::string& value) {
  return "--XX\r\nContent-Disposition: form-data; name=\"" + name + "\"\r\n\r\n" + value + "\r\n";
}

TEST(FormDataTest, ReadsItHoweverItIsCut) {
  const std::string file = "line\r\n--X not the boundary\r\n--XY\r\n\r\n";
  const std::string body =
      Field("Key", "user/${filename}") + Field("empty", "") +
      "--XX\r\nContent-Type: text/plain\r\nContent-Disposition: form-data; name=file; "
      "filename=\"C:\\dir\\a;b.txt\"\r\n\r\n" +
      file.substr(0, 26) + "\r\n--XX\r\nContent-Disposition: form-data; name=\"submit\"\r\n\r\nGo" +
      "\r\n--XX--\r\n";
  for (size_t piece = 1; piece <= body.size(); ++piece) {
    const TakenForm taken = TakeForm(body, piece);
    ASSERT_TRUE(taken.status.ok()) << taken.status.message() << piece;
    EXPECT_TRUE(taken.done);
    EXPECT_EQ(taken.begun, 1);
    EXPECT_EQ(taken.file, file.substr(0, 26));
    EXPECT_EQ(taken.file_name, "a;b.txt");
    EXPECT_EQ(taken.fields, (QueryPairs{{"key", "user/${filename}"}, {"empty", ""}}));
  }
}

TEST(FormDataTest, RefusesWhatIsNoForm) {
  const std::string open = "--XX\r\nContent-Disposition: form-data; name=\"";
  for (const std::string& body :
       {std::string("hello"), std::string("--XY\r\n"), std::string("--XX--\r\n"),
        Field("key", "k") + "--XX--", std::string("--XX\r\n\r\n\r\nx\r\n--XX--"),
        open + "\"\r\n\r\n", "--XXjunk" + Field("key", "k"), open + std::string(10'000, 'n'),
        Field("key", std::string(70'000, 'v'))}) {
    const TakenForm taken = TakeForm(body, 1000);
    EXPECT_EQ(taken.status.code(), Code::kInvalid) << body.substr(0, 60);
    EXPECT_EQ(taken.begun, 0);
  }
  std::string many;
  for (int i = 0; i < 300; ++i) many += Field("f", "");
  EXPECT_FALSE(TakeForm(many, 1000).status.ok());
  EXPECT_FALSE(TakeForm(open + "file\"\r\n\r\nabc", 1000).done) << "the end is missing";
}

TEST(FormDataTest, FindsTheBoundary) {
  EXPECT_EQ(BoundaryOf("multipart/form-data; boundary=abc"), "abc");
  EXPECT_EQ(BoundaryOf("Multipart/Form-Data; charset=utf-8; boundary=\"a b\""), "a b");
  for (const char* type : {"", "multipart/form-data", "multipart/mixed; boundary=a", "text/plain",
                           "multipart/form-data; boundary=", "multipart/form-data; boundary=\"a"}) {
    EXPECT_EQ(BoundaryOf(type), std::nullopt) << type;
  }
}

}  // namespace
}  // namespace warden::s3
