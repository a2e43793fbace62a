#include "warden/jobs/exec/shell_session.h"

#include <fmt/format.h>
#include <poll.h>
#include <sys/eventfd.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <optional>
#include <utility>

#include "warden/base/json.h"
#include "warden/base/strings.h"
#include "warden/jobs/exec/typed_lines.h"
#include "warden/os/blocked_signals.h"

namespace warden::jobs {
namespace {

using Clock = std::chrono::steady_clock;
using std::chrono::milliseconds;

// Output that is under way; then the program waits until the client has shown it.
constexpr uint64_t kWindow = 256 << 10;
// Keys that the program has not taken yet.
constexpr size_t kMostKeys = 1 << 20;
constexpr milliseconds kTick{1000};
// For what is left in the terminal when the program has ended but something that it started has it
// still open.
constexpr milliseconds kLastOutput{200};

std::string Message(char kind, std::string_view text) {
  std::string message(1, kind);
  message += text;
  return message;
}

std::optional<TerminalSize> ParseSize(std::string_view text) {
  const size_t times = text.find('x');
  if (times == std::string_view::npos) return std::nullopt;
  const auto columns = ParseInt(text.substr(0, times));
  const auto rows = ParseInt(text.substr(times + 1));
  if (!columns || !rows || *columns < 1 || *rows < 1) return std::nullopt;
  return TerminalSize{static_cast<int>(std::min<int64_t>(*columns, 1000)),
                      static_cast<int>(std::min<int64_t>(*rows, 1000))};
}

}  // namespace

// What the session's thread does while the program runs.
class Session::Loop {
 public:
  Loop(Session* session, PtyShell* shell)
      : session_(session),
        shell_(shell),
        typed_([session](std::string line) { session->plan_.record("typed: " + line); }) {}

  // The last message to the client.
  Json UntilTheEnd() {
    while (ending_.is_null()) {
      Wait();
      TakeInbox();
      WriteKeys();
      ReadOutput();
      LookAround();
    }
    typed_.Finish();
    return ending_;
  }

 private:
  void Wait() {
    short wanted = keys_.empty() ? 0 : POLLOUT;
    if (sent_ - std::min(shown_, sent_) < kWindow) wanted |= POLLIN;
    std::array<pollfd, 2> waited = {
        {{shell_->descriptor(), wanted, 0}, {session_->wake_.get(), POLLIN, 0}}};
    // A terminal that nobody has open tells so whether asked or not.
    if (wanted == 0 || hung_up_) waited[0].fd = -1;
    const milliseconds tick = ended_at_ || hung_up_ ? kLastOutput / 4 : kTick;
    poll(waited.data(), waited.size(), static_cast<int>(tick.count()));
    uint64_t count = 0;
    (void)!read(session_->wake_.get(), &count, sizeof(count));
  }

  void TakeInbox() {
    Inbox inbox;
    {
      const std::lock_guard lock(session_->mutex_);
      shown_ = session_->inbox_.shown;
      inbox = std::exchange(session_->inbox_, Inbox());
      session_->inbox_.shown = shown_;
      session_->inbox_.end_reason = inbox.end_reason;
    }
    if (inbox.resized) shell_->Resize(inbox.size);
    if (!inbox.keys.empty()) {
      typed_.Add(inbox.keys, shell_->HidesInput());
      keys_ += inbox.keys;
      line_begun_ = inbox.keys.back() != '\n' && inbox.keys.back() != '\r';
      active_ = Clock::now();
    }
    // In a line that was begun the first one only hands that over.
    if (inbox.end_of_input) keys_.append(line_begun_ ? 2 : 1, shell_->EndOfInput());
    if (keys_.size() > kMostKeys) return Close("input was not read fast enough");
    if (inbox.closed) return Close("the connection was closed");
    if (!inbox.end_reason.empty()) Close(inbox.end_reason);
  }

  void WriteKeys() {
    if (!keys_.empty()) keys_.erase(0, shell_->Write(keys_));
  }

