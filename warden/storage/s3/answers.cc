#include "warden/storage/s3/answers.h"

#include <algorithm>
#include <chrono>
#include <utility>

#include "warden/base/strings.h"
#include "warden/net/xml.h"

namespace warden::storage::s3 {

std::optional<Time> ParseIsoTime(std::string_view text) {
  if (text.size() < 20 || text.back() != 'Z' || text[4] != '-' || text[10] != 'T') {
    return std::nullopt;
  }
  const auto number = [&](size_t at, size_t length) {
    return static_cast<int>(ParseInt(text.substr(at, length)).value_or(-1));
  };
  const std::chrono::year_month_day day{std::chrono::year(number(0, 4)),
                                        std::chrono::month(static_cast<unsigned>(number(5, 2))),
                                        std::chrono::day(static_cast<unsigned>(number(8, 2)))};
  const int hour = number(11, 2);
  const int minute = number(14, 2);
  const int second = number(17, 2);
  if (!day.ok() || hour < 0 || minute < 0 || second < 0) return std::nullopt;
  return Time(std::chrono::sys_days(day)) + std::chrono::hours(hour) +
         std::chrono::minutes(minute) + std::chrono::seconds(second);
}

S3Error ErrorIn(const Answer& answer) {
  if (answer.ok() || answer.body.empty()) return {};
  const auto root = net::ParseXml(AsText(answer.body));
  if (!root.ok() || root.value().name != "Error") return {};
  return {std::string(root.value().Text("Code")), std::string(root.value().Text("Message"))};
}

Result<ListedPage> PageIn(const Answer& answer) {
  const auto root = net::ParseXml(AsText(answer.body));
  if (!root.ok() || root.value().name != "ListBucketResult") {
    return Status(Code::kCorrupt, "the answer is not a list of objects; check AWS_ENDPOINT_URL");
  }
  // Not every server encodes, though it is asked to.
  const bool encoded = root.value().Text("EncodingType") == "url";
  const auto decode = [&](std::string_view key) {
    std::optional<std::string> decoded = StrictUriDecode(key, true);
    return encoded && decoded ? std::move(*decoded) : std::string(key);
  };
  ListedPage page;
  for (const net::XmlElement& element : root.value().children) {
    if (element.name == "CommonPrefixes") page.folders.push_back(decode(element.Text("Prefix")));
    if (element.name != "Contents") continue;
    page.objects.push_back(
        {decode(element.Text("Key")), std::string(element.Text("ETag")),
         static_cast<uint64_t>(std::max<int64_t>(0, ParseInt(element.Text("Size")).value_or(0))),
         ParseIsoTime(element.Text("LastModified"))});
  }
  if (root.value().Text("IsTruncated") == "true") {
    page.next = root.value().Text("NextContinuationToken");
  }
  return page;
}

std::string LeafIn(const Answer& answer, std::string_view name) {
  const auto root = net::ParseXml(AsText(answer.body));
  return root.ok() ? std::string(root.value().Text(name)) : "";
}

std::optional<uint64_t> SizeInRange(std::string_view content_range) {
  const size_t slash = content_range.find('/');
  if (slash == content_range.npos) return std::nullopt;
  const auto size = ParseInt(content_range.substr(slash + 1));
  if (!size || *size < 0) return std::nullopt;
  return static_cast<uint64_t>(*size);
}

}  // namespace warden::storage::s3
