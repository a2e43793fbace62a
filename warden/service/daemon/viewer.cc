#include "warden/service/daemon/viewer.h"

#include <fmt/format.h>

#include "warden/service/auth/keyring.h"
#include "warden/service/auth/uri_text.h"
#include "warden/service/dashboard/site/dashboard.h"
#include "warden/service/dashboard/site/places.h"
#include "warden/service/http/router.h"
#include "warden/service/http/server.h"
#include "warden/service/jobs/random.h"
#include "warden/storage/shortened_files.h"

namespace warden::service {
namespace {

constexpr size_t kTokenDigits = 64;

}  // namespace

struct Viewer::Parts {
  ServiceOptions options;
  actions::Secret token;
  std::unique_ptr<Authenticator> authenticator;
  std::unique_ptr<Handler> dashboard;
  std::unique_ptr<Server> server;
};

Viewer::Viewer(std::unique_ptr<Parts> parts) : parts_(std::move(parts)) {}

Viewer::~Viewer() { parts_->server->Stop(); }

Result<std::unique_ptr<Viewer>> Viewer::Start(const ServiceOptions& options) {
  storage::SurviveShortenedFiles();
  auto parts = std::make_unique<Parts>();
  parts->options = options;
  parts->token = actions::Secret(RandomHex(kTokenDigits));
  Keyring keyring;
  keyring.token = parts->token;
  keyring.account = options.account;
  keyring.region = options.region;
  parts->authenticator = MakeAuthenticator(std::move(keyring));
  parts->dashboard = MakeDashboard({&parts->options, parts->authenticator.get()},
                                   Sessions(parts->authenticator.get(), parts->token,
                                            /*secure=*/false, parts->token.Reveal()));
  ServerOptions listening;
  listening.listen = options.listen;
  auto server = Server::Start(listening, parts->dashboard.get());
  if (!server.ok()) return server.status();
  parts->server = std::move(server.value());
  return std::unique_ptr<Viewer>(new Viewer(std::move(parts)));
}

std::string Viewer::Link(const std::string& run) const {
  return DashboardLink(parts_->server->address(), parts_->token.Reveal(), run);
}

std::string DashboardLink(const std::string& address, const std::string& token,
                          const std::string& run) {
  std::string link = fmt::format("{}/-/#/login?token={}", address, token);
  if (!run.empty()) link += "&to=" + UriEncode("#/run/" + RunIdOf(run), /*also_slash=*/true);
  return link;
}

}  // namespace warden::service
