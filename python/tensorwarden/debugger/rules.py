"""The rules of a training job."""

from typing import Any, Dict, List, Mapping, Optional, Sequence

from tensorwarden.debugger.actions import is_valid_action_object
from tensorwarden.debugger.hook_config import CollectionConfig
from tensorwarden.debugger.profiler_rules import ProfilerRuleConfig

BUILT_IN_IMAGE = "DEFAULT_RULE_EVALUATOR_IMAGE"


class RuleBase:
    """Base class of the rules for tensors and for profiles."""

    def __init__(
        self,
        name: str,
        image_uri: str,
        instance_type: Optional[str],
        container_local_output_path: Optional[str],
        s3_output_path: Optional[str],
        volume_size_in_gb: Optional[int],
        rule_parameters: Dict[str, Any],
    ):
        self.name = name
        self.image_uri = image_uri
        self.instance_type = instance_type
        self.container_local_output_path = container_local_output_path
        self.s3_output_path = s3_output_path
        self.volume_size_in_gb = volume_size_in_gb
        self.rule_parameters = rule_parameters

    def to_request_dict(self) -> Dict[str, Any]:
        """Returns a DebugRuleConfiguration or ProfilerRuleConfiguration."""
        request: Dict[str, Any] = {
            "RuleConfigurationName": self.name,
            "RuleEvaluatorImage": self.image_uri,
        }
        optional = {
            "InstanceType": self.instance_type,
            "VolumeSizeInGB": self.volume_size_in_gb,
            "LocalPath": self.container_local_output_path,
            "S3OutputPath": self.s3_output_path,
            "RuleParameters": self.rule_parameters,
        }
        request.update({key: value for key, value in optional.items() if value})
        return request


def _source_parameters(source: Optional[str], rule_to_invoke: Optional[str]) -> Dict[str, Any]:
    if bool(source) != bool(rule_to_invoke):
        raise ValueError("source and rule_to_invoke must be given together")
    if not source:
        return {}
    return {"source_s3_uri": source, "rule_to_invoke": rule_to_invoke}


def _other_trials(paths: Optional[Sequence[str]]) -> Dict[str, Any]:
    return {f"other_trial_{index}": path for index, path in enumerate(paths or [])}


