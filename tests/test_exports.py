"""A folder's `__init__` names what is public and holds no logic."""

from __future__ import annotations

import ast
import importlib

from tests.testing.house import PACKAGE, module_name, relative, sources

INITS = [file for file in sources() if file.name == "__init__.py"]
NO_LOGIC = (ast.Expr, ast.Import, ast.ImportFrom, ast.Assign, ast.AnnAssign)


def test_no_init_holds_logic() -> None:
    found = [(relative(file), node) for file in INITS for node in ast.parse(file.read_text()).body]
    assert [(name, ast.unparse(node)) for name, node in found if not isinstance(node, NO_LOGIC)] == []


def test_what_an_init_imports_is_what_it_makes_public() -> None:
    for file in INITS:
        imported = {
            alias.asname or alias.name
            for node in ast.parse(file.read_text()).body
            if isinstance(node, ast.ImportFrom) and node.module != "__future__"
            for alias in node.names
        }
        module = importlib.import_module(module_name(file))
        assert set(getattr(module, "__all__", ())) == imported, relative(file)


def test_the_package_itself_imports_nothing() -> None:
    tree = ast.parse((PACKAGE / "__init__.py").read_text())
    assert not [node for node in ast.walk(tree) if isinstance(node, ast.Import | ast.ImportFrom)]
