#include "warden/dashboard/site/page.h"

#include <fmt/format.h>
#include <zlib.h>

#include <map>
#include <string>

#include "warden/base/strings.h"

namespace warden::dashboard {
namespace {

// Nothing from anywhere else, no script or style but our files; the reports that are shown inside
// have rules of their own.
constexpr char kPolicy[] =
    "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data: blob:; "
    "connect-src 'self'; frame-src 'self'; base-uri 'none'; form-action 'none'; "
    "frame-ancestors 'none'";

struct File {
  std::string_view type;
  Asset asset;
  std::string packed;
};

File Made(std::string_view type, const Asset& asset) { return {type, asset, Pack(asset.text)}; }

const std::map<std::string_view, File>& Files() {
  static const std::map<std::string_view, File> files = {
      {"/-/", Made("text/html; charset=utf-8", DashboardPage())},
      {"/-/app.js", Made("text/javascript; charset=utf-8", DashboardScript())},
      {"/-/app.css", Made("text/css; charset=utf-8", DashboardStyle())}};
  return files;
}

}  // namespace

std::string Pack(std::string_view text) {
  z_stream stream = {};
  constexpr int kGzip = 16;
  if (deflateInit2(&stream, Z_BEST_COMPRESSION, Z_DEFLATED, MAX_WBITS + kGzip, MAX_MEM_LEVEL,
                   Z_DEFAULT_STRATEGY) != Z_OK) {
    return {};
  }
  std::string packed(deflateBound(&stream, text.size()), '\0');
  stream.next_in = reinterpret_cast<Bytef*>(const_cast<char*>(text.data()));
  stream.avail_in = static_cast<uInt>(text.size());
  stream.next_out = reinterpret_cast<Bytef*>(packed.data());
  stream.avail_out = static_cast<uInt>(packed.size());
  const bool done = deflate(&stream, Z_FINISH) == Z_STREAM_END;
  packed.resize(done ? stream.total_out : 0);
  deflateEnd(&stream);
  return packed;
}

bool HasDashboardPages() { return WARDEN_HAS_PAGES != 0; }

std::optional<http::Response> PageFile(const http::RequestHead& head) {
  const auto found = Files().find(head.path);
  if (found == Files().end()) return std::nullopt;
  const File& file = found->second;
  http::Response response;
  if (head.method != "GET" && head.method != "HEAD") {
    response.status = 405;
    response.headers = {{"Allow", "GET, HEAD"}};
    return response;
  }
  const std::string tag = fmt::format("\"{}\"", file.asset.sha256);
  response.headers = {{"ETag", tag},
                      {"Cache-Control", "no-cache"},
                      {"Vary", "Accept-Encoding"},
                      {"Content-Security-Policy", kPolicy},
                      {"X-Content-Type-Options", "nosniff"},
                      {"Referrer-Policy", "no-referrer"},
                      {"Cross-Origin-Opener-Policy", "same-origin"}};
  if (head.Header("if-none-match") == tag) {
    response.status = 304;
    return response;
  }
  response.headers.emplace_back("Content-Type", file.type);
  const bool packed = !file.packed.empty() &&
                      LowerAscii(head.Header("accept-encoding")).find("gzip") != std::string::npos;
  if (packed) response.headers.emplace_back("Content-Encoding", "gzip");
  response.body = packed ? file.packed : std::string(file.asset.text);
  if (head.method == "HEAD") {
    response.told_length = response.body.size();
    response.body.clear();
  }
  return response;
}

}  // namespace warden::dashboard
