// SPDX-License-Identifier: Apache-2.0
package io.redliner.controller.service.scheduling;

import io.redliner.controller.plan.PlainText;
import io.redliner.controller.core.port.TimestampRange;
import io.redliner.controller.plan.InvalidPlanException;
import io.redliner.controller.plan.Plan;
import io.redliner.controller.plan.SutChoice;
import io.redliner.controller.plan.yaml.NodeReader;
import io.redliner.controller.plan.yaml.ValidationErrors;
import io.redliner.controller.plan.yaml.YamlNode;
import io.redliner.controller.plan.yaml.YamlParser;
import java.time.DateTimeException;
import java.time.Duration;
import java.time.Instant;
import java.time.OffsetDateTime;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Pattern;

/** Reads reports of deployments. */
public final class DeploymentEventReader {

    private static final Pattern ID = Pattern.compile("[A-Za-z0-9][A-Za-z0-9._:+-]{0,99}");

    private static final int MAX_VERSION = 200;

    private static final int MAX_INSTANCES = 10_000;

    private static final Duration AHEAD = Duration.ofHours(24);

    private DeploymentEventReader() {}

    /**
     * Reads a JSON or YAML document.
     *
     * @param now from which a deployment may not be far ahead
     * @throws InvalidPlanException with all mistakes
     */
    public static DeploymentEvent read(String text, Instant now) throws InvalidPlanException {
        ValidationErrors errors = new ValidationErrors();
        NodeReader fields = NodeReader.of(YamlParser.read(text), errors);
        String service = fields.required("service", Plan::requireService);
        String version = fields.required("version", DeploymentEventReader::requireVersion);
        List<String> instances = instances(fields, errors);
        Instant at = fields.optionalIfAny("at", value -> requireAt(value, now));
        String id = fields.optionalIfAny("id", DeploymentEventReader::requireId);
        fields.rejectOthers();
        errors.throwIfAny();
        if (service == null || version == null) {
            throw new IllegalStateException("a missing service or version is a problem");
        }
        return new DeploymentEvent(service, version, instances, at, id);
    }

    private static List<String> instances(NodeReader fields, ValidationErrors errors) {
        List<YamlNode> entries = fields.list("instances", false);
        if (entries.size() > MAX_INSTANCES) {
            errors.add(entries.get(MAX_INSTANCES), "is one instance too many; there may be " + MAX_INSTANCES);
            return List.of();
        }
        List<String> instances = new ArrayList<>();
        for (YamlNode entry : entries) {
            SutChoice.Named instance = fields.convert(entry, SutChoice.Named::new);
            if (instance != null) {
                instances.add(instance.instance());
            }
        }
        return List.copyOf(instances);
    }

    private static String requireVersion(String version) {
        if (version.isBlank() || version.length() > MAX_VERSION
                || !PlainText.line(version)) {
            throw new IllegalArgumentException(
                    "is no version; use 1 to " + MAX_VERSION + " characters on one line");
        }
        return version.strip();
    }

    /**
     * Returns the id.
     *
     * @throws IllegalArgumentException when the text is not a valid id
     */
    public static String requireId(String id) {
        if (!ID.matcher(id).matches()) {
            throw new IllegalArgumentException(
                    "is no id; use 1 to 100 letters, digits, '.', '_', ':', '+' and '-', the first a letter or digit");
        }
        return id;
    }

    private static Instant requireAt(String text, Instant now) {
        Instant at;
        try {
            at = OffsetDateTime.parse(text).toInstant();
        } catch (DateTimeException malformed) {
            throw new IllegalArgumentException("is no instant; write it as 2026-01-31T09:00:00Z", malformed);
        }
        if (at.isAfter(now.plus(AHEAD)) || !TimestampRange.include(at)) {
            throw new IllegalArgumentException("is more than a day ahead, or before 1970");
        }
        return at;
    }
}
