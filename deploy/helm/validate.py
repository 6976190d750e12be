# SPDX-License-Identifier: Apache-2.0
"""Validates what the chart renders: NAME KUBERNETES-VERSION FILE. Used by ./check."""
import re
import sys

import kubernetes_validate
import yaml

# They belong to the Prometheus operator, and Kubernetes has no schema of them.
WITHOUT_SCHEMA = {"ServiceMonitor", "PrometheusRule"}


def pods(thing):
    """Every pod template in an object."""
    if "template" in thing.get("spec", {}):
        yield thing["spec"]["template"]


def chosen(selector, things):
    """The pod templates that a selector chooses."""
    return [pod for thing in things for pod in pods(thing) if selector.items() <= pod["metadata"]["labels"].items()]


def missing(thing, things):
    """What an object points at and is not there: pods, and their ports."""
    selectors = {"Service": lambda spec: spec["selector"], "PodDisruptionBudget": lambda spec: spec["selector"]["matchLabels"],
                 "NetworkPolicy": lambda spec: spec["podSelector"]["matchLabels"]}
    if thing["kind"] not in selectors:
        return
    found = chosen(selectors[thing["kind"]](thing["spec"]), things)
    if not found:
        yield "its selector chooses no pods"
    there = {port["name"] for pod in found for container in pod["spec"]["containers"] for port in container["ports"]}
    asked = {port["targetPort"] for port in thing["spec"].get("ports", [])} | {
        port["port"] for rule in thing["spec"].get("ingress", []) for port in rule["ports"]}
    for port in sorted(asked - there):
        yield f"its pods have no port {port}"


def mistakes(thing):
    """What the schema cannot know."""
    for pod in pods(thing):
        spec = pod["spec"]
        volumes = {volume["name"] for volume in spec["volumes"]}
        labels = thing["spec"]["selector"]["matchLabels"].items()
        if not labels <= pod["metadata"]["labels"].items():
            yield "its selector does not choose its pods"
        for container in spec["containers"]:
            mounted = {mount["name"] for mount in container["volumeMounts"]}
            if mounted != volumes:
                yield f"volumes and mounts differ: {sorted(mounted ^ volumes)}"
            names = [entry["name"] for entry in container["env"]]
            if len(names) != len(set(names)):
                yield "a variable of the environment is there twice"
            security = container["securityContext"]
            if not security["readOnlyRootFilesystem"] or security["capabilities"]["drop"] != ["ALL"]:
                yield "it may do too much"
            if not spec.get("hostPID") and not spec["securityContext"].get("runAsNonRoot"):
                yield "it may run as root"
            for probe in ("startupProbe", "readinessProbe", "livenessProbe"):
                if probe not in container:
                    yield f"it has no {probe}"
    if thing["kind"] == "Pod":
        if "helm.sh/hook" not in thing["metadata"]["annotations"]:
            yield "it is no part of a test, and nothing starts it anew"
        for container in thing["spec"]["containers"]:
            security = container["securityContext"]
            if not security["readOnlyRootFilesystem"] or security["capabilities"]["drop"] != ["ALL"]:
                yield "it may do too much"
    if thing["kind"] == "PrometheusRule" and not thing["spec"]["groups"]:
        yield "it has no rules"
    if thing["kind"] == "Secret":
        yield "the chart makes no Secrets"
    if thing["kind"] == "ConfigMap":
        for key, text in thing["data"].items():
            if key.endswith(".yml") or key == "services.yaml":
                yaml.safe_load(text)
                if re.search(r"\d(\.\d+)?e\+\d", text):
                    yield f"{key} has a number that is none to Kafka"


def main(name, version, path):
    with open(path, encoding="utf-8") as file:
        things = [thing for thing in yaml.safe_load_all(file) if thing]
    skipped, wrong, seen = [], [], set()
    for thing in things:
        what = f"{thing['kind']} {thing['metadata'].get('namespace', '')}/{thing['metadata']['name']}"
        if what in seen:
            wrong.append(f"{what} is there twice")
        seen.add(what)
        try:
            if thing["kind"] in WITHOUT_SCHEMA:
                skipped.append(thing["kind"])
            else:
                kubernetes_validate.validate(thing, version, strict=True)
        except kubernetes_validate.ValidationError as mistake:
            wrong.append(f"{what}: {'.'.join(map(str, mistake.path))}: {mistake.message}")
        wrong.extend(f"{what}: {mistake}" for mistake in [*mistakes(thing), *missing(thing, things)])
    for line in wrong:
        print(f"{name} on Kubernetes {version}: {line}", file=sys.stderr)
    note = f", {len(skipped)} without a schema ({', '.join(sorted(set(skipped)))})" if skipped else ""
    print(f"{name} on Kubernetes {version}: {len(things) - len(skipped)} objects valid{note}" if not wrong
          else f"{name} on Kubernetes {version}: {len(wrong)} mistakes")
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main(*sys.argv[1:]))
