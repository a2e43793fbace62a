#include "warden/timeline/import/trace_reader.h"

#include <gtest/gtest.h>

#include <optional>
#include <random>

#include "warden/timeline/file_text.h"
#include "warden/timeline/thread_id.h"

namespace warden::timeline {
namespace {

struct Told {
  std::string name;
  std::string phase;
  int64_t start = 0;
  int64_t duration = 0;
  std::string args;
  int64_t tid = 0;

  bool operator==(const Told&) const = default;
};

class TraceReaderTest : public testing::Test {
 protected:
  TraceReaderTest() { StartAnew(); }

  void StartAnew() {
    reader_.emplace(TraceReader::Options{"algo-1-88", Source::kPython, 0, true}, &names_);
  }

  // Gives the text in pieces that end there.
  std::vector<Told> ReadIn(std::string_view text, const std::vector<size_t>& ends) {
    std::vector<Told> told;
    PaddedText held;
    size_t at = 0;
    for (const size_t end : ends) {
      held.Append(text.substr(at, end - at));
      at = end;
      held.Drop(reader_->Read(held.text(), end == text.size(), [&](const TraceSpan& found) {
        told.push_back({names_.Text(found.span.name), names_.Text(found.span.phase),
                        found.span.start_us, found.span.duration_us, std::string(found.args),
                        found.phase_tid});
        spans_.push_back(found.span);
      }));
    }
    return told;
  }
  std::vector<Told> Read(std::string_view text) { return ReadIn(text, {text.size()}); }

  Names names_;
  std::optional<TraceReader> reader_;
  std::vector<Span> spans_;
};

TEST_F(TraceReaderTest, PairsBeginningsAndEnds) {
  const auto told = Read(R"([{"ph":"B","pid":1,"ts":10,"name":"outer","tid":3},
    {"ph":"B","pid":1,"ts":20,"name":"inner"},
    {"ph":"E","pid":1,"ts":25,"tid":9,"args":{"step_num":"4"}},
    {"ph":"E","pid":1,"ts":50},
    {"ph":"E","pid":1,"ts":60},
    {"ph":"E","pid":2,"ts":60},
    {"ph":"B","pid":3,"ts":20,"name":"back"},
    {"ph":"E","pid":3,"ts":19}])");
  ASSERT_EQ(told.size(), 2);
  EXPECT_EQ(told[0].name, "inner");
  EXPECT_EQ(told[0].duration, 5);
  EXPECT_EQ(told[0].args, R"({"step_num":"4"})");
  EXPECT_EQ(spans_[0].step, 4);
  EXPECT_EQ(told[1].name, "outer");
  EXPECT_EQ(told[1].duration, 40);
  EXPECT_EQ(reader_->problems().unpaired, 3);
  EXPECT_EQ(reader_->problems().broken, 0);
}

TEST_F(TraceReaderTest, MetadataMayBeRepeatedOrMissing) {
  const auto told = Read(R"([
    {"name":"process_name","ph":"M","pid":0,"args":{"start_time_since_epoch_in_micros":"1000"}},
    {"name":"process_name","ph":"M","pid":0,"args":{"name":"Zero"}},
    {"name":"thread_name","ph":"M","pid":0,"tid":5,"args":{"name":"worker"}},
    {"name":"process_name","ph":"M","pid":0,"args":{"name":"Zero"}},
    {"name":"a","ph":"X","pid":0,"tid":5,"ts":1,"dur":1},
    {"name":"b","ph":"X","ts":2,"dur":1,"tid":6},
    {"name":"c","ph":"X","pid":9,"ts":3,"dur":1},
    {"name":"d","ph":"i","pid":9,"ts":3},
    {"name":"e","ts":3},
    {"name":"f","ph":"C","pid":9,"ts":3,"args":{"value":1}}])");
  ASSERT_EQ(told.size(), 3);
  EXPECT_EQ(told[0], (Told{"a", "Zero", 1001, 1, "", 5}));
  EXPECT_EQ(told[1], (Told{"b", "Zero", 1002, 1, "", StableThreadId("algo-1-88_6Zero")}));
  EXPECT_EQ(told[2], (Told{"c", "Unknown", 1003, 1, "", StableThreadId("algo-1-88_0Unknown")}));
}

