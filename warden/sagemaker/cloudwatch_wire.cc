#include "warden/sagemaker/cloudwatch_wire.h"

#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <cstdio>
#include <utility>
#include <vector>

#include "warden/base/json.h"
#include "warden/base/strings.h"
#include "warden/base/text/uri.h"
#include "warden/base/time.h"
#include "warden/net/xml.h"
#include "warden/sagemaker/cloudwatch.h"

namespace warden::sagemaker {
namespace {

constexpr std::string_view kCloudWatchVersion = "Version=2010-08-01";
constexpr std::string_view kCloudWatchXml = "http://monitoring.amazonaws.com/doc/2010-08-01/";
constexpr std::string_view kMember = "member";
constexpr size_t kMostFormFields = 500;
constexpr size_t kMostFormLevels = 12;
constexpr int64_t kMostListed = 500;

http::Response CborResponse(const Json& body, int status, const std::string& request_id) {
  const std::vector<uint8_t> bytes = Json::to_cbor(body);
  http::Response response;
  response.status = status;
  response.headers = {{"Content-Type", "application/cbor"},
                      {"smithy-protocol", "rpc-v2-cbor"},
                      {"x-amzn-RequestId", request_id}};
  response.body.assign(bytes.begin(), bytes.end());
  return response;
}

// CBOR without its tags, such as that of times. Checked by a walk that calls nothing for what is
// nested: the library's parser calls itself for each level, throws if a length is absurd, and does
// not accept tags of times.
class CborReader {
 public:
  explicit CborReader(std::string_view body) : left_(body) {}

  // Nothing if there are many levels, or if something is longer than what follows.
  std::optional<std::string> Untagged() {
    while (!levels_.empty()) {
      if (levels_.back() == 0) {
        levels_.pop_back();
      } else if (levels_.size() > kMostLevels || !TakeItem()) {
        return std::nullopt;
      }
    }
    // What follows is too much; the parser says so.
    return untagged_.append(left_);
  }

 private:
  static constexpr size_t kMostLevels = 32;
  static constexpr uint64_t kUntilBreak = ~uint64_t{0};  // Its end is marked.

  bool TakeItem() {
    if (left_.empty()) return false;
    const std::string_view item = left_;
    const auto head = static_cast<uint8_t>(left_.front());
    left_.remove_prefix(1);
    uint64_t& awaited = levels_.back();
    if (head == 0xFF) {
      untagged_ += item.front();
      return std::exchange(awaited, 0) == kUntilBreak;
    }
    const int kind = head >> 5;
    const std::optional<uint64_t> value = TakeArgument(head & 31);
    if (!value) return false;
    if (kind == 6) return true;  // The next item is what it is a tag of.
    if (awaited != kUntilBreak) --awaited;
    const bool is_open = *value == kUntilBreak;
    if (kind >= 2 && kind <= 5 && !is_open && *value > left_.size()) return false;
    if ((kind == 2 || kind == 3) && !is_open) left_.remove_prefix(*value);    // Bytes and texts.
    if ((kind == 2 || kind == 3) && is_open) levels_.push_back(kUntilBreak);  // Those in pieces.
    if (kind == 4) levels_.push_back(*value);                                 // Lists.
    if (kind == 5) levels_.push_back(is_open ? kUntilBreak : 2 * *value);     // Maps.
    untagged_ += item.substr(0, item.size() - left_.size());
    return true;
  }

  std::optional<uint64_t> TakeArgument(int info) {
    if (info < 24) return static_cast<uint64_t>(info);
    if (info == 31) return kUntilBreak;
    const size_t bytes = info <= 27 ? size_t{1} << (info - 24) : 0;
    if (bytes == 0 || bytes > left_.size()) return std::nullopt;
    uint64_t value = 0;
    for (size_t i = 0; i < bytes; ++i) value = value << 8 | static_cast<uint8_t>(left_[i]);
    left_.remove_prefix(bytes);
    // No length is that long; numbers are not looked at.
    return value == kUntilBreak ? value - 1 : value;
  }

