"""Configures what a training job saves."""

from typing import Any, Dict, List, Mapping, Optional


class CollectionConfig:
    """A collection to save: a built-in one by name, or a custom one with `include_regex`."""

    def __init__(self, name: str, parameters: Optional[Mapping[str, str]] = None):
        self.name = name
        self.parameters = parameters

    def _key(self) -> Any:
        return (self.name, tuple(sorted((self.parameters or {}).items())))

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, CollectionConfig):
            return NotImplemented
        return self.name == other.name and self.parameters == other.parameters

    def __hash__(self) -> int:
        return hash(self._key())

    def __repr__(self) -> str:
        return f"CollectionConfig({self.name!r}, {self.parameters!r})"

    def to_request_dict(self) -> Dict[str, Any]:
        """Returns a CollectionConfiguration."""
        request: Dict[str, Any] = {"CollectionName": self.name}
        if self.parameters is not None:
            request["CollectionParameters"] = self.parameters
        return request

    _to_request_dict = to_request_dict


class DebuggerHookConfig:
    """What the hook saves, and where."""

    def __init__(
        self,
        s3_output_path: Optional[str] = None,
        container_local_output_path: Optional[str] = None,
        hook_parameters: Optional[Mapping[str, str]] = None,
        collection_configs: Optional[List[CollectionConfig]] = None,
    ):
        self.s3_output_path = s3_output_path
        self.container_local_output_path = container_local_output_path
        self.hook_parameters = hook_parameters
        self.collection_configs = collection_configs

    def to_request_dict(self) -> Dict[str, Any]:
        """Returns a DebugHookConfig."""
        request: Dict[str, Any] = {"S3OutputPath": self.s3_output_path}
        if self.container_local_output_path is not None:
            request["LocalPath"] = self.container_local_output_path
        if self.hook_parameters is not None:
            request["HookParameters"] = self.hook_parameters
        if self.collection_configs is not None:
            request["CollectionConfigurations"] = [
                each.to_request_dict() for each in self.collection_configs
            ]
        return request

    _to_request_dict = to_request_dict


class TensorBoardOutputConfig:
    """Where TensorBoard files are written."""

    def __init__(self, s3_output_path: str, container_local_output_path: Optional[str] = None):
        self.s3_output_path = s3_output_path
        self.container_local_output_path = container_local_output_path

    def to_request_dict(self) -> Dict[str, Any]:
        """Returns a TensorBoardOutputConfig."""
        request = {"S3OutputPath": self.s3_output_path}
        if self.container_local_output_path is not None:
            request["LocalPath"] = self.container_local_output_path
        return request

    _to_request_dict = to_request_dict