TEST_F(TraceReaderTest, ArgumentsTellWhatTheFileDoesNot) {
  Read(R"([{"name":"n","ph":"X","pid":1,"ts":1,"dur":1,"args":{"pid":905,"thread_id":77,
    "step_num":"12","layer_name":"fc1","name":"other","worker_id":2,"num_workers":4,
    "pin_memory":true,"bytes_fetched":1024}},
    {"name":"n","ph":"X","pid":1,"ts":1,"dur":1,"args":{"name":"caf\u00e9 \ud83d\ude00 \ud800"}}])");
  ASSERT_EQ(spans_.size(), 2);
  const Span& span = spans_[0];
  EXPECT_EQ(names_.Text(span.name), "fc1");
  EXPECT_EQ(span.pid, 905);
  EXPECT_EQ(span.tid, 77);
  EXPECT_EQ(span.step, 12);
  EXPECT_EQ(span.worker, 2);
  EXPECT_EQ(span.num_workers, 4);
  EXPECT_EQ(span.pinned, 1);
  EXPECT_EQ(span.bytes, 1024);
  EXPECT_EQ(names_.Text(spans_[1].name), "café 😀 \xEF\xBF\xBD");
}

// Threads that a file does not name have the numbers that the Python package gives them.
TEST(StableThreadIdTest, AreThoseOfThePythonPackage) {
  EXPECT_EQ(StableThreadId(""), 8238016292129134938);
  EXPECT_EQ(StableThreadId("algo-1-88_0Step:ModeKeys.TRAIN"), 2060989606193267515);
  EXPECT_EQ(StableThreadId(std::string(128, 'x')), 5192212466036150785);
  EXPECT_EQ(StableThreadId(std::string(300, 'y')), 9197698188919510524);
}

TEST_F(TraceReaderTest, BrokenEventsAreCountedAndPassedOver) {
  const auto told = Read(
      "[\n{\"name\":\"a\",\"ph\":\"X\",\"ts\":1,\"dur\":1},\n"
      "{\"name\":\"cut\",\"ph\":\"X\",\"ts\":1,\n"
      "{\"name\":\"b\",\"ph\":\"X\",\"ts\":2,\"dur\":1},\n"
      "nonsense,\n"
      "{\"name\":\"late\",\"ph\":\"X\",\"ts\":1e300,\"dur\":1},\n"
      "{\"name\":\"back\",\"ph\":\"X\",\"ts\":1,\"dur\":-1},\n"
      "{\"name\":\"no\xff\",\"ph\":\"X\",\"ts\":1,\"dur\":1},\n"
      "{\"name\":\"text\",\"ph\":\"X\",\"ts\":\"1\",\"dur\":1},\n"
      "17,\n"
      "{\"name\":\"c\",\"ph\":\"X\",\"ts\":3,\"dur\":1,\"args\":{\"x\":NaN}}\n]\n");
  ASSERT_EQ(told.size(), 3);
  EXPECT_EQ(told[0].name, "a");
  EXPECT_EQ(told[1].name, "b");
  EXPECT_EQ(told[2].name, "c");
  EXPECT_EQ(reader_->problems().broken, 7);
  EXPECT_NE(reader_->problems().first.find("cut"), std::string::npos);
}

TEST_F(TraceReaderTest, NoTraceAtAll) {
  for (const char* text : {"", " ", "null", "17", "{}", R"({"a": [1, {"b": 2}]})", "\"text\"", "[",
                           "{", R"({"traceEvents": 3})", "[[[[["}) {
    reader_->BeginFile();
    EXPECT_TRUE(Read(text).empty()) << text;
  }
  EXPECT_GT(reader_->problems().broken, 0);
}

