#include "warden/base/time.h"

#include <fmt/format.h>

#include <array>

#include "warden/base/strings.h"

namespace warden {
namespace {

using std::chrono::days;
using std::chrono::floor;
using std::chrono::seconds;

// Without the locale, which dates in headers do not depend on.
constexpr std::array<std::string_view, 7> kDays = {"Sun", "Mon", "Tue", "Wed", "Thu", "Fri", "Sat"};
constexpr std::array<std::string_view, 12> kMonths = {"Jan", "Feb", "Mar", "Apr", "May", "Jun",
                                                      "Jul", "Aug", "Sep", "Oct", "Nov", "Dec"};

struct Calendar {
  explicit Calendar(Time time)
      : day(floor<days>(time)), date(day), clock(floor<std::chrono::milliseconds>(time - day)) {}

  std::chrono::sys_days day;
  std::chrono::year_month_day date;
  std::chrono::hh_mm_ss<std::chrono::milliseconds> clock;
};

// Two or four digits at a place.
std::optional<unsigned> Number(std::string_view text, size_t at, size_t digits) {
  const std::string_view part = text.substr(at, digits);
  if (part.find_first_not_of("0123456789") != std::string_view::npos) return std::nullopt;
  return static_cast<unsigned>(ParseInt(part).value_or(0));
}

}  // namespace

std::string HttpDate(Time time) {
  const Calendar at(time);
  return fmt::format(
      "{}, {:02} {} {:04} {:02}:{:02}:{:02} GMT", kDays[std::chrono::weekday(at.day).c_encoding()],
      static_cast<unsigned>(at.date.day()), kMonths[static_cast<unsigned>(at.date.month()) - 1],
      static_cast<int>(at.date.year()), at.clock.hours().count(), at.clock.minutes().count(),
      at.clock.seconds().count());
}

std::optional<Time> ParseHttpDate(std::string_view text) {
  if (text.size() != 29 || !text.ends_with(" GMT")) return std::nullopt;
  const auto day = Number(text, 5, 2);
  const auto year = Number(text, 12, 4);
  const auto hour = Number(text, 17, 2);
  const auto minute = Number(text, 20, 2);
  const auto second = Number(text, 23, 2);
  if (!day || !year || !hour || !minute || !second) return std::nullopt;
  for (unsigned i = 0; i < kMonths.size(); ++i) {
    if (text.substr(8, 3) != kMonths[i]) continue;
    const std::chrono::year_month_day date{std::chrono::year(static_cast<int>(*year)),
                                           std::chrono::month(i + 1), std::chrono::day(*day)};
    if (!date.ok() || *hour > 23 || *minute > 59 || *second > 60) return std::nullopt;
    return Time(std::chrono::sys_days(date).time_since_epoch() + std::chrono::hours(*hour) +
                std::chrono::minutes(*minute) + seconds(*second));
  }
  return std::nullopt;
}

std::string IsoTime(Time time) {
  const Calendar at(time);
  return fmt::format("{:04}-{:02}-{:02}T{:02}:{:02}:{:02}.{:03}Z", static_cast<int>(at.date.year()),
                     static_cast<unsigned>(at.date.month()), static_cast<unsigned>(at.date.day()),
                     at.clock.hours().count(), at.clock.minutes().count(),
                     at.clock.seconds().count(), at.clock.subseconds().count());
}

std::string IsoSeconds(Time time) { return IsoTime(time).substr(0, 19) + "Z"; }

}  // namespace warden
