"""`__main__` of a training, without running it."""

import __future__

import ast
from pathlib import Path
from types import ModuleType
from typing import Any, Dict, List, Optional, Set

_LOOPS = (ast.For, ast.While, ast.AsyncFor)


class Script(ModuleType):
    """Has the definitions of a script. Each is made when it is first asked for, with what it needs;
    nothing else of the script is executed."""

    def __init__(self, path: str, module: Optional[str] = None) -> None:
        """`module`: its name, if it was run as one. Raises OSError or SyntaxError if the script
        cannot be read."""
        super().__init__("__main__")
        self.__file__ = path
        self.__package__ = (module or "").rpartition(".")[0] or None
        tree = ast.parse(Path(path).read_bytes(), path)
        self._flags = _future_flags(tree)
        self._statements: List[ast.stmt] = [s for s in tree.body if not _is_main_part(s)]
        self._bound = [_bound_by(statement) for statement in self._statements]
        self._done: Set[int] = set()

    def __getattr__(self, name: str) -> Any:
        statements: Dict[str, Any] = vars(self)
        if name.startswith("__") or name in statements or "_done" not in statements:
            raise AttributeError(name)
        wanted = self._needed_for(name)
        for number in sorted(wanted - self._done):
            self._done.add(number)
            part = ast.Module([self._statements[number]], [])
            code = compile(part, str(self.__file__), "exec", self._flags, dont_inherit=True)
            exec(code, vars(self))
        if name not in vars(self):
            raise AttributeError(f"{self.__file__} does not define {name}")
        return vars(self)[name]

    def _needed_for(self, name: str) -> Set[int]:
        """Returns the statements that make a name, and all names that they use."""
        wanted: Set[int] = set()
        seen: Set[str] = set()
        names = [name]
        while names:
            sought = names.pop()
            if sought in seen:
                continue
            seen.add(sought)
            for number, bound in enumerate(self._bound):
                if number not in wanted and (sought in bound or "*" in bound):
                    wanted.add(number)
                    names += _used_by(self._statements[number])
        return wanted


def _is_main_part(statement: ast.stmt) -> bool:
    """Returns whether it is what a script does, rather than what it defines."""
    if isinstance(statement, _LOOPS):
        return True
    if isinstance(statement, ast.If):
        return any(
            isinstance(node, ast.Name) and node.id == "__name__"
            for node in ast.walk(statement.test)
        )
    return False


def _bound_by(statement: ast.stmt) -> Set[str]:
    if isinstance(statement, (ast.FunctionDef, ast.AsyncFunctionDef, ast.ClassDef)):
        return {statement.name}
    if isinstance(statement, ast.Expr):
        return _added_to(statement.value)
    bound: Set[str] = set()
    for node in ast.walk(statement):
        if isinstance(node, (ast.Import, ast.ImportFrom)):
            bound |= {(alias.asname or alias.name).split(".")[0] for alias in node.names}
        elif isinstance(node, (ast.FunctionDef, ast.ClassDef)):
            bound.add(node.name)
        elif isinstance(node, ast.Name) and isinstance(node.ctx, ast.Store):
            bound.add(node.id)
    return bound


def _added_to(value: ast.expr) -> Set[str]:
    """Returns the name to which a call adds something that definitions may need:
    `parser.add_argument(...)`, `sys.path.insert(...)`."""
    function = value.func if isinstance(value, ast.Call) else None
    if not isinstance(function, ast.Attribute):
        return set()
    if ast.unparse(function.value) == "sys.path":
        return {"*"}
    if function.attr == "add_argument" and isinstance(function.value, ast.Name):
        return {function.value.id}
    return set()


def _used_by(statement: ast.stmt) -> List[str]:
    return [
        node.id
        for node in ast.walk(statement)
        if isinstance(node, ast.Name) and isinstance(node.ctx, ast.Load)
    ]


def _future_flags(tree: ast.Module) -> int:
    flags = 0
    for statement in tree.body:
        if isinstance(statement, ast.ImportFrom) and statement.module == "__future__":
            for alias in statement.names:
                feature: Optional[Any] = getattr(__future__, alias.name, None)
                flags |= 0 if feature is None else feature.compiler_flag
    return flags
