#include "warden/s3/s3.h"

#include <fmt/format.h>

#include <algorithm>
#include <utility>
#include <variant>

#include "warden/s3/body.h"
#include "warden/s3/buckets.h"
#include "warden/s3/copy.h"
#include "warden/s3/delete.h"
#include "warden/s3/get.h"
#include "warden/s3/list_answer.h"
#include "warden/s3/multipart.h"
#include "warden/s3/object_files.h"
#include "warden/s3/post.h"
#include "warden/s3/put.h"
#include "warden/s3/replays.h"
#include "warden/s3/request.h"
#include "warden/s3/upload_file.h"

namespace warden::s3 {
namespace {

// Of documents: 10,000 parts with their checksums.
constexpr size_t kMaxDocument = 4 << 20;

// What a bucket or an object can be asked for beside itself, and here cannot.
constexpr std::string_view kNotHere[] = {
    "accelerate",     "acl",          "analytics",           "attributes",   "cors",
    "encryption",     "inventory",    "intelligent-tiering", "legal-hold",   "lifecycle",
    "logging",        "metrics",      "notification",        "object-lock",  "ownershipControls",
    "policy",         "policyStatus", "publicAccessBlock",   "renameObject", "replication",
    "requestPayment", "restore",      "retention",           "select",       "tagging",
    "torrent",        "versionId",    "versioning",          "versions",     "website",
};

std::optional<S3Error> CheckSupported(const S3Request& request) {
  for (const std::string_view name : kNotHere) {
    if (!request.Asks(name)) continue;
    return S3Error{501, "NotImplemented",
                   fmt::format("'{}' is not supported: objects are plain files.", name)};
  }
  if (request.Asks("partNumber") && !request.Asks("uploadId")) {
    return S3Error{501, "NotImplemented", "Reading single parts of an object is not supported."};
  }
  return std::nullopt;
}

bool IsReading(const http::RequestHead& head) {
  return head.method == "GET" || head.method == "HEAD";
}

std::unique_ptr<http::Exchange> WithBody(const S3Request& request,
                                         http::Response (*answer)(const S3Request&,
                                                                  const std::string&)) {
  return GatherChecked(request, kMaxDocument, [request, answer](const std::string& body) {
    return answer(request, body);
  });
}

// Of a request that has no body, or one that says nothing to us.
std::unique_ptr<http::Exchange> WithoutBody(const S3Request& request,
                                            http::Response (*answer)(const S3Request&)) {
  return GatherChecked(request, kMaxDocument,
                       [request, answer](const std::string&) { return answer(request); });
}

// nullptr: there is no such operation.
std::unique_ptr<http::Exchange> BeginBucket(const S3Request& request) {
  const std::string& method = request.head.method;
  if (method == "PUT") return WithoutBody(request, &CreateBucket);
  if (method == "HEAD") return WithoutBody(request, &HeadBucket);
  if (method == "DELETE") return WithoutBody(request, &DeleteBucket);
  if (method == "POST" && request.Asks("delete")) return WithBody(request, &DeleteObjects);
  if (method != "GET") return nullptr;
  if (request.Asks("location")) return WithoutBody(request, &GetBucketLocation);
  if (request.Asks("uploads")) return WithoutBody(request, &ListMultipartUploads);
  return WithoutBody(request, &AnswerList);
}

std::unique_ptr<http::Exchange> BeginObject(const S3Request& request) {
  const std::string& method = request.head.method;
  const bool part = request.Asks("uploadId");
  const bool copy = !request.head.Header("x-amz-copy-source").empty();
  if (method == "PUT" && copy) return WithoutBody(request, part ? &UploadPartCopy : &CopyObject);
  if (method == "PUT") return part ? UploadPart(request) : PutObject(request);
  if (method == "DELETE") {
    return WithoutBody(request, part ? &AbortMultipartUpload : &DeleteObject);
  }
  if (method == "POST" && request.Asks("uploads")) {
    return WithoutBody(request, &CreateMultipartUpload);
  }
  if (method == "POST" && part) return WithBody(request, &CompleteMultipartUpload);
  if (method == "GET" && part) return WithoutBody(request, &ListParts);
  if (IsReading(request.head)) return WithoutBody(request, &GetObject);
  return nullptr;
}

class S3Handler final : public http::Handler {
 public:
  S3Handler(const service::ServiceOptions* options, const auth::Authenticator* authenticator)
      : options_(options), authenticator_(authenticator) {
    UploadFile::RemoveLeftOver(service::DataLayout(options->data).Uploads());
  }

