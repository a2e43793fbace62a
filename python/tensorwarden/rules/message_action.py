"""Sends a message."""

from __future__ import annotations

from typing import Any

from tensorwarden.base.log import get_logger
from tensorwarden.rules.aws import client

TOPIC = "SMDebugRules"


class MessageAction:
    """Sends an SMS or email through the notification topic `SMDebugRules`."""

    def __init__(self, rule_name: str, message_type: str, message_endpoint: str):
        """Subscribes the endpoint to the topic.

        Args:
            rule_name: The rule that sends.
            message_type: "sms" or "email".
            message_endpoint: The phone number or the email address.
        """
        self._logger = get_logger()
        self._rule_name = rule_name
        self._protocol = message_type.strip().lower()
        self._endpoint = message_endpoint.strip()
        self._topic_arn: str | None = None
        self._client: Any = client("sns") if self._protocol in ("sms", "email") else None
        if self._protocol not in ("sms", "email"):
            self._logger.error(
                f"{rule_name}: message type is {message_type}; expected sms or email"
            )
        if self._client is not None:
            self._subscribe()

    def _subscribe(self) -> None:
        try:
            topic = self._client.create_topic(Name=TOPIC)["TopicArn"]
            if not self._is_subscribed(topic):
                self._client.subscribe(
                    TopicArn=topic,
                    Protocol=self._protocol,
                    Endpoint=self._endpoint,
                    ReturnSubscriptionArn=False,
                )
            self._topic_arn = topic
        except Exception as error:
            self._logger.error(f"Cannot subscribe {self._endpoint} to {TOPIC}: {error}")

    def _is_subscribed(self, topic: str) -> bool:
        request = {"TopicArn": topic}
        while True:
            answer = self._client.list_subscriptions_by_topic(**request)
            for known in answer.get("Subscriptions", []):
                if (known["Protocol"], known["Endpoint"]) == (self._protocol, self._endpoint):
                    return True
            if not answer.get("NextToken"):
                return False
            request["NextToken"] = answer["NextToken"]

    def invoke(self, message: str = "") -> None:
        """Sends the message."""
        if self._topic_arn is None:
            return
        try:
            self._client.publish(
                TopicArn=self._topic_arn,
                Message=f"{self._rule_name}: {message}",
                Subject=f"Debugger rule: {self._rule_name}",
            )
        except Exception as error:
            self._logger.error(f"Cannot send to {self._endpoint}: {error}")
