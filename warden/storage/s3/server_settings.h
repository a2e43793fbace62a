#ifndef WARDEN_STORAGE_S3_SERVER_SETTINGS_H_
#define WARDEN_STORAGE_S3_SERVER_SETTINGS_H_

#include <string>
#include <string_view>

#include "warden/base/status.h"
#include "warden/storage/s3/profiles.h"

namespace warden::storage::s3 {

// Where the server is and how it is spoken to. docs/guide/runs-in-s3.md says which variable sets
// what.
struct Settings {
  std::string endpoint;       // "https://host:port", with a path perhaps, without '/' at its end.
  bool own_endpoint = false;  // Configured, not Amazon's for the region.
  std::string region;
  enum class Style { kAuto, kPath, kVirtualHost };
  Style style = Style::kAuto;
  std::string encryption;  // "AES256" or "aws:kms" for new objects; empty: as the bucket says.
  std::string kms_key;     // Empty: the account's own.
  int most_attempts = 7;   // Of one request, before it fails.
};

// From the variables, else from the profile, else Amazon's in us-east-1. kInvalid names a variable
// whose value is not accepted.
Result<Settings> ReadSettings(const Variables& variables, const ChosenProfile& profile);

// Amazon's address of a service ("s3", "sts") in a region.
std::string AmazonEndpoint(std::string_view service, std::string_view region);

// The URL in front of "/KEY": with the bucket in the host's name, or as the first part of the path.
// Path style is the default with a custom endpoint, and for names with a dot, which TLS
// certificates do not cover.
std::string BucketUrl(const Settings& settings, std::string_view bucket);

}  // namespace warden::storage::s3

#endif  // WARDEN_STORAGE_S3_SERVER_SETTINGS_H_
