#include "warden/view/metrics/line_stream.h"

#include "warden/timeline/file_text.h"

namespace warden::view {
namespace {

// So long after its last line nothing more belongs to a moment.
constexpr double kQuietSeconds = 0.3;
// A line that goes on for longer is none.
constexpr size_t kLongestLine = size_t{1} << 20;

}  // namespace

bool LineStream::Advance() {
  if (!Fill()) return false;
  read_ = false;
  return true;
}

void LineStream::Parse(timeline::PaddedText* text, bool last, const std::string& path) {
  // The last line of a file that is done counts without its newline, too.
  if (last && text->size() > 0) text->Append("\n");
  const format::MetricsRead read = format::ReadMetricLines(text->text(), takers_.line);
  size_t done = read.bytes;
  if (text->size() - done > kLongestLine) done = text->size();
  text->Drop(done);
  takers_.read(done);
  if (read.broken > 0) takers_.broken(path, read.broken, read.first_broken);
  // What has no lines is no progress: a file of holes is given up, not read to its end.
  read_ = read_ || read.bytes > 0;
}

void LineStream::OnPause(bool finished, double quiet_seconds) {
  if (finished || quiet_seconds > kQuietSeconds) takers_.pause();
}

}  // namespace warden::view
