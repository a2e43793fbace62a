#ifndef WARDEN_TIMELINE_FEED_STREAM_H_
#define WARDEN_TIMELINE_FEED_STREAM_H_

#include <cstdint>
#include <deque>
#include <set>
#include <string>
#include <vector>

#include "warden/timeline/feed/followed_file.h"
#include "warden/timeline/feed/profile_feed.h"
#include "warden/timeline/feed/tick_builder.h"
#include "warden/timeline/import/trace_reader.h"
#include "warden/timeline/profile_files.h"

namespace warden::timeline {

// The files of one writer, one after the other: what is in them comes in the order of time.
class Stream {
 public:
  explicit Stream(std::vector<std::string>* problems) : problems_(problems) {}
  virtual ~Stream() = default;

  // A file that was not known, or one that is, under the name that it has now.
  void Add(FileId id, const std::string& path, int64_t time_us, bool finished);

  // Reads until something is ready or there is nothing more by now. True if something is.
  bool Fill();
  // When it happened. REQUIRES: Fill().
  virtual int64_t time_us() const = 0;
  // Hands the next over. REQUIRES: Fill().
  virtual void TakeNext(ProfileBatch* batch) = 0;

 protected:
  virtual bool ready() const = 0;
  // Reads what it can of the text and drops that. `last`: the file has no more and is finished.
  virtual void Parse(PaddedText* text, bool last, const std::string& path) = 0;
  // A file begins, or is read anew.
  virtual void BeginFile() = 0;
  // There is nothing more in the current file by now; for how long it has not been written.
  virtual void OnPause(bool finished, double quiet_seconds) = 0;

  void Tell(std::string problem);

 private:
  struct Waiting {
    FileId id;
    std::string path;
    int64_t time_us = 0;
    bool finished = true;
  };

  bool OpenNext();
  void LeaveIfForsaken();
  // Whether the current file goes on and on without anything that could be told.
  bool IsBarren();
  // False if there is nothing more in it by now.
  bool ReadCurrent();

  std::vector<std::string>* const problems_;
  std::vector<Waiting> waiting_;  // In order of time, the unfinished ones last.
  Waiting current_;
  FollowedFile file_;
  bool at_end_ = false;    // Of the current file, which is finished.
  uint64_t barren_ = 0;    // Bytes of it since anything was ready.
  std::set<FileId> left_;  // Files that were left although they never got their final names.
};

// System metrics of one node.
class MetricStream final : public Stream {
 public:
  MetricStream(Names* names, std::vector<std::string>* problems)
      : Stream(problems), ticks_(names) {}

  int64_t time_us() const override;
  void TakeNext(ProfileBatch* batch) override;

 private:
  bool ready() const override { return !samples_.empty(); }
  void Parse(PaddedText* text, bool last, const std::string& path) override;
  void BeginFile() override {}
  void OnPause(bool finished, double quiet_seconds) override;

  TickBuilder ticks_;
  std::deque<NodeSample> samples_;
};

// Timelines of one process.
class SpanStream final : public Stream {
 public:
  SpanStream(const TraceFile& file, Names* names, std::vector<std::string>* problems);

  // Work is told when it is over, so that is its time here.
  int64_t time_us() const override { return spans_.front().end_us(); }
  void TakeNext(ProfileBatch* batch) override;

 private:
  bool ready() const override { return !spans_.empty(); }
  void Parse(PaddedText* text, bool last, const std::string& path) override;
  void BeginFile() override { reader_.BeginFile(); }
  void OnPause(bool /*finished*/, double /*quiet_seconds*/) override {}

  TraceReader reader_;
  std::deque<Span> spans_;
};

}  // namespace warden::timeline

#endif  // WARDEN_TIMELINE_FEED_STREAM_H_
