#include "warden/s3/post.h"

#include <fmt/format.h>

#include <algorithm>
#include <optional>
#include <string>
#include <utility>
#include <variant>

#include "warden/base/text/uri.h"
#include "warden/base/time.h"
#include "warden/net/digest.h"
#include "warden/net/url.h"
#include "warden/net/xml.h"
#include "warden/s3/body.h"
#include "warden/s3/checksum.h"
#include "warden/s3/form_data.h"
#include "warden/s3/object_files.h"
#include "warden/s3/object_path.h"
#include "warden/s3/post_policy.h"
#include "warden/s3/put.h"
#include "warden/s3/request.h"
#include "warden/s3/s3_error.h"
#include "warden/s3/upload_file.h"

namespace warden::s3 {
namespace {

constexpr std::string_view kSchemes[] = {"http", "https"};

// Fields of the form that are kept with the object, as the headers of a PUT would be.
http::RequestHead AsHead(const QueryPairs& fields) {
  http::RequestHead head;
  for (const auto& [name, value] : fields) head.headers.emplace_back(name, value);
  return head;
}

// All that is known when the file begins.
struct Plan {
  S3Request request;  // With bucket and key of the object.
  ObjectMeta meta;    // Without its ETag.
  SizeRange range;    // Of the file.
};

class PostExchange final : public http::Exchange {
 public:
  PostExchange(const http::RequestHead& head, const service::ServiceOptions* options,
               const auth::Authenticator* authenticator, const std::string& boundary)
      : head_(head),
        authenticator_(authenticator),
        parser_(
            boundary, [this] { return BeginFile(); },
            [this](std::string_view piece) { return TakeFile(piece); }) {
    plan_.request.head = head;
    plan_.request.options = options;
  }

  bool Take(std::string_view piece) override {
    if (!status_.ok()) return false;
    status_ = parser_.Take(piece);
    return status_.ok();
  }

  http::Response Answer() override {
    if (!error_ && !status_.ok()) error_ = FromStatus(status_);
    if (!error_ && !parser_.done()) {
      error_ = S3Error{400, "IncompleteBody", "The form ends before its file does"};
    }
    if (!error_ && size_ < plan_.range.least) {
      error_ = S3Error{400, "EntityTooSmall",
                       "Your proposed upload is smaller than the minimum allowed size"};
    }
    if (!error_) return WithRequestId(Store(), head_);
    if (!plan_.request.identity.access_key.empty()) Record(error_->code);
    return ErrorResponse(*error_, head_);
  }

 private:
  Status Fail(S3Error error) {
    error_ = std::move(error);
    return Status(Code::kInvalid, "the form is refused");
  }

  std::string Field(std::string_view name) const {
    const auto& fields = parser_.fields();
    const auto found = std::ranges::find(fields, name, &QueryPairs::value_type::first);
    return found == fields.end() ? "" : found->second;
  }

  Status BeginFile() {
    if (auto error = Admit()) return Fail(std::move(*error));
    if (auto error = MakePlan()) return Fail(std::move(*error));
    auto file = UploadFile::Create(service::DataLayout(plan_.request.options->data).Uploads());
    if (!file.ok()) return file.status();
    file_ = std::move(file).value();
    return Status();
  }

  std::optional<S3Error> Admit() {
    S3Request& request = plan_.request;
    const auth::Verdict verdict = authenticator_->CheckForm(parser_.fields());
    if (const auto* refusal = std::get_if<auth::Refusal>(&verdict)) return FromRefusal(*refusal);
    request.identity = *std::get_if<auth::Identity>(&verdict);
    if (auto error = ReadTarget(head_, &request)) return error;
    if (!request.identity.May(auth::Scope::kWrite)) {
      return AccessDenied(request.identity.read_only);
    }
    if (!request.key.empty()) {
      return S3Error{405, "MethodNotAllowed",
                     "The specified method is not allowed against this resource."};
    }
    if (!request.identity.limits.AllowBucket(request.bucket)) return AccessDenied();
    if (!FilesOf(request).OpenBucket(request.bucket).ok()) return NoSuchBucket();
    return std::nullopt;
  }

