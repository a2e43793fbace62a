#include "warden/cli/launch/output_copier.h"

#include <poll.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <chrono>

namespace warden::cli {
namespace {

using Clock = std::chrono::steady_clock;

constexpr size_t kLongestLine = 64 << 10;
// A process that the training left behind may print for ever: nobody waits for all of that.
constexpr std::chrono::seconds kLongestDrain{1};

// False if nobody reads it any more. Other errors, such as a full disk, lose the bytes: a training
// must not stop for them.
bool PassOn(int to, std::string_view bytes) {
  while (!bytes.empty()) {
    const ssize_t written = write(to, bytes.data(), bytes.size());
    if (written >= 0) {
      bytes.remove_prefix(static_cast<size_t>(written));
    } else if (errno == EAGAIN) {  // Whoever shares our output has set it so.
      pollfd waiting{to, POLLOUT, 0};
      (void)poll(&waiting, 1, -1);
    } else if (errno != EINTR) {
      return errno != EPIPE;
    }
  }
  return true;
}

}  // namespace

bool OutputCopier::Copy(Stream* stream, bool* any) {
  char buffer[64 << 10];
  const ssize_t size = read(stream->from, buffer, sizeof(buffer));
  if (size < 0) return errno == EINTR || errno == EAGAIN;  // EIO: the end of a terminal.
  if (size == 0) return false;
  *any = true;
  const std::string_view piece(buffer, static_cast<size_t>(size));
  const bool read_on = PassOn(stream->to, piece);
  Keep(stream, piece);
  return read_on;
}

void OutputCopier::Keep(Stream* stream, std::string_view piece) {
  if (!log_) return;
  stream->line += piece;
  const size_t end = stream->line.find_last_of("\r\n");
  const size_t whole = end != std::string::npos              ? end + 1
                       : stream->line.size() >= kLongestLine ? stream->line.size()
                                                             : 0;
  if (whole == 0) return;
  log_->Append(std::string_view(stream->line).substr(0, whole), Now());
  stream->line.erase(0, whole);
}

void OutputCopier::End(Stream* stream) {
  if (log_ && !stream->line.empty()) log_->Append(stream->line + "\n", Now());
  close(stream->from);
  close(stream->to);
  stream->from = -1;
}

void OutputCopier::Run(int control) {
  Clock::time_point drain_until = Clock::time_point::min();
  bool draining = false;
  while (!streams_.empty()) {
    std::vector<pollfd> waiting;
    for (const Stream& stream : streams_) waiting.push_back({stream.from, POLLIN, 0});
    waiting.push_back({control, POLLIN, 0});  // -1: ignored.
    if (poll(waiting.data(), waiting.size(), draining ? 0 : -1) < 0 && errno != EINTR) return;
    bool any = false;
    for (size_t i = 0; i < streams_.size(); ++i) {
      if (waiting[i].revents != 0 && !Copy(&streams_[i], &any)) End(&streams_[i]);
    }
    std::erase_if(streams_, [](const Stream& stream) { return stream.from < 0; });
    if (waiting.back().revents != 0) {
      char word = 0;
      if (read(control, &word, 1) == 1) {
        draining = true;
        drain_until = Clock::now() + kLongestDrain;
      } else {
        control = -1;  // Whom to answer is gone.
      }
    } else if (draining && (!any || Clock::now() > drain_until)) {
      draining = false;
      (void)!write(control, "d", 1);
    }
  }
  if (log_) log_->Close(Now());
}

}  // namespace warden::cli
