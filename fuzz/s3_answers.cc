// The input as what an S3 server, or one that gives credentials for it, answers, and as a file of
// profiles.

#include <string>
#include <vector>

#include "fuzz/check.h"
#include "warden/storage/s3/answers.h"
#include "warden/storage/s3/credential_answers.h"
#include "warden/storage/s3/profiles.h"

namespace warden::fuzz {
namespace {

using namespace storage::s3;

void TakeAnswer(std::string_view text) {
  const auto* bytes = reinterpret_cast<const std::byte*>(text.data());
  Answer answer;
  answer.body.assign(bytes, bytes + text.size());
  answer.status = 404;
  const S3Error error = ErrorIn(answer);
  Check(error.code.size() + error.message.size() <= 4 * text.size());
  answer.status = 200;
  Check(ErrorIn(answer).code.empty());
  const auto page = PageIn(answer);
  if (!page.ok()) {
    Check(page.status().code() == Code::kCorrupt);
    return;
  }
  for (const ListedObject& object : page.value().objects) {
    Check(object.key.size() <= 4 * text.size() && object.size <= INT64_MAX);
  }
}

void TakeKeys(const Result<Credentials>& keys) {
  if (keys.ok()) {
    Check(!keys.value().access_key.empty() && !keys.value().secret_key.empty());
  } else {
    Check(keys.status().message().starts_with("the role"));
  }
}

void TakeProfiles(std::string_view text) {
  size_t most = 0;
  for (const auto& [name, profile] : ParseProfiles(text)) {
    for (const auto& [key, value] : profile) most += key.size() + value.size();
  }
  Check(most <= 2 * text.size() * text.size() + 2);
}

}  // namespace
}  // namespace warden::fuzz

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  using namespace warden;
  const std::string_view text = fuzz::Text(data, size);
  fuzz::TakeAnswer(text);
  fuzz::TakeKeys(storage::s3::CredentialsInJson(text, "the role"));
  fuzz::TakeKeys(storage::s3::CredentialsInXml(text, "the role"));
  fuzz::TakeProfiles(text);
  (void)storage::s3::SizeInRange(text);
  (void)storage::s3::ParseIsoTime(text);
  return 0;
}
