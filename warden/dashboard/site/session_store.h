#ifndef WARDEN_DASHBOARD_SITE_SESSION_STORE_H_
#define WARDEN_DASHBOARD_SITE_SESSION_STORE_H_

// The sessions of browsers that have signed in: random keys that expire and can be revoked. Used by
// Sessions alone.

#include <chrono>
#include <cstddef>
#include <functional>
#include <map>
#include <mutex>
#include <optional>
#include <string>
#include <string_view>

namespace warden::dashboard {

// How sessions are kept.
struct SessionRules {
  // A file that keeps them over restarts, readable by its owner alone; empty: they end with this
  // process. It has digests only: nobody can sign in with what is in it.
  std::string file;
  std::chrono::seconds idle{7 * 24 * 3600};      // Without a request; then the session is over.
  std::chrono::seconds longest{30 * 24 * 3600};  // Since the sign-in.
  size_t most = 1000;  // At once; then the one that was not used for the longest time ends.
  std::function<std::chrono::system_clock::time_point()> now = &std::chrono::system_clock::now;
};

// All sessions of a service. Safe for many threads. Writes its file when a session begins or ends,
// and every hour while it is used. A file that cannot be read or written costs nothing but that
// browsers must sign in again after a restart; that is logged.
class SessionStore {
 public:
  // owner: what the sessions stand for, that is, the token. Those of another one in the file are
  // dropped: a new token signs everybody out.
  SessionStore(SessionRules rules, std::string_view owner);

  // Ends all sessions; those to come stand for another token.
  void ChangeOwner(std::string_view owner);

  // Begins a session and returns its key: 81 characters, of which 256 bits cannot be guessed.
  // viewer: the ID of the view-only token that it began with; empty: the token.
  std::string Begin(const std::string& viewer = {});
  // Who began the session with this key, as above; it counts as used then. Nothing: there is none.
  std::optional<std::string> ViewerIn(std::string_view key);
  // Ends a session. False: there is none with that key.
  bool End(std::string_view key);

  // Returns what opens one path by GET as long as the session lasts, for links and frames, to which
  // browsers add no headers. It opens nothing else. Empty if there is no such session.
  std::string TicketFor(std::string_view key, std::string_view path);
  // Who began the session that a ticket for this path is of, as above. Nothing: it is not one, or
  // its session is over.
  std::optional<std::string> ViewerWith(std::string_view ticket, std::string_view path);

 private:
  using Clock = std::chrono::system_clock;
  struct Session {
    std::string digest;       // SHA-256 of its secret, in hexadecimal digits.
    Clock::time_point begun;  // When the token was shown.
    Clock::time_point used;   // By the last request.
    std::string viewer;       // As for Begin.
  };
  using Found = std::map<std::string, Session, std::less<>>::iterator;

  // All below are called under mutex_.
  Found Find(std::string_view key);  // The session with this key, or sessions_.end().
  void Touch(Session* session);
  bool IsOver(const Session& session) const;
  void Drop(size_t room);  // Those that are over, and the least used until there is this room.
  void Read();
  void Write();

  const SessionRules rules_;
  std::mutex mutex_;                                      // Guards all that follows.
  std::string owner_;                                     // A digest.
  std::map<std::string, Session, std::less<>> sessions_;  // By ID, which is not secret.
  Clock::time_point written_;                             // When the file was.
};

}  // namespace warden::dashboard

#endif  // WARDEN_DASHBOARD_SITE_SESSION_STORE_H_
