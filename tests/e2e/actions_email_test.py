"""The email action against a real SMTP server."""

import email
import email.policy
import socket

import pytest
from actions_peers import FIRING, run_actions, states
from aiosmtpd.controller import Controller
from aiosmtpd.smtp import AuthResult, LoginPassword

SENDER = {"WARDEN_SMTP_FROM": "warden@example.com", "WARDEN_SMTP_STARTTLS": "off"}
ACTION = {"name": "email", "endpoint": "First.Last@Example.org"}


class Mailbox:
    """Keeps what is delivered; answers recipients with what `answers` says first."""

    def __init__(self, answers=()):
        self.answers = list(answers)
        self.envelopes = []

    async def handle_RCPT(self, server, session, envelope, address, options):
        if self.answers:
            return self.answers.pop(0)
        envelope.rcpt_tos.append(address)
        return "250 OK"

    async def handle_DATA(self, server, session, envelope):
        self.envelopes.append(envelope)
        return "250 OK"


class Server(Controller):
    """Listens before it starts, so that nobody can take its port."""

    def __init__(self, mailbox: Mailbox, **settings):
        self.listener = socket.create_server(("127.0.0.1", 0))
        port = self.listener.getsockname()[1]
        super().__init__(mailbox, hostname="127.0.0.1", port=port, ready_timeout=120, **settings)

    def _create_server(self):
        return self.loop.create_server(self._factory_invoker, sock=self.listener)


def send(folder, mailbox: Mailbox, firing=FIRING, settings=None, server=None, **request):
    controller = Server(mailbox, **(server or {}))
    controller.start()
    try:
        url = {"WARDEN_SMTP_URL": f"smtp://127.0.0.1:{controller.port}"}
        return run_actions(
            folder, [ACTION], SENDER | url | (settings or {}), firings=[firing], **request
        )
    finally:
        controller.stop()


def message_of(envelope):
    return email.message_from_bytes(envelope.content, policy=email.policy.default)


def test_a_mail_arrives_as_it_was_meant(tmp_path):
    mailbox = Mailbox()
    lines = send(tmp_path, mailbox)
    assert states(lines) == ["done"], lines
    (envelope,) = mailbox.envelopes
    assert envelope.mail_from == "warden@example.com"
    assert envelope.rcpt_tos == ["First.Last@Example.org"]
    message = message_of(envelope)
    assert message["Subject"] == "SMDebugRule:VanishingGradient fired"
    assert message["To"] == "First.Last@Example.org"
    body = message.get_content()
    assert body.startswith("SMDebugRule:VanishingGradient fired. ")
    assert "demo-001" in body
    assert FIRING["finding"]["message"] in body
    assert "Try: Try another activation." in body


def test_nothing_in_a_firing_becomes_a_header(tmp_path):
    mailbox = Mailbox()
    evil = FIRING | {
        "rule_class": "Zero\r\nBcc: you@example.com\r\n\r\n.\r\nQUIT\r\n Größe " + "€" * 50,
        "job": "x\r\n.\r\nMAIL FROM:<evil@example.com>\r\n",
    }
    assert states(send(tmp_path, mailbox, firing=evil)) == ["done"]
    (envelope,) = mailbox.envelopes
    assert envelope.rcpt_tos == ["First.Last@Example.org"]
    message = message_of(envelope)
    assert message["Bcc"] is None
    assert message["Subject"].startswith("SMDebugRule:Zero  Bcc: you@example.com")
    assert message["Subject"].endswith("Größe " + "€" * 50 + " fired")
    assert "Job:    x  .  MAIL FROM:<evil@example.com>" in message.get_content()


@pytest.mark.parametrize(
    ("answers", "expected"),
    [
        (["451 try later"], ["failed", "done"]),
        (["550 no such user"], ["gave_up"]),
    ],
)
def test_not_now_is_tried_again_and_never_is_not(tmp_path, answers, expected):
    mailbox = Mailbox(answers)
    assert states(send(tmp_path, mailbox, waits_ms=[10])) == expected
    assert len(mailbox.envelopes) == expected.count("done")


def test_a_server_without_tls_gets_nothing_where_tls_is_required(tmp_path):
    mailbox = Mailbox()
    lines = send(tmp_path, mailbox, settings={"WARDEN_SMTP_STARTTLS": "required"})
    assert states(lines) == ["gave_up"]
    assert mailbox.envelopes == []


@pytest.mark.filterwarnings("ignore:Requiring AUTH")
def test_user_and_password_are_given(tmp_path):
    def check(server, session, envelope, mechanism, auth_data):
        return AuthResult(success=auth_data == LoginPassword(b"me", b"hunter2"), handled=False)

    server = {"authenticator": check, "auth_required": True, "auth_require_tls": False}
    mailbox = Mailbox()
    user = {"WARDEN_SMTP_USER": "me"}
    good = send(
        tmp_path, mailbox, settings=user | {"WARDEN_SMTP_PASSWORD": "hunter2"}, server=server
    )
    assert states(good) == ["done"], good
    bad = send(tmp_path, mailbox, settings=user | {"WARDEN_SMTP_PASSWORD": "other"}, server=server)
    assert states(bad) == ["gave_up"], bad
    assert len(mailbox.envelopes) == 1