class Rule(RuleBase):
    """A rule that checks tensors: a built-in one (`Rule.sagemaker`) or a custom one
    (`Rule.custom`).

    Raises TypeError if `actions` is not an action or an ActionList.
    """

    def __init__(
        self,
        name: str,
        image_uri: str,
        instance_type: Optional[str],
        container_local_output_path: Optional[str],
        s3_output_path: Optional[str],
        volume_size_in_gb: Optional[int],
        rule_parameters: Dict[str, Any],
        collections_to_save: Optional[List[CollectionConfig]],
        actions: Any = None,
    ):
        super().__init__(
            name,
            image_uri,
            instance_type,
            container_local_output_path,
            s3_output_path,
            volume_size_in_gb,
            rule_parameters,
        )
        if actions is not None and not is_valid_action_object(actions):
            raise TypeError(f"actions is {actions!r}; expected an action or an ActionList")
        self.collection_configs = collections_to_save
        self.actions = actions

    @classmethod
    def sagemaker(
        cls,
        base_config: Any,
        name: Optional[str] = None,
        container_local_output_path: Optional[str] = None,
        s3_output_path: Optional[str] = None,
        other_trials_s3_input_paths: Optional[Sequence[str]] = None,
        rule_parameters: Optional[Mapping[str, str]] = None,
        collections_to_save: Optional[List[CollectionConfig]] = None,
        actions: Any = None,
    ) -> Any:
        """Creates a built-in rule.

        `base_config` is the result of a function in `rule_configs`. `collections_to_save` replaces
        the rule's own collections. Returns a ProfilerRule for a rule that checks profiles. Raises
        ValueError if `rule_parameters` sets rule_to_invoke.
        """
        if rule_parameters and rule_parameters.get("rule_to_invoke") is not None:
            raise ValueError(
                "rule_parameters sets rule_to_invoke; use Rule.custom for another rule"
            )
        if isinstance(base_config, ProfilerRuleConfig):
            rule = ProfilerRule.sagemaker(
                base_config, name, container_local_output_path, s3_output_path
            )
            rule.rule_parameters = {**rule.rule_parameters, **(rule_parameters or {})}
            return rule
        config = base_config["DebugRuleConfiguration"]
        parameters = {
            **_other_trials(other_trials_s3_input_paths),
            **config.get("RuleParameters", {}),
            **(rule_parameters or {}),
        }
        own_collections = [
            CollectionConfig(each["CollectionName"], each.get("CollectionParameters", {}))
            for each in base_config.get("CollectionConfigurations", [])
        ]
        return cls(
            name or config["RuleConfigurationName"],
            BUILT_IN_IMAGE,
            None,
            container_local_output_path,
            s3_output_path,
            None,
            parameters,
            collections_to_save or own_collections,
            actions,
        )

    @classmethod
    def custom(
        cls,
        name: str,
        image_uri: str,
        instance_type: str,
        volume_size_in_gb: int,
        source: Optional[str] = None,
        rule_to_invoke: Optional[str] = None,
        container_local_output_path: Optional[str] = None,
        s3_output_path: Optional[str] = None,
        other_trials_s3_input_paths: Optional[Sequence[str]] = None,
        rule_parameters: Optional[Mapping[str, str]] = None,
        collections_to_save: Optional[List[CollectionConfig]] = None,
        actions: Any = None,
    ) -> "Rule":
        """Creates a custom rule: the class `rule_to_invoke` in the file `source`."""
        parameters = {
            **_other_trials(other_trials_s3_input_paths),
            **_source_parameters(source, rule_to_invoke),
            **(rule_parameters or {}),
        }
        return cls(
            name,
            image_uri,
            instance_type,
            container_local_output_path,
            s3_output_path,
            volume_size_in_gb,
            parameters,
            collections_to_save or [],
            actions,
        )

    def prepare_actions(self, training_job_name: str) -> None:
        """Writes the actions into the parameters, for this job.

        Without actions, an existing `action_json` is removed, as the SDK does.
        """
        if self.actions is None:
            self.rule_parameters.pop("action_json", None)
            return
        self.actions.update_training_job_prefix_if_not_specified(training_job_name)
        self.rule_parameters["action_json"] = self.actions.serialize()

    to_debugger_rule_config_dict = RuleBase.to_request_dict


class ProfilerRule(RuleBase):
    """A rule that checks profiles, built-in (`ProfilerRule.sagemaker`) or custom
    (`ProfilerRule.custom`)."""

    @classmethod
    def sagemaker(
        cls,
        base_config: Any,
        name: Optional[str] = None,
        container_local_output_path: Optional[str] = None,
        s3_output_path: Optional[str] = None,
        instance_type: Optional[str] = None,
        volume_size_in_gb: Optional[int] = None,
    ) -> "ProfilerRule":
        """Creates a built-in rule. `base_config` is an instance of a class in `rule_configs`."""
        return cls(
            name or base_config.rule_name,
            BUILT_IN_IMAGE,
            instance_type,
            container_local_output_path,
            s3_output_path,
            volume_size_in_gb,
            base_config.rule_parameters,
        )

    @classmethod
    def custom(
        cls,
        name: str,
        image_uri: str,
        instance_type: str,
        volume_size_in_gb: int,
        source: Optional[str] = None,
        rule_to_invoke: Optional[str] = None,
        container_local_output_path: Optional[str] = None,
        s3_output_path: Optional[str] = None,
        rule_parameters: Optional[Mapping[str, Any]] = None,
    ) -> "ProfilerRule":
        """Creates a custom rule: the class `rule_to_invoke` in the file `source`."""
        parameters = {**_source_parameters(source, rule_to_invoke), **(rule_parameters or {})}
        return cls(
            name,
            image_uri,
            instance_type,
            container_local_output_path,
            s3_output_path,
            volume_size_in_gb,
            parameters,
        )

    def to_request_dict(self) -> Dict[str, Any]:
        """Returns a ProfilerRuleConfiguration; parameters become strings."""
        request = super().to_request_dict()
        if self.rule_parameters:
            texts = {name: str(value) for name, value in self.rule_parameters.items()}
            request["RuleParameters"] = texts
        return request

    to_profiler_rule_config_dict = to_request_dict
