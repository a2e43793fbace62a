#include "warden/daemon/viewer.h"

#include <fmt/format.h>

#include <chrono>
#include <filesystem>

#include "warden/auth/keyring.h"
#include "warden/base/text/uri.h"
#include "warden/dashboard/site/dashboard.h"
#include "warden/dashboard/site/places.h"
#include "warden/http/router.h"
#include "warden/http/server.h"
#include "warden/os/random.h"
#include "warden/storage/shortened_files.h"

namespace warden::daemon {
namespace {

constexpr size_t kTokenDigits = 64;
constexpr std::chrono::minutes kExportPatience{10};

}  // namespace

struct Viewer::Parts {
  service::ServiceOptions options;
  os::Secret token;
  std::unique_ptr<auth::Authenticator> authenticator;
  std::unique_ptr<http::Handler> dashboard;
  std::unique_ptr<http::Server> server;
};

Viewer::Viewer(std::unique_ptr<Parts> parts) : parts_(std::move(parts)) {}

Viewer::~Viewer() { parts_->server->Stop(); }

Result<std::unique_ptr<Viewer>> Viewer::Start(const service::ServiceOptions& options) {
  storage::SurviveShortenedFiles();
  auto parts = std::make_unique<Parts>();
  parts->options = options;
  parts->token = os::Secret(os::RandomHex(kTokenDigits));
  auth::Keyring keyring;
  keyring.token = parts->token;
  keyring.account = options.account;
  keyring.region = options.region;
  parts->authenticator = auth::MakeAuthenticator(std::move(keyring));
  parts->dashboard =
      dashboard::MakeDashboard({&parts->options, parts->authenticator.get()},
                               dashboard::Sessions(parts->authenticator.get(), parts->token, {}));
  http::ServerOptions listening;
  listening.listen = options.listen;
  auto server = http::Server::Start(listening, parts->dashboard.get());
  if (!server.ok()) return server.status();
  parts->server = std::move(server.value());
  return std::unique_ptr<Viewer>(new Viewer(std::move(parts)));
}

std::string Viewer::Link(const std::string& run) const {
  return DashboardLink(parts_->server->address(), parts_->token.Reveal(), run);
}

Result<ExportedPage> ExportPage(const std::string& run, size_t most_bytes) {
  storage::SurviveShortenedFiles();
  std::error_code error;
  const std::string folder = std::filesystem::canonical(run, error).string();
  if (error) {
    return Status(Code::kNotFound, fmt::format("cannot open {}: {}", run, error.message()));
  }
  service::ServiceOptions options;
  options.runs = {folder};
  auto exported = dashboard::ExportFolder(options, folder,
                                          {.most_bytes = most_bytes, .patience = kExportPatience});
  if (exported.status().code() == Code::kNotFound) {
    return Status(Code::kNotFound, fmt::format("{}: no run in this folder", run));
  }
  if (!exported.ok()) return exported.status();
  return ExportedPage{std::move(exported.value().page), std::move(exported.value().left_out)};
}

std::string DashboardLink(const std::string& address, const std::string& token,
                          const std::string& run) {
  std::string link = fmt::format("{}/-/#/login?token={}", address, token);
  if (!run.empty())
    link += "&to=" + UriEncode("#/run/" + dashboard::RunIdOf(run), /*also_slash=*/true);
  return link;
}

}  // namespace warden::daemon
