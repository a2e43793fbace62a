#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>

#include "warden/jobs/events/delivery.h"
#include "warden/jobs/events/receivers.h"
#include "warden/jobs/supervise/service_for_test.h"
#include "warden/os/whole_file.h"

namespace warden::jobs {
namespace {

using std::chrono::milliseconds;

class DeliveryTest : public SuperviseTest {
 protected:
  DeliveryTest() {
    quick_.first_wait = milliseconds(5);
    quick_.longest_wait = milliseconds(20);
    // Known already: it is told of all.
    for (const char* name : {"a", "b"}) EXPECT_TRUE(store_->SetCursor(name, 0).ok());
  }

  std::string File(const std::string& name) { return folder_.folder() + "/" + name; }
  std::string Text(const std::string& name) { return os::ReadWholeFile(File(name)).value_or(""); }

  void Open(const std::string& list) {
    std::ofstream(File("events.json")) << "{\"receivers\": [" << list << "]}" << std::flush;
    auto delivery = OpenDelivery(options_, store_.get(), quick_);
    ASSERT_TRUE(delivery.ok()) << delivery.status().message();
    delivery_ = std::move(delivery.value());
  }
  void Deliver(const std::string& list) {
    ASSERT_NO_FATAL_FAILURE(Open(list));
    delivery_->Start("http://127.0.0.1:4567");
  }
  Result<std::vector<Receiver>> Load() { return LoadReceivers(options_, smtp_, store_.get()); }
  std::string Refusal(const std::string& text) {
    std::ofstream(File("events.json")) << text << std::flush;
    const auto receivers = Load();
    return receivers.ok() ? "" : receivers.status().message();
  }
  std::string FileReceiver(const std::string& name, const std::string& more = "") {
    return R"({"name": ")" + name + R"(", "file": ")" + File(name) + "\"" + more + "}";
  }
  std::string CommandReceiver(const std::string& script) {
    Json receiver = {{"name", "a"}, {"command", {"/bin/sh", "-c", script}}};
    return receiver.dump();
  }
  static size_t Lines(const std::string& text) {
    return static_cast<size_t>(std::count(text.begin(), text.end(), '\n'));
  }