  std::optional<S3Error> MakePlan() {
    S3Request& request = plan_.request;
    request.key = Field("key");
    constexpr std::string_view kFileName = "${filename}";
    if (const size_t at = request.key.find(kFileName); at != std::string::npos) {
      request.key.replace(at, kFileName.size(), parser_.file_name());
    }
    if (request.key.empty()) {
      return InvalidArgument("Bucket POST must contain a field named 'key'.");
    }
    if (const auto path = PathInBucket(request.key); !path.ok()) {
      return InvalidArgument(path.status().message());
    }
    QueryPairs fields = parser_.fields();
    std::erase_if(
        fields, [](const auto& field) { return field.first == "key" || field.first == "bucket"; });
    auto kept = KeptHeaders(AsHead(fields));
    fields.emplace_back("key", request.key);
    fields.emplace_back("bucket", request.bucket);
    if (auto error = CheckPolicy(Field("policy"), fields, Now(), &plan_.range)) return error;
    if (!kept.ok()) return S3Error{400, "MetadataTooLarge", kept.status().message()};
    plan_.meta.headers = std::move(kept).value();
    return std::nullopt;
  }

  Status TakeFile(std::string_view piece) {
    size_ += piece.size();
    if (size_ > std::min<uint64_t>(plan_.range.most, kMaxPut)) {
      return Fail({400, "EntityTooLarge", "Your proposed upload exceeds the maximum allowed size"});
    }
    md5_->Update(piece);
    return file_->Append(piece);
  }

  void Record(const std::string& outcome) const {
    const S3Request& request = plan_.request;
    authenticator_->Record(request.identity,
                           {"s3:POST", request.bucket + "/" + request.key, outcome});
  }

  http::Response Store() {
    const S3Request& request = plan_.request;
    plan_.meta.etag = net::Hex(md5_->Finish());
    Status status = file_->Finish(plan_.meta);
    if (status.ok()) {
      status = FilesOf(request).Place(file_->path(), request.bucket, request.key, false);
    }
    Record(status.ok() ? "ok" : "InternalError");
    if (!status.ok()) return ErrorResponse(FromStatus(status), head_);
    return Success();
  }

  http::Response Success() const {
    const S3Request& request = plan_.request;
    const std::string etag = "\"" + plan_.meta.etag + "\"";
    const std::string location =
        fmt::format("/{}/{}", request.bucket, UriEncode(request.key, /*also_slash=*/false));
    http::Response response;
    response.status = 204;
    const std::string status = Field("success_action_status");
    const std::string redirect = Field("success_action_redirect");
    if (!redirect.empty() && net::ParseUrl(redirect, kSchemes).ok()) {
      response.status = 303;
      const char mark = redirect.find('?') == std::string::npos ? '?' : '&';
      response.headers.emplace_back(
          "Location", fmt::format("{}{}bucket={}&key={}&etag={}", redirect, mark, request.bucket,
                                  UriEncode(request.key, true), UriEncode(etag, true)));
    } else if (status == "200") {
      response.status = 200;
    } else if (status == "201") {
      net::XmlWriter xml;
      xml.Open("PostResponse")
          .Leaf("Location", location)
          .Leaf("Bucket", request.bucket)
          .Leaf("Key", request.key)
          .Leaf("ETag", etag)
          .Close("PostResponse");
      response = XmlResponse(xml.text());
      response.status = 201;
    }
    if (response.status != 303) response.headers.emplace_back("Location", location);
    response.headers.emplace_back("ETag", etag);
    return response;
  }

  const http::RequestHead head_;
  const auth::Authenticator* const authenticator_;
  Plan plan_;  // Complete when the file begins.
  std::unique_ptr<UploadFile> file_;
  std::unique_ptr<Checksum> md5_ = MakeChecksum("md5");
  uint64_t size_ = 0;             // Of the file so far.
  std::optional<S3Error> error_;  // In S3's words; status_ is an error then, too.
  Status status_;
  FormDataParser parser_;  // Last: it calls the others.
};

}  // namespace

bool IsForm(const http::RequestHead& head) {
  return head.method == "POST" && head.query.empty() && head.Header("authorization").empty() &&
         BoundaryOf(head.Header("content-type")).has_value();
}

std::unique_ptr<http::Exchange> PostObject(const http::RequestHead& head,
                                           const service::ServiceOptions* options,
                                           const auth::Authenticator* authenticator) {
  const auto boundary = BoundaryOf(head.Header("content-type"));
  return std::make_unique<PostExchange>(head, options, authenticator, boundary.value_or(""));
}

}  // namespace warden::s3
