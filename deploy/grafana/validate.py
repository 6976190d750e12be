# SPDX-License-Identifier: Apache-2.0
"""Validates dashboards and their provisioning: DASHBOARD... -- DATASOURCES PROVIDERS. Prints the rules file for promtool with all that they
ask. Used by ./check. No Grafana is started: no package registry has one that may be used.

The schema is Grafana's own, as its foundation SDK has it: of a dashboard, of each kind of panel and of a Prometheus query. A field that the
schema does not know is lost on the way through the SDK, and a value of another type is found by the SDK's annotations. The fields of
provisioning are those of https://grafana.com/docs/grafana/latest/administration/provisioning.
"""
import copy
import enum
import json
import re
import sys
import types
import typing

import yaml
from grafana_foundation_sdk.cog import encoder, plugins, runtime
from grafana_foundation_sdk.models import dashboard as schema

plugins.register_default_plugins()

# Grafana's variables stand for durations; a dashboard's own stand for patterns within quotes, where they are text.
DURATIONS = re.compile(r"\$__(rate_interval|range|interval)\b")

# In the SDK a panel's options and its fields' own settings are objects of any type: it reads them by the kind of panel.
BY_KIND = (object, typing.Any)


# Grafana writes it into a variable as the text of its query, and the schema lacks it.
NOT_IN_SCHEMA = re.compile(r"dashboard\.templating\.list\[\d+\]\.definition")

DATA_SOURCE = {"name": str, "type": str, "access": str, "orgId": int, "uid": str, "url": str, "user": str, "database": str, "basicAuth": bool,
               "basicAuthUser": str, "withCredentials": bool, "isDefault": bool, "jsonData": dict, "secureJsonData": dict, "version": int,
               "editable": bool}
PROVIDER = {"name": str, "orgId": int, "folder": str, "folderUid": str, "type": str, "disableDeletion": bool, "updateIntervalSeconds": int,
            "allowUiUpdates": bool, "options": dict}


def lost(given, kept, at):
    """What the schema does not know: fields that are not there after the way through the SDK."""
    if isinstance(given, dict) and isinstance(kept, dict):
        for name, value in given.items():
            if name not in kept and value is not None and not NOT_IN_SCHEMA.fullmatch(f"{at}.{name}"):
                yield f"{at}.{name} is no field of it"
            elif name in kept:
                yield from lost(value, kept[name], f"{at}.{name}")
    elif isinstance(given, list) and isinstance(kept, list):
        for index, (one, other) in enumerate(zip(given, kept)):
            yield from lost(one, other, f"{at}[{index}]")
    elif given != kept:
        yield f"{at} is {given!r}, and {kept!r} was read"


def fits(value, kind):
    """Whether a value is of the type that the schema has."""
    origin, parts = typing.get_origin(kind), typing.get_args(kind)
    if kind in BY_KIND:
        return True
    if origin in (typing.Union, types.UnionType):
        return any(fits(value, part) for part in parts)
    if origin is typing.Literal:
        return value in parts
    if origin is list:
        return isinstance(value, list) and all(fits(one, parts[0]) for one in value)
    if origin is dict:
        return isinstance(value, dict) and all(fits(one, parts[1]) for one in value.values())
    if isinstance(kind, type) and issubclass(kind, enum.Enum):
        return value in [one.value for one in kind] if not isinstance(value, enum.Enum) else isinstance(value, kind)
    if kind is float:
        return isinstance(value, (int, float)) and not isinstance(value, bool)
    if kind is int:
        return isinstance(value, int) and not isinstance(value, bool)
    if isinstance(value, dict) and hasattr(kind, "from_json"):
        return not list(unknown(value, kind))
    return isinstance(value, kind) if isinstance(kind, type) else True


def unknown(given, kind):
    """What is wrong with an object that is to be of a type of the SDK."""
    read = kind.from_json(copy.deepcopy(given))
    yield from lost(given, json.loads(encoder.JSONEncoder().encode(read)), "dashboard")
    yield from mistyped(read, "dashboard")


def mistyped(thing, at):
    """Values of another type than the schema's, in an object of the SDK and all below it."""
    if isinstance(thing, (list, tuple)):
        for index, one in enumerate(thing):
            yield from mistyped(one, f"{at}[{index}]")
    elif isinstance(thing, dict):
        for name, one in thing.items():
            yield from mistyped(one, f"{at}.{name}")
    elif hasattr(thing, "to_json") and not isinstance(thing, enum.Enum):
        kinds = typing.get_type_hints(type(thing))
        for name, value in vars(thing).items():
            if name in kinds and not fits(value, kinds[name]):
                yield f"{at}.{name} is {value!r}, which is no {kinds[name]}"
            yield from mistyped(value, f"{at}.{name}")


def laid_out(panels):
    """Panels that overlap, leave the grid or share an id."""
    taken, ids = {}, set()
    for panel in panels:
        if panel["id"] in ids:
            yield f"two panels have the id {panel['id']}"
        ids.add(panel["id"])
        at = panel["gridPos"]
        if at["x"] + at["w"] > 24:
            yield f"{panel['title']} is beyond the right edge"
        cells = {(x, y) for x in range(at["x"], at["x"] + at["w"]) for y in range(at["y"], at["y"] + at["h"])}
        for other in {taken[cell] for cell in cells if cell in taken}:
            yield f"{panel['title']} lies on {other}"
        taken.update(dict.fromkeys(cells, panel["title"]))


