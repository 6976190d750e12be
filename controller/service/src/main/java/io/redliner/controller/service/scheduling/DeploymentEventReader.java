// SPDX-License-Identifier: Apache-2.0
package io.redliner.controller.service.scheduling;

import static java.util.Objects.requireNonNull;

import io.redliner.contract.document.InvalidDocumentException;
import io.redliner.contract.document.NodeReader;
import io.redliner.contract.document.YamlParser;
import io.redliner.contract.text.PlainText;
import io.redliner.controller.core.port.TimestampRange;
import io.redliner.controller.plan.Plan;
import io.redliner.controller.plan.SutChoice;
import java.time.Duration;
import java.time.Instant;
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
     * @throws InvalidDocumentException with all mistakes
     */
    public static DeploymentEvent read(String text, Instant now) throws InvalidDocumentException {
        return NodeReader.read(YamlParser.read(text), fields -> {
            String service = fields.required("service", Plan::requireService);
            String version = fields.required("version", DeploymentEventReader::requireVersion);
            List<String> instances = fields.convert(
                    fields.list("instances", MAX_INSTANCES, "is one instance too many; there may be " + MAX_INSTANCES),
                    address -> new SutChoice.Named(address).instance());
            Instant at = fields.optional("at", value -> requireAt(value, now));
            String id = fields.optional("id", DeploymentEventReader::requireId);
            return fields.make(
                    () -> new DeploymentEvent(requireNonNull(service), requireNonNull(version), instances, at, id));
        });
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
        Instant at = TimestampRange.parse(text);
        if (at.isAfter(now.plus(AHEAD))) {
            throw new IllegalArgumentException("is more than a day ahead");
        }
        return at;
    }
}