  CourierPatience quick_;
  actions::SmtpSettings smtp_;
  std::unique_ptr<EventDelivery> delivery_;
};

TEST_F(DeliveryTest, InOrderToAllWhoWantThem) {
  Deliver(FileReceiver("a") + "," +
          FileReceiver("b", R"(, "pattern": {"detail": {"TrainingJobName": ["job-2"]}})"));
  for (const char* name : {"job-1", "job-2", "job-3"}) Create(Job(name));
  ASSERT_TRUE(WaitFor([&] { return store_->CursorOf("b") == store_->LastEvent(); }));
  ASSERT_TRUE(WaitFor([&] { return store_->CursorOf("a") == store_->LastEvent(); }));
  const std::string all = Text("a");
  EXPECT_EQ(Lines(all), static_cast<size_t>(store_->LastEvent()));
  EXPECT_LT(all.find("\"job-1\""), all.find("\"job-2\""));
  EXPECT_LT(all.find("\"job-2\""), all.find("\"job-3\""));
  EXPECT_EQ(Lines(Text("b")), 1u);
  EXPECT_NE(Text("b").find("\"TrainingJobName\": \"job-2\""), std::string::npos);
}

TEST_F(DeliveryTest, CommandsDoNotGetTheKeysOfTheService) {
  for (const char* name : {"AWS_ACCESS_KEY_ID", "AWS_PROFILE", "WARDEN_SMTP_PASSWORD"}) {
    setenv(name, "of-the-service", 1);
  }
  Deliver(CommandReceiver("env > " + File("env")));
  Create(Job("job-1"));
  EXPECT_TRUE(WaitFor([&] { return store_->CursorOf("a") == store_->LastEvent(); }));
  delivery_.reset();
  for (const char* name : {"AWS_ACCESS_KEY_ID", "AWS_PROFILE", "WARDEN_SMTP_PASSWORD"}) {
    unsetenv(name);
  }
  EXPECT_EQ(Text("env").find("of-the-service"), std::string::npos) << Text("env");
  EXPECT_NE(Text("env").find("AWS_SHARED_CREDENTIALS_FILE="), std::string::npos);
  EXPECT_NE(Text("env").find("\nPATH="), std::string::npos);
}

TEST_F(DeliveryTest, GoesOnWhereItWas) {
  Create(Job("job-1"));
  Deliver(FileReceiver("a"));
  ASSERT_TRUE(WaitFor([&] { return store_->CursorOf("a") == store_->LastEvent(); }));
  delivery_.reset();
  Create(Job("job-2"));
  Deliver(FileReceiver("a"));
  ASSERT_TRUE(WaitFor([&] { return store_->CursorOf("a") == store_->LastEvent(); }));
  EXPECT_EQ(Lines(Text("a")), static_cast<size_t>(store_->LastEvent())) << "each once";
}

TEST_F(DeliveryTest, ANewReceiverBeginsWithWhatHappensNext) {
  Create(Job("job-1"));
  Deliver(FileReceiver("new"));
  ASSERT_TRUE(WaitFor([&] { return store_->CursorOf("new") == store_->LastEvent(); }));
  EXPECT_EQ(Text("new"), "");
}

TEST_F(DeliveryTest, WhatHappensBeforeItStartsWaits) {
  Open(FileReceiver("new"));
  Create(Job("job-1"));
  EXPECT_EQ(Text("new"), "");
  delivery_->Start("http://127.0.0.1:4567");
  ASSERT_TRUE(WaitFor([&] { return store_->CursorOf("new") == store_->LastEvent(); }));
  EXPECT_EQ(Lines(Text("new")), static_cast<size_t>(store_->LastEvent()));
}

TEST_F(DeliveryTest, ACommandGetsTheEvent) {
  Deliver(
      CommandReceiver("{ cat; echo $WARDEN_JOB $WARDEN_EVENT_NUMBER \"$WARDEN_EVENT_TYPE\" "
                      "$AWS_ENDPOINT_URL $AWS_DEFAULT_REGION; } >> " +
                      File("out")));
  Create(Job("job-1"));
  ASSERT_TRUE(WaitFor([&] { return store_->CursorOf("a") == store_->LastEvent(); }));
  const std::string text = Text("out");
  EXPECT_EQ(text.substr(0, 2), "{\"");
  EXPECT_NE(text.find("\njob-1 1 SageMaker Training Job State Change http://127.0.0.1:4567 "
                      "us-east-1\n"),
            std::string::npos)
      << text;
}

TEST_F(DeliveryTest, WhatFailsIsTriedAgain) {
  // Not now (75), twice; then it works.
  Deliver(CommandReceiver("echo x >> " + File("tries") + "; test $(wc -l < " + File("tries") +
                          ") -ge 3 || exit 75"));
  Create(Job("job-1"));
  ASSERT_TRUE(WaitFor([&] { return store_->CursorOf("a") == store_->LastEvent(); }));
  EXPECT_EQ(Lines(Text("tries")), 2u + static_cast<size_t>(store_->LastEvent()));
}

TEST_F(DeliveryTest, WhatIsRefusedIsLeftOutAfterAWhile) {
  Create(Job("job-1"));
  const auto events = static_cast<size_t>(store_->LastEvent());
  Deliver(CommandReceiver("echo x >> " + File("tries") + "; exit 1"));
  ASSERT_TRUE(WaitFor([&] { return store_->CursorOf("a") == store_->LastEvent(); }));
  EXPECT_EQ(Lines(Text("tries")), 3 * events);
}

TEST_F(DeliveryTest, AReceiverThatIsNotThereHoldsUpNobodyForEver) {
  quick_.give_up = milliseconds(30);
  Create(Job("job-1"));
  Create(Job("job-2"));
  Deliver(R"({"name": "a", "webhook": "http://127.0.0.1:9/"},)" + FileReceiver("b"));
  ASSERT_TRUE(WaitFor([&] { return store_->CursorOf("b") == store_->LastEvent(); }));
  ASSERT_TRUE(WaitFor([&] { return store_->CursorOf("a") == store_->LastEvent(); }));
}

TEST_F(DeliveryTest, EndsSoonWhileAReceiverIsTried) {
  quick_.first_wait = quick_.longest_wait = std::chrono::hours(1);
  Create(Job("job-1"));
  Deliver(CommandReceiver("touch " + File("tried") + "; exit 75"));
  ASSERT_TRUE(WaitFor([&] { return std::filesystem::exists(File("tried")); }));
  delivery_.reset();
  EXPECT_EQ(store_->CursorOf("a"), 0) << "it is still to be told";
}

TEST_F(DeliveryTest, AFileThatIsNotUnderstoodIsRefused) {
  EXPECT_TRUE(Load().value().empty()) << "there need not be one";
  const std::string file = File("events.json") + ": ";
  EXPECT_EQ(Refusal("{}"),
            file + "expected an object with a list 'receivers' and no other members");
  EXPECT_EQ(Refusal(R"({"receivers": [5]})"), file + "receiver 1: expected an object");
  EXPECT_EQ(Refusal(R"({"receivers": [{"file": "/x"}]})"), file + "receiver 1: name is missing");
  EXPECT_EQ(Refusal(R"({"receivers": [{"name": "a", "file": ""}]})"),
            file + "receiver 1: file: expected a string");
  EXPECT_EQ(Refusal(R"({"receivers": [{"name": "a", "file": "x"}]})"),
            file + "receiver 1: file is 'x'; expected an absolute path");
  EXPECT_EQ(Refusal(R"({"receivers": [{"name": "a", "command": "ls"}]})"),
            file + R"(receiver 1: command: expected a list such as ["program", "argument"])");
  EXPECT_EQ(Refusal(R"({"receivers": [{"name": "a", "command": ["ls", 5]}]})"),
            file + "receiver 1: command: expected a list of strings");
  EXPECT_EQ(Refusal(R"({"receivers": [{"name": "a", "command": []}]})"),
            file + R"(receiver 1: command: expected a list such as ["program", "argument"])");
  EXPECT_EQ(Refusal(R"({"receivers": [{"name": "a", "file": "/x", "sms": 1}]})"),
            file +
                "receiver 1: unknown member 'sms'; expected one of: name, webhook, secret_file, "
                "command, file, mail, pattern");
  EXPECT_EQ(Refusal(R"({"receivers": [{"name": "a", "file": "/x", "mail": "a@b.c"}]})"),
            file + "receiver 1: expected exactly one of: webhook, command, file, mail");
  EXPECT_EQ(Refusal(R"({"receivers": [{"name": "a", "file": "/x", "secret_file": "/y"}]})"),
            file + "receiver 1: secret_file is allowed only for a webhook");
  EXPECT_EQ(Refusal(R"({"receivers": [{"name": "a", "file": "/x"}, {"name": "a", "file": "/y"}]})"),
            file + "receiver 2: duplicate name 'a'");
  EXPECT_NE(Refusal(R"({"receivers": [{"name": "a", "webhook": "ftp://x"}]})"), "");
  options_.events = "/nowhere/at/all";
  EXPECT_EQ(Load().status().message(), "cannot read /nowhere/at/all");
}

TEST_F(DeliveryTest, MailNeedsAServerAndAddresses) {
  const std::string file = File("events.json") + ": receiver 1: mail: ";
  const auto refusal = [&](const std::string& mail) {
    return Refusal(R"({"receivers": [{"name": "a", "mail": )" + mail + "}]}");
  };
  EXPECT_EQ(refusal(R"("me@example.com")"),
            file + "no mail server configured; set WARDEN_SMTP_URL");
  smtp_.url = "smtp://127.0.0.1:9";
  EXPECT_EQ(refusal(R"("me@example.com")"), file + "no sender configured; set WARDEN_SMTP_FROM");
  smtp_.from = "warden@example.com";
  EXPECT_EQ(refusal("[]"), file + "expected an address or a list of 1 to 50 addresses");
  EXPECT_EQ(refusal("5"), file + "invalid address 5; expected one such as name@example.com");
  EXPECT_EQ(refusal(R"(["a@example.com", "b@example.com\r\nBcc: c@example.com"])"),
            file +
                R"(invalid address "b@example.com\r\nBcc: c@example.com"; expected one such as )" +
                "name@example.com");
  EXPECT_EQ(refusal(R"(["a@example.com", "a@example.com"])"),
            File("events.json") + ": receiver 1: duplicate name 'a <a@example.com>'");
  EXPECT_EQ(refusal(R"(["a@example.com", "b@example.com"])"), "");
  const auto receivers = Load();
  ASSERT_EQ(receivers.value().size(), 2u);
  EXPECT_EQ(receivers.value()[1].name, "a <b@example.com>");
}

}  // namespace
}  // namespace warden::jobs
