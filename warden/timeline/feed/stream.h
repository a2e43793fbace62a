#ifndef WARDEN_TIMELINE_FEED_STREAM_H_
#define WARDEN_TIMELINE_FEED_STREAM_H_

// The files of one writer, read one after the other while the last of them grows. ProfileFeed has a
// stream for each writer and merges them by time; the dashboard derives its own.

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

// The files of one writer, one after the other: what is in them comes in the order of time. For one
// thread. A derived class parses the text and queues what it finds.
//
//   stream.Add(id, path, time_us, finished);
//   while (stream.Fill()) stream.TakeNext(&batch);
//
// It stays with a file that is being written until the file has its final name, so that nothing is
// read twice or out of order. A file of a writer that was killed never gets it: it is left when it
// has been quiet for two seconds and a later file is there.
class Stream {
 public:
  // problems: gets texts for users, at most 100; not owned, outlives this.
  explicit Stream(std::vector<std::string>* problems) : problems_(problems) {}
  virtual ~Stream() = default;

  // A file that was not known, or one that is, under the name that it has now. time_us: of its
  // name, the order of files; unfinished files come last. A file that was left is ignored. Called
  // for all files after each scan of the folder.
  void Add(FileId id, const std::string& path, int64_t time_us, bool finished);

  // Reads until something is ready or there is nothing more by now. True if something is. Reads at
  // most 64 MiB without a result before it gives up on a file.
  bool Fill();
  // When the next item happened, since 1970. REQUIRES: Fill() was true.
  virtual int64_t time_us() const = 0;
  // Appends the next item to the batch and removes it here. REQUIRES: Fill() was true.
  virtual void TakeNext(ProfileBatch* batch) = 0;

 protected:
  // Whether there is an item for TakeNext.
  virtual bool ready() const = 0;
  // Reads what it can of the text and drops that. `last`: the file has no more and is finished. The
  // text belongs to the stream.
  virtual void Parse(PaddedText* text, bool last, const std::string& path) = 0;
  // A file begins, or begins again since it was overwritten.
  virtual void BeginFile() = 0;
  // There is nothing more in the current file by now; it was last written so many seconds ago.
  // Called after each read that brought nothing new.
  virtual void OnPause(bool finished, double quiet_seconds) = 0;

  // Adds a problem, unless there are too many.
  void Tell(std::string problem);

 private:
  struct Waiting {
    FileId id;
    std::string path;
    int64_t time_us = 0;
    bool finished = true;
  };

  bool OpenNext();
  // Leaves a file whose writer was killed, once a later file of the same writer exists.
  void LeaveIfForsaken();
  // Whether the current file continues without anything usable in it.
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

// System metrics of one node, as NodeSamples. A sample is complete when the first line of the next
// moment has come, when nothing was written for 0.3 seconds, or when the file is finished. The last
// line counts without a line end.
class MetricStream final : public Stream {
 public:
  // Neither is owned; both outlive this.
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

// Spans of the timelines of one process. Broken events are problems, one text for each piece of a
// file.
class SpanStream final : public Stream {
 public:
  // file: any of the writer's, for node and source. Pointers are not owned and outlive this.
  SpanStream(const TraceFile& file, Names* names, std::vector<std::string>* problems);

  // Work is reported when it is over, so the end is its time here.
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