def mistakes(given):
    """All that is wrong with a dashboard."""
    try:
        yield from unknown(given, schema.Dashboard)
        yield from laid_out(given["panels"])
    except (KeyError, TypeError, ValueError, AttributeError) as unreadable:
        yield f"it cannot be read: {unreadable!r}"
        return
    if not given.get("uid") or not given.get("title"):
        yield "a provisioned dashboard needs uid and title"
    sources = {one["name"] for one in given["templating"]["list"] if one["type"] == "datasource" and one["query"] == "prometheus"}
    for panel in given["panels"]:
        if panel["type"] == "row":
            continue
        if runtime.Runtime().panelcfg_config(panel["type"]) is None:
            yield f"{panel['title']}: Grafana has no panel {panel['type']}"
        if not panel.get("targets"):
            yield f"{panel['title']} asks nothing"
        if panel.get("datasource", {}).get("uid", "").strip("${}") not in sources:
            yield f"{panel['title']}: its data source is no variable of the dashboard"
        for target in panel.get("targets", []):
            if target.get("datasource", panel["datasource"])["type"] != "prometheus" or not target.get("expr", "").strip():
                yield f"{panel['title']}: a query without an expression for Prometheus"


def asked(given):
    """What a dashboard asks Prometheus, its variables included."""
    for panel in given["panels"]:
        yield from (target["expr"] for target in panel.get("targets", []))
    for variable in given["templating"]["list"]:
        if variable["type"] == "query":
            query = re.fullmatch(r"label_values\((.*), \w+\)", variable["definition"])
            yield query.group(1) if query else variable["definition"]


def changed(given, path, value):
    """A copy with another value."""
    copied = copy.deepcopy(given)
    place = copied
    for step in path[:-1]:
        place = place[step]
    place[path[-1]] = value
    return copied


def refusals(given):
    """Dashboards with one mistake each, which have to be refused."""
    first = next(index for index, panel in enumerate(given["panels"]) if panel["type"] != "row")
    panel = ["panels", first]
    yield "an unknown field", changed(given, ["panel"], [])
    yield "an unknown option", changed(given, [*panel, "options", "colour"], "red")
    yield "an unknown setting of a field", changed(given, [*panel, "fieldConfig", "defaults", "units"], "s")
    yield "an unknown field of a query", changed(given, [*panel, "targets", 0, "expression"], "up")
    yield "a text for a number", changed(given, [*panel, "gridPos", "w"], "6")
    yield "a number for a text", changed(given, [*panel, "title"], 7)
    yield "an unknown kind of panel", changed(given, [*panel, "type"], "graf")
    yield "a panel without a query", changed(given, [*panel, "targets"], [])
    yield "another data source", changed(given, [*panel, "datasource"], {"type": "prometheus", "uid": "mine"})
    yield "no panels", changed(given, ["panels"], None)


def misprovisioned(sources, providers):
    """What is wrong with the files that provision data sources and dashboards."""
    for name, given, fields in [("datasources", sources, DATA_SOURCE), ("providers", providers, PROVIDER)]:
        if given.get("apiVersion") != 1 or not given.get(name) or set(given) != {"apiVersion", name}:
            yield f"{name}: apiVersion 1 and a list of {name} are needed, and nothing else"
        for one in given.get(name) or []:
            for field, value in one.items():
                if field not in fields or not isinstance(value, fields[field]):
                    yield f"{name}: {field}: {value!r} is no such field, or no such value"
            for field in ("name", "type"):
                if field not in one:
                    yield f"{name}: {field} is missing"
    if "prometheus" not in [one.get("type") for one in sources.get("datasources") or []]:
        yield "datasources: the dashboards need one of type prometheus"
    for one in providers.get("providers") or []:
        if not str(one.get("options", {}).get("path", "")).startswith("/"):
            yield "providers: a folder of dashboards is needed as options.path"


def main(arguments):
    paths, provisioning = arguments[:arguments.index("--")], arguments[arguments.index("--") + 1:]
    failed, expressions = False, []
    sources, providers = [yaml.safe_load(open(path, encoding="utf-8")) for path in provisioning]
    for mistake in misprovisioned(sources, providers):
        print(mistake, file=sys.stderr)
        failed = True
    for mistake, broken in [("an unknown field", [changed(sources, ["datasources", 0, "link"], "x"), providers]),
                            ("a text for a truth value", [changed(sources, ["datasources", 0, "isDefault"], "yes"), providers]),
                            ("no data source", [changed(sources, ["datasources"], []), providers]),
                            ("no folder", [sources, changed(providers, ["providers", 0, "options"], {})])]:
        if not list(misprovisioned(*broken)):
            print(f"provisioning: not refused: {mistake}", file=sys.stderr)
            failed = True
    for path in paths:
        with open(path, encoding="utf-8") as file:
            given = json.load(file)
        for mistake in mistakes(given):
            print(f"{path}: {mistake}", file=sys.stderr)
            failed = True
        for mistake, dashboard in refusals(given):
            if not list(mistakes(dashboard)):
                print(f"{path}: not refused: {mistake}", file=sys.stderr)
                failed = True
        expressions.extend(asked(given))
    if len(paths) < 2 or len(expressions) < 50:
        print(f"only {len(paths)} dashboards with {len(expressions)} expressions were found", file=sys.stderr)
        failed = True
    rules = [{"record": f"panel:{at}", "expr": DURATIONS.sub("5m", expression)} for at, expression in enumerate(expressions)]
    json.dump({"groups": [{"name": "panels", "rules": rules}]}, sys.stdout)
    return failed


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
