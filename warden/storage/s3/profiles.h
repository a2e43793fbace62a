#ifndef WARDEN_STORAGE_S3_PROFILES_H_
#define WARDEN_STORAGE_S3_PROFILES_H_

#include <functional>
#include <map>
#include <string>
#include <string_view>

namespace warden::storage::s3 {

// The value of a variable of the environment, empty if it is not set. Tests give their own.
using Variables = std::function<std::string(const char* name)>;
Variables ProcessVariables();

// One profile of AWS's files: names in lower case, and values. What is indented below "s3 =" has
// the name "s3.addressing_style".
using Profile = std::map<std::string, std::string, std::less<>>;

// The sections of one of AWS's files ("[default]", "[profile x]", "[services y]"), by what stands
// between the brackets, with single blanks. Lines that are neither section, setting nor comment are
// skipped, as AWS's own programs do. Pure.
std::map<std::string, Profile> ParseProfiles(std::string_view text);

// The profile that the variables choose ($AWS_PROFILE, else $AWS_DEFAULT_PROFILE, else "default").
struct ChosenProfile {
  std::string name;
  bool by_name = false;  // Chosen by a variable: to be found, or else an error.
  bool found = false;
  Profile keys;      // Of the credentials file; what is missing there is in settings.
  Profile settings;  // Of the config file, with "services.s3.endpoint_url" from its services.
};
// Reads $AWS_SHARED_CREDENTIALS_FILE and $AWS_CONFIG_FILE, else ~/.aws/credentials and
// ~/.aws/config. Files that are missing or cannot be read are empty.
ChosenProfile ReadProfile(const Variables& variables);

}  // namespace warden::storage::s3

#endif  // WARDEN_STORAGE_S3_PROFILES_H_
