#include <gtest/gtest.h>
#include <openssl/pem.h>
#include <openssl/ssl.h>
#include <openssl/x509.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cstdio>
#include <filesystem>

#include "warden/http/client_for_test.h"
#include "warden/http/site_for_test.h"

namespace warden::http {
namespace {

// A certificate that signs itself, with its key, in files.
void MakeCertificate(const std::string& certificate, const std::string& key) {
  EVP_PKEY* pair = EVP_EC_gen("P-256");
  X509* x509 = X509_new();
  X509_gmtime_adj(X509_getm_notBefore(x509), 0);
  X509_gmtime_adj(X509_getm_notAfter(x509), 3600);
  X509_set_pubkey(x509, pair);
  X509_NAME_add_entry_by_txt(X509_get_subject_name(x509), "CN", MBSTRING_ASC,
                             reinterpret_cast<const unsigned char*>("localhost"), -1, -1, 0);
  X509_set_issuer_name(x509, X509_get_subject_name(x509));
  X509_sign(x509, pair, EVP_sha256());
  FILE* file = std::fopen(certificate.c_str(), "w");
  PEM_write_X509(file, x509);
  std::fclose(file);
  file = std::fopen(key.c_str(), "w");
  PEM_write_PrivateKey(file, pair, nullptr, nullptr, 0, nullptr, nullptr);
  std::fclose(file);
  chmod(key.c_str(), 0600);
  X509_free(x509);
  EVP_PKEY_free(pair);
}

// A client that speaks TLS over another's socket.
class TlsClient {
 public:
  explicit TlsClient(uint16_t port, int version = TLS1_3_VERSION)
      : client_(port), context_(SSL_CTX_new(TLS_client_method())) {
    SSL_CTX_set_security_level(context_, 0);
    SSL_CTX_set_max_proto_version(context_, version);
    ssl_ = SSL_new(context_);
    SSL_set_fd(ssl_, client_.socket_number());
    is_connected_ = SSL_connect(ssl_) == 1;
  }
  ~TlsClient() {
    SSL_free(ssl_);
    SSL_CTX_free(context_);
  }

  bool is_connected() const { return is_connected_; }
  void Send(std::string_view text) {
    EXPECT_EQ(SSL_write(ssl_, text.data(), static_cast<int>(text.size())), text.size());
  }
  std::string Read(size_t size) {
    std::string text(size, '\0');
    size_t got = 0;
    while (got < size) {
      const int n = SSL_read(ssl_, text.data() + got, static_cast<int>(size - got));
      if (n <= 0) break;
      got += static_cast<size_t>(n);
    }
    text.resize(got);
    return text;
  }

 private:
  TestClient client_;
  SSL_CTX* context_;
  SSL* ssl_ = nullptr;
  bool is_connected_ = false;
};

class TlsTest : public ServerTest {
 protected:
  TlsTest() {
    std::filesystem::create_directories(folder_);
    options_.tls_certificate = folder_ + "/certificate.pem";
    options_.tls_key = folder_ + "/key.pem";
    MakeCertificate(options_.tls_certificate, options_.tls_key);
  }
  ~TlsTest() override { std::filesystem::remove_all(folder_); }

  const std::string folder_ = testing::TempDir() + "/tls-" + std::to_string(getpid());
};

TEST_F(TlsTest, Answers) {
  TlsClient client(Start());
  ASSERT_TRUE(client.is_connected());
  EXPECT_EQ(server_->address().substr(0, 20),
            "https://127.0.0.1:" + server_->address().substr(18, 2));
  const std::string body(500'000, 'x');
  for (int i = 0; i < 2; ++i) {
    client.Send(Post("/echo", body));
    const std::string answer = client.Read(body.size());
    EXPECT_EQ(StatusOf(answer), "200");
    EXPECT_EQ(BodyOf(answer + client.Read(answer.find("\r\n\r\n") + 4)), body);
  }
  client.Send("GET / HTTP/1.1\r\nHost: test\r\nConnection: close\r\n\r\n");
  EXPECT_EQ(BodyOf(client.Read(10'000)), "hello");
}

TEST_F(TlsTest, SpeaksNothingOlderThanTls12) {
  const uint16_t port = Start();
  EXPECT_TRUE(TlsClient(port, TLS1_2_VERSION).is_connected());
  EXPECT_FALSE(TlsClient(port, TLS1_1_VERSION).is_connected());
}

TEST_F(TlsTest, SurvivesThoseWhoSpeakNoTls) {
  options_.head_time = std::chrono::milliseconds(200);
  const uint16_t port = Start();
  TestClient plain(port);
  plain.Send(Get("/"));
  EXPECT_EQ(plain.ReadAll().find("hello"), std::string::npos);
  TestClient silent(port);
  EXPECT_EQ(silent.ReadAll(), "");  // It is not waited for.
  TlsClient slow(port);
  slow.Send("GET / HT");
  EXPECT_EQ(StatusOf(slow.Read(10'000)), "408");
}

TEST_F(TlsTest, CarriesLivePipes) {
  site_.AddText("/live", [](const RequestHead&, const std::string&) {
    Response response;
    response.live = [](const std::shared_ptr<LivePipe>& pipe) {
      pipe->Send("one\n");
      pipe->Close();
    };
    return response;
  });
  TlsClient client(Start());
  client.Send(Get("/live"));
  EXPECT_EQ(BodyOf(client.Read(10'000)), "4\r\none\n\r\n0\r\n\r\n");
}

TEST_F(TlsTest, RefusesAKeyThatOthersCanRead) {
  for (const mode_t mode : {0644U, 0640U, 0602U}) {
    chmod(options_.tls_key.c_str(), mode);
    const auto server = Server::Start(options_, &site_);
    EXPECT_EQ(server.status().code(), Code::kInvalid) << mode;
    EXPECT_NE(server.status().message().find("chmod 600 " + options_.tls_key), std::string::npos);
  }
}

TEST_F(TlsTest, SaysWhatIsWrongWithTheFiles) {
  const std::string key = std::exchange(options_.tls_key, "");
  EXPECT_EQ(Server::Start(options_, &site_).status().code(), Code::kInvalid);
  options_.tls_key = folder_ + "/absent.pem";
  EXPECT_NE(Server::Start(options_, &site_).status().message().find("absent.pem"),
            std::string::npos);
  options_.tls_key = folder_ + "/other.pem";
  MakeCertificate(folder_ + "/unused.pem", options_.tls_key);
  EXPECT_NE(Server::Start(options_, &site_).status().message().find("other.pem"),
            std::string::npos);
  options_.tls_key = key;
  options_.tls_certificate = key;
  EXPECT_FALSE(Server::Start(options_, &site_).ok());
}

}  // namespace
}  // namespace warden::http