  void ReadOutput() {
    std::string output;
    while (output.size() < kWindow && sent_ + output.size() - std::min(shown_, sent_) < kWindow) {
      const auto state = shell_->Read(&output);
      hung_up_ |= state == PtyShell::ReadState::kEnd;
      if (state != PtyShell::ReadState::kOutput) break;
    }
    if (output.empty()) return;
    active_ = Clock::now();
    sent_ += output.size();
    if (!session_->socket_->Send(Message(kDataMessage, output))) {
      Close("the connection was closed");
    }
  }

  void LookAround() {
    const auto now = Clock::now();
    int exit_code = 0;
    if (shell_->HasEnded(&exit_code)) {
      if (!ended_at_) ended_at_ = now;
      if (hung_up_ || now - *ended_at_ > kLastOutput) ending_ = {{"exit_code", exit_code}};
      return;
    }
    if (now - active_ > session_->plan_.idle_limit) return Close("idle for too long");
    if (now - asked_ < kTick) return;
    asked_ = now;
    if (const Status status = session_->plan_.allowed(); !status.ok()) Close(status.message());
  }

  void Close(const std::string& reason) {
    if (ending_.is_null()) ending_ = {{"closed", reason}};
  }

  Session* session_;
  PtyShell* shell_;
  TypedLines typed_;
  std::string keys_;  // Not taken by the program yet.
  bool line_begun_ = false;
  uint64_t sent_ = 0;
  uint64_t shown_ = 0;
  bool hung_up_ = false;
  Clock::time_point active_ = Clock::now();
  Clock::time_point asked_ = Clock::now();
  std::optional<Clock::time_point> ended_at_;
  Json ending_;  // Null: it goes on.
};

Session::Session(SessionPlan plan)
    : plan_(std::move(plan)), wake_(eventfd(0, EFD_CLOEXEC | EFD_NONBLOCK)) {}

void Session::Open(std::shared_ptr<http::Socket> socket) {
  const std::lock_guard lock(mutex_);
  if (!wake_.ok() || state_ != State::kNew || !inbox_.end_reason.empty()) return socket->Close();
  socket_ = std::move(socket);
  state_ = State::kOpen;
  const os::BlockedSignals blocked;
  thread_ = std::thread([this] { Run(); });
}

void Session::End(std::string reason) {
  std::thread thread;
  {
    const std::lock_guard lock(mutex_);
    inbox_.end_reason = std::move(reason);
    thread = std::move(thread_);
    Wake();
  }
  if (thread.joinable()) thread.join();
}

void Session::Receive(std::string_view message) {
  if (message.empty()) return;
  const std::lock_guard lock(mutex_);
  Read(message, &inbox_);
  Wake();
}

void Session::Read(std::string_view message, Inbox* inbox) const {
  const std::string_view text = message.substr(1);
  switch (message.front()) {
    case kDataMessage:
      // A little more than is accepted, so that it is noticed.
      inbox->keys += text.substr(0, kMostKeys + 1 - std::min(inbox->keys.size(), kMostKeys + 1));
      return;
    case kWindowMessage:
      if (const auto size = ParseSize(text)) {
        inbox->size = *size;
        inbox->resized = true;
      }
      return;
    case kShownMessage:
      if (const auto shown = ParseInt(text); shown && *shown > 0) {
        inbox->shown = std::max(inbox->shown, static_cast<uint64_t>(*shown));
      }
      return;
    case kEndOfInputMessage: inbox->end_of_input = true; return;
    default: return;
  }
}

void Session::ConnectionClosed() {
  const std::lock_guard lock(mutex_);
  inbox_.closed = true;
  Wake();
}

void Session::Wake() const {
  const uint64_t one = 1;
  (void)!write(wake_.get(), &one, sizeof(one));
}

void Session::Run() {
  plan_.record("opened");
  Json ending;
  if (const auto shell = PtyShell::Start(plan_.launch); shell.ok()) {
    ending = Loop(this, shell.value().get()).UntilTheEnd();
  } else {
    ending = {{"closed", shell.status().message()}};
  }
  plan_.record(ending.contains("exit_code")
                   ? fmt::format("closed: exit code {}", ending["exit_code"].get<int>())
                   : "closed: " + ending["closed"].get<std::string>());
  socket_->Send(Message(kEndMessage, DumpLikePython(ending)));
  socket_->Close();
  state_ = State::kOver;
}

}  // namespace warden::jobs