  std::string_view left_;
  std::string untagged_;
  std::vector<uint64_t> levels_ = {1};  // How many items are awaited in each.
};

// Puts a value where "Dimensions.member.1.Name" says.
void PutField(const std::vector<std::string>& path, std::string value, Json* root) {
  Json* at = root;
  for (size_t i = 0; i < path.size(); ++i) {
    const bool listed = path[i] == kMember && i + 1 < path.size();
    if (listed) {
      const auto place = ParseInt(path[++i]);
      if (!place || *place < 1 || *place > kMostListed) return;
      if (at->is_null()) *at = Json::array();
      if (!at->is_array()) return;
      while (at->size() < static_cast<size_t>(*place)) at->push_back(nullptr);
      at = &(*at)[static_cast<size_t>(*place) - 1];
    } else {
      if (at->is_null()) *at = Json::object();
      if (!at->is_object()) return;
      at = &(*at)[path[i]];
    }
  }
  if (at->is_null()) *at = std::move(value);
}

void WriteXml(const std::string& name, const Json& value, bool is_time, net::XmlWriter* xml) {
  if (value.is_object() || value.is_array()) {
    xml->Open(name);
    for (const auto& item : value.items()) {
      const bool of_times = is_time || item.key().starts_with("Timestamp");
      WriteXml(value.is_array() ? std::string(kMember) : item.key(), item.value(), of_times, xml);
    }
    xml->Close(name);
  } else if (value.is_number() && is_time) {
    const auto ms = std::chrono::milliseconds(static_cast<int64_t>(value.get<double>() * 1000));
    xml->Leaf(name, IsoSeconds(Time(ms)));
  } else {
    xml->Leaf(name, value.is_string() ? value.get<std::string>() : value.dump());
  }
}

}  // namespace

bool IsCloudWatchForm(std::string_view body) {
  return body.find(kCloudWatchVersion) != std::string_view::npos;
}

std::optional<Json> FromCbor(const std::string& body) {
  if (body.empty()) return Json::object();
  const std::optional<std::string> untagged = CborReader(body).Untagged();
  if (!untagged) return std::nullopt;
  Json json = Json::from_cbor(*untagged, /*strict=*/true, /*allow_exceptions=*/false);
  if (json.is_discarded() || !json.is_object()) return std::nullopt;
  return json;
}

http::Response ToCborResponse(const Json& answer, const std::string& request_id) {
  return CborResponse(answer, 200, request_id);
}

http::Response ToCborResponse(const ApiError& error, const std::string& request_id) {
  return CborResponse({{"__type", error.code}, {"message", error.message}}, error.http, request_id);
}

Json FromQueryForm(std::string_view body) {
  Json root = Json::object();
  for (size_t fields = 0; !body.empty() && fields < kMostFormFields; ++fields) {
    const size_t end = body.find('&');
    const std::string_view pair = body.substr(0, end);
    body.remove_prefix(end == std::string_view::npos ? body.size() : end + 1);
    const size_t equals = pair.find('=');
    if (equals == std::string_view::npos) continue;
    const auto name = StrictUriDecode(pair.substr(0, equals), true);
    auto value = StrictUriDecode(pair.substr(equals + 1), true);
    if (!name || !value) continue;
    const std::vector<std::string> path = SplitTrimmed(*name, '.');
    if (!path.empty() && path.size() <= kMostFormLevels) PutField(path, std::move(*value), &root);
  }
  return root;
}

http::Response ToQueryResponse(std::string_view operation, const Json& answer,
                               const std::string& request_id) {
  net::XmlWriter xml;
  const std::string response_name = fmt::format("{}Response", operation);
  xml.Open(response_name, kCloudWatchXml);
  WriteXml(fmt::format("{}Result", operation), answer, false, &xml);
  xml.Open("ResponseMetadata").Leaf("RequestId", request_id).Close("ResponseMetadata");
  xml.Close(response_name);
  http::Response response;
  response.headers = {{"Content-Type", "text/xml"}, {"x-amzn-RequestId", request_id}};
  response.body = xml.text();
  return response;
}

std::optional<double> IsoSecond(const std::string& text) {
  int year = 0, month = 0, day = 0, hour = 0, minute = 0, used = 0;
  double second = 0;
  const int read = std::sscanf(text.c_str(), "%4d-%2d-%2dT%2d:%2d:%lf%n", &year, &month, &day,
                               &hour, &minute, &second, &used);
  if (read != 6 || !(second >= 0 && second < 61)) return std::nullopt;
  const std::chrono::year_month_day date{std::chrono::year(year),
                                         std::chrono::month(static_cast<unsigned>(month)),
                                         std::chrono::day(static_cast<unsigned>(day))};
  if (!date.ok()) return std::nullopt;
  const std::string zone = text.substr(static_cast<size_t>(used));
  int zone_hours = 0, zone_minutes = 0;
  if (zone != "Z" && !zone.empty() &&
      std::sscanf(zone.c_str(), "%3d:%2d", &zone_hours, &zone_minutes) != 2) {
    return std::nullopt;
  }
  const auto days = std::chrono::sys_days(date).time_since_epoch().count();
  const int sign = zone.starts_with('-') ? -1 : 1;
  return static_cast<double>(days) * 86'400 + (hour - zone_hours) * 3600.0 +
         (minute - sign * zone_minutes) * 60.0 + second;
}

}  // namespace warden::sagemaker