TEST_F(TraceReaderTest, NumbersOfAnyLength) {
  const std::string digits(40, '9');
  const auto told =
      Read(R"([{"name":"a","ph":"X","ts":1.)" + digits + R"(,"dur":1e0,"args":{"x":)" + digits +
           "." + digits + "e" + digits + R"(,"step_num":)" + digits +
           R"(}},{"name":"b","ph":"X","ts":)" + digits + R"(,"dur":1}])");
  ASSERT_EQ(told.size(), 1);
  EXPECT_EQ(told[0].start, 2);
  EXPECT_EQ(told[0].duration, 1);
  EXPECT_EQ(spans_[0].step, -1);
}

TEST_F(TraceReaderTest, DeepNestingIsRefused) {
  const auto told =
      Read(R"([{"name":"a","ph":"X","ts":1,"dur":1,"args":{"x":)" + std::string(100000, '[') +
           "\n" + R"({"name":"b","ph":"X","ts":1,"dur":1}])");
  ASSERT_EQ(told.size(), 1);
  EXPECT_EQ(told[0].name, "b");
}

std::string MixedTrace() {
  std::string text = "[\n";
  for (int i = 1; i <= 200; ++i) {
    const std::string number = std::to_string(i);
    text += R"({"name": "process_name", "ph": "M", "pid": )" + std::to_string(i % 5) +
            R"(, "args": {"name": "phase \u00e9 )" + std::to_string(i % 7) + "\"}},\n";
    text +=
        R"({"ph":"B","pid":)" + std::to_string(i % 3) + R"(,"ts":)" + number + R"(,"name":"é"},)";
    text += R"({"name": "op \"quoted\" \\", "pid": )" + std::to_string(i % 5) +
            R"(, "ph": "X", "ts": )" + number + R"(.5, "dur": 1e2, "args": {"step_num": ")" +
            number + R"(", "more": [1, {"a": [true, null, -0.5e-3]}]}},)" + "\r\n\t";
    text += R"({"ph":"E","pid":)" + std::to_string(i % 3) + R"(,"ts":)" + number + "9},\n";
  }
  return text + "]";
}

// However the text is cut, the same spans come out of it.
TEST_F(TraceReaderTest, PiecesOfAnySizeGiveTheSame) {
  const std::string text = MixedTrace();
  const std::vector<Told> whole = Read(text);
  ASSERT_GT(whole.size(), 300);
  EXPECT_EQ(reader_->problems().broken, 0);
  std::mt19937 random(7);
  for (int round = 0; round < 30; ++round) {
    std::vector<size_t> ends;
    const size_t most = round == 0 ? 1 : 1 + random() % 400;
    for (size_t at = 0; at < text.size();) {
      at = std::min(text.size(), at + 1 + random() % most);
      ends.push_back(at);
    }
    StartAnew();
    EXPECT_EQ(ReadIn(text, ends), whole) << round;
  }
}

// A copy of the state goes on as the reader itself does.
TEST_F(TraceReaderTest, ResumesFromACopyOfItsState) {
  const std::string text = MixedTrace();
  const std::vector<Told> whole = Read(text);
  Names names;
  TraceReader first({"algo-1-88", Source::kPython, 0, true}, &names);
  PaddedText padded;
  padded.Append(text);
  size_t count = 0;
  const auto counted = [&](const TraceSpan&) { ++count; };
  const size_t half = first.Read(padded.text().substr(0, text.size() / 2), false, counted);
  TraceReader second({"algo-1-88", Source::kPython, 0, true}, &names);
  second.Resume(first.state());
  second.Read(padded.text().substr(half), true, counted);
  EXPECT_EQ(count, whole.size());
}

}  // namespace
}  // namespace warden::timeline
