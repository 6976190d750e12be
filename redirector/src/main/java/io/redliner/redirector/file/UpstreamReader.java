// SPDX-License-Identifier: Apache-2.0
package io.redliner.redirector.file;

import io.redliner.redirector.file.LocatedYaml.Mapping;
import io.redliner.redirector.file.LocatedYaml.Node;
import io.redliner.redirector.service.Upstream;
import io.redliner.redirector.service.Upstream.Ejection;
import io.redliner.redirector.service.Upstream.Protocol;
import io.redliner.redirector.service.Upstream.Tls;
import java.time.Duration;
import java.util.List;
import java.util.Optional;

/** Reads how proxies talk to the instances: {@code timeout}, {@code protocol}, {@code tls}, {@code ejection}. */
final class UpstreamReader {

    static final List<String> FIELDS = List.of("timeout", "protocol", "tls", "ejection");

    private static final Duration DEFAULT_TIMEOUT = Duration.ofSeconds(15);

    private static final Duration DEFAULT_INTERVAL = Duration.ofSeconds(10);

    private static final Duration DEFAULT_BASE_TIME = Duration.ofSeconds(30);

    private static final int DEFAULT_MAX_PERCENT = 10;

    private final LocatedYaml yaml;

    UpstreamReader(LocatedYaml yaml) {
        this.yaml = yaml;
    }

    Upstream read(Mapping service) {
        return new Upstream(protocol(service), duration(service, "timeout", DEFAULT_TIMEOUT),
                yaml.optional(service, "tls").map(this::tls), yaml.optional(service, "ejection").map(this::ejection));
    }

    private Protocol protocol(Mapping service) {
        return yaml.optional(service, "protocol")
                .map(node -> yaml.scalar(node, "http1, http2 or grpc", text -> switch (text) {
                    case "http1" -> Protocol.HTTP1;
                    case "http2", "grpc" -> Protocol.HTTP2;
                    default -> throw new IllegalArgumentException("'" + text
                            + "' is not a protocol: http1, http2 or grpc");
                })).orElse(Protocol.HTTP1);
    }

    private Tls tls(Node node) {
        Mapping fields = yaml.mapping(node, "tls", List.of("sni", "trusted", "certificate", "key"));
        return yaml.at(node, () -> new Tls(yaml.text(yaml.required(fields, "sni", "tls"), "a name"),
                yaml.text(yaml.required(fields, "trusted", "tls"), "a path"),
                yaml.optional(fields, "certificate").map(path -> yaml.text(path, "a path")),
                yaml.optional(fields, "key").map(path -> yaml.text(path, "a path"))));
    }

    private Ejection ejection(Node node) {
        Mapping fields = yaml.mapping(node, "ejection",
                List.of("consecutiveErrors", "interval", "baseTime", "maxPercent"));
        Node errors = yaml.required(fields, "consecutiveErrors", "ejection");
        // Each number is checked where it stands: the second look is at the maximum of percents alone.
        Ejection counted = yaml.at(errors, () -> new Ejection(yaml.wholeNumber(errors, "a number of errors"),
                duration(fields, "interval", DEFAULT_INTERVAL), duration(fields, "baseTime", DEFAULT_BASE_TIME),
                DEFAULT_MAX_PERCENT));
        Optional<Node> percent = yaml.optional(fields, "maxPercent");
        return percent.map(value -> yaml.scalar(value, "a percentage", text -> new Ejection(
                counted.consecutiveErrors(), counted.interval(), counted.baseTime(), LocatedYaml.wholeNumber(text))))
                .orElse(counted);
    }

    private Duration duration(Mapping fields, String field, Duration otherwise) {
        return yaml.optional(fields, field).map(node -> yaml.scalar(node, "a duration", DurationText::parse))
                .orElse(otherwise);
    }
}
