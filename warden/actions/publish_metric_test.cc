#include "warden/actions/publish_metric.h"

#include <arpa/inet.h>
#include <gtest/gtest.h>
#include <netinet/in.h>
#include <sys/socket.h>

#include "warden/actions/actions_for_test.h"
#include "warden/actions/metrics_server.h"
#include "warden/os/posix.h"

namespace warden::actions {
namespace {

// What the server on this port answers until it closes the connection.
std::string Ask(uint16_t port, const std::string& request) {
  const os::UniqueFd connection(socket(AF_INET, SOCK_STREAM, 0));
  sockaddr_in address{};
  address.sin_family = AF_INET;
  address.sin_port = htons(port);
  address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
  if (connect(connection.get(), reinterpret_cast<sockaddr*>(&address), sizeof(address)) != 0) {
    return "cannot connect";
  }
  (void)!send(connection.get(), request.data(), request.size(), MSG_NOSIGNAL);
  std::string answer;
  char buffer[1024];
  for (ssize_t size = 0; (size = recv(connection.get(), buffer, sizeof(buffer), 0)) > 0;) {
    answer.append(buffer, static_cast<size_t>(size));
  }
  return answer;
}

std::string AskFor(uint16_t port, const std::string& line) {
  return Ask(port, line + " HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n");
}

TEST(FiringMetricsTest, CountsByJobAndRule) {
  FiringMetrics metrics;
  EXPECT_TRUE(NewPrometheusMetric(&metrics)->Run(SomeFiring(), {}).status.ok());
  EXPECT_TRUE(NewPrometheusMetric(&metrics)->Run(SomeFiring(), {}).status.ok());
  Firing other = SomeFiring();
  other.job = "a\"b\\c\nd";
  EXPECT_TRUE(NewPrometheusMetric(&metrics)->Run(other, {}).status.ok());
  EXPECT_EQ(metrics.Text(),
            "# HELP warden_rule_firings_total Number of findings of the rule.\n"
            "# TYPE warden_rule_firings_total counter\n"
            "warden_rule_firings_total{job=\"a\\\"b\\\\c\\nd\",rule=\"MyGradients\"} 1\n"
            "warden_rule_firings_total{job=\"demo-001\",rule=\"MyGradients\"} 2\n"
            "# HELP warden_rule_fired 1 if the rule has found a problem.\n"
            "# TYPE warden_rule_fired gauge\n"
            "warden_rule_fired{job=\"a\\\"b\\\\c\\nd\",rule=\"MyGradients\"} 1\n"
            "warden_rule_fired{job=\"demo-001\",rule=\"MyGradients\"} 1\n");
}

TEST(MetricsServerTest, AnswersForMetricsOnly) {
  const auto server = MetricsServer::Start("127.0.0.1:0", [] { return std::string("page\n"); });
  ASSERT_TRUE(server.ok()) << server.status().message();
  const uint16_t port = server.value()->port();
  const std::string answer = AskFor(port, "GET /metrics");
  EXPECT_TRUE(answer.starts_with("HTTP/1.1 200 OK\r\n")) << answer;
  EXPECT_NE(answer.find("text/plain; version=0.0.4"), std::string::npos);
  EXPECT_TRUE(answer.ends_with("\r\n\r\npage\n")) << answer;
  EXPECT_TRUE(AskFor(port, "GET /metrics?x=1").starts_with("HTTP/1.1 200"));
  EXPECT_TRUE(AskFor(port, "GET /").starts_with("HTTP/1.1 404"));
  EXPECT_TRUE(AskFor(port, "POST /metrics").starts_with("HTTP/1.1 405"));
  EXPECT_EQ(Ask(port, "nonsense\r\n\r\n"), "");
  EXPECT_TRUE(AskFor(port, "GET /metrics").starts_with("HTTP/1.1 200"));
}

TEST(MetricsServerTest, SaysWhereItCannotListen) {
  const auto page = [] { return std::string(); };
  for (const char* listen : {"", "9464", "localhost:x", "127.0.0.1:70000", "[::1"}) {
    EXPECT_EQ(MetricsServer::Start(listen, page).status().code(), Code::kInvalid) << listen;
  }
  const auto first = MetricsServer::Start("127.0.0.1:0", page);
  ASSERT_TRUE(first.ok());
  const std::string taken = "127.0.0.1:" + std::to_string(first.value()->port());
  const auto second = MetricsServer::Start(taken, page);
  EXPECT_EQ(second.status().code(), Code::kIo);
  EXPECT_EQ(second.status().message(),
            "cannot serve metrics on " + taken + ": Address already in use");
  EXPECT_EQ(MetricsServer::Start("9464", page).status().message(),
            "listen address is \"9464\"; expected an address and port such as 127.0.0.1:9464");
}

}  // namespace
}  // namespace warden::actions