  std::unique_ptr<http::Exchange> Begin(const http::RequestHead& head) override {
    if (IsForm(head)) return PostObject(head, options_, authenticator_);
    S3Request request;
    request.head = head;
    request.options = options_;
    if (const std::optional<S3Error> error = Admit(&request)) return Fail(*error, head);
    std::unique_ptr<http::Exchange> exchange;
    if (request.bucket.empty()) {
      if (head.method == "GET") exchange = WithoutBody(request, &ListBuckets);
    } else {
      exchange = request.key.empty() ? BeginBucket(request) : BeginObject(request);
    }
    if (exchange != nullptr) return exchange;
    return Fail(
        {405, "MethodNotAllowed", "The specified method is not allowed against this resource."},
        head);
  }

 private:
  static std::unique_ptr<http::Exchange> Fail(const S3Error& error, const http::RequestHead& head) {
    return http::AnswerAtOnce(ErrorResponse(error, head));
  }

  // Whether the request can be answered: who sent it first, then what it is.
  std::optional<S3Error> Admit(S3Request* request) const {
    const http::RequestHead& head = request->head;
    const std::string_view hash = head.Header("x-amz-content-sha256");
    const auth::Verdict verdict =
        authenticator_->Check(head, hash.empty() ? "UNSIGNED-PAYLOAD" : hash);
    if (const auto* refusal = std::get_if<auth::Refusal>(&verdict)) return FromRefusal(*refusal);
    request->identity = *std::get_if<auth::Identity>(&verdict);
    std::optional<S3Error> error = CheckRights(*request);
    // Also where it is refused already: the audit log names it.
    std::optional<S3Error> unreadable = ReadTarget(head, request);
    if (!error) error = std::move(unreadable);
    if (!error) error = CheckSupported(*request);
    if (!error) error = CheckBucket(*request);
    if (!IsReading(head)) {
      authenticator_->Record(request->identity,
                             {"s3:" + head.method, request->bucket + "/" + request->key,
                              error ? error->code : "begun"});
    }
    return error;
  }

  // Of who sent it, whatever it is.
  std::optional<S3Error> CheckRights(const S3Request& request) const {
    const http::RequestHead& head = request.head;
    const auth::Identity& identity = request.identity;
    const auth::Scope needed = IsReading(head) ? auth::Scope::kRead : auth::Scope::kWrite;
    const std::string_view owner = head.Header("x-amz-expected-bucket-owner");
    if (!identity.May(needed) || (!owner.empty() && owner != identity.account)) {
      return AccessDenied(identity.read_only);
    }
    if (IsReading(head) || identity.signature.empty() || replays_.Admit(identity.signature)) {
      return std::nullopt;
    }
    return S3Error{403, "AccessDenied",
                   "This very request was received before. Sign it again to repeat it."};
  }

  std::optional<S3Error> CheckBucket(const S3Request& request) const {
    const bool creates = request.head.method == "PUT" && request.key.empty();
    if (request.bucket.empty()) return std::nullopt;
    // Whether there is such a bucket or not.
    if (!request.identity.limits.AllowBucket(request.bucket)) return AccessDenied();
    if (creates) return std::nullopt;
    const ObjectFiles files(service::DataLayout(options_->data).Objects());
    const Result<os::UniqueFd> bucket = files.OpenBucket(request.bucket);
    if (bucket.ok()) return std::nullopt;
    if (bucket.status().code() == Code::kNotFound) return NoSuchBucket();
    return FromStatus(bucket.status());
  }

  const service::ServiceOptions* options_;
  const auth::Authenticator* authenticator_;
  mutable Replays replays_;
};

}  // namespace

std::unique_ptr<http::Handler> MakeS3(const service::ServiceOptions* options,
                                      const auth::Authenticator* authenticator) {
  return std::make_unique<S3Handler>(options, authenticator);
}

}  // namespace warden::s3
