// SPDX-License-Identifier: Apache-2.0
package io.redliner.collector.prometheus;

import io.redliner.collector.http.HttpCredentials;
import java.net.URI;
import java.time.Duration;
import java.util.List;
import java.util.Set;
import java.util.stream.Stream;
import org.springframework.boot.context.properties.ConfigurationProperties;
import org.springframework.boot.context.properties.bind.DefaultValue;
import org.springframework.util.unit.DataSize;

/**
 * Settings for asking a Prometheus server, or another one with its API.
 *
 * @param url the server's address, with its path prefix
 * @param interval how often it is asked; 1 s to 10 min
 * @param timeout for one answer; above 0, no longer than the interval
 * @param scrapeInterval how often the server scrapes the exporters; 1 s to 10 min. A value holds for one of them and the
 * interval after its sample.
 * @param maxBytes of one answer after decompression; 1 KiB to 64 MiB
 * @param credentials the login of the collector, and the certificates that it trusts
 * @param presets usual exporters; of several queries for a gauge the first that names an instance counts
 * @param queries in front of the presets' ones
 */
@ConfigurationProperties("redliner.collector.prometheus")
record PrometheusProperties(URI url, @DefaultValue("5s") Duration interval, @DefaultValue("3s") Duration timeout,
        @DefaultValue("15s") Duration scrapeInterval, @DefaultValue("4MB") DataSize maxBytes,
        @DefaultValue HttpCredentials credentials, @DefaultValue List<Preset> presets,
        @DefaultValue List<PromQuery> queries) {

    static final String PREFIX = "redliner.collector.prometheus";

    private static final String WHERE = PREFIX + ".";

    private static final Duration MIN_INTERVAL = Duration.ofSeconds(1);

    private static final Duration MAX_INTERVAL = Duration.ofMinutes(10);

    PrometheusProperties {
        if (url.getHost() == null || !Set.of("http", "https").contains(String.valueOf(url.getScheme()))
                || url.getRawQuery() != null) {
            throw new IllegalArgumentException(
                    WHERE + "url is the http or https URL of a Prometheus server; not '" + url
                            + "'");
        }
        if (url.getRawUserInfo() != null) {
            throw new IllegalArgumentException(WHERE + "url has a user in it: write " + WHERE
                    + "credentials.username and .password instead");
        }
        check("interval", interval);
        check("scrape-interval", scrapeInterval);
        if (timeout.toMillis() < 1 || timeout.compareTo(interval) > 0) {
            throw new IllegalArgumentException(WHERE + "timeout is above 0 and no longer than the interval " + interval
                    + "; not " + timeout);
        }
        if (maxBytes.toKilobytes() < 1 || maxBytes.toMegabytes() > 64) {
            throw new IllegalArgumentException(WHERE + "max-bytes is 1KB to 64MB; not " + maxBytes);
        }
        if (presets.isEmpty() && queries.isEmpty()) {
            throw new IllegalArgumentException(
                    WHERE + "presets or " + WHERE + "queries say what is asked; neither is set."
                            + " Presets are " + List.of(PrometheusPreset.values()));
        }
        presets = List.copyOf(presets);
        queries = List.copyOf(queries);
    }

    private static void check(String name, Duration interval) {
        if (interval.compareTo(MIN_INTERVAL) < 0 || interval.compareTo(MAX_INTERVAL) > 0) {
            throw new IllegalArgumentException(WHERE + name + " is 1s to 10m; not " + interval);
        }
    }

    /** Returns the queries in the order in which they count. */
    List<PromQuery> allQueries() {
        return Stream.concat(queries.stream(), presets.stream().flatMap(preset -> preset.queries().stream())).toList();
    }

    /**
     * The queries for an exporter.
     *
     * @param matchers what goes into each of its selectors, such as {@code job="node",cluster="eu"}
     */
    record Preset(PrometheusPreset name, @DefaultValue("") String matchers) {

        List<PromQuery> queries() {
            return name.queries(matchers);
        }
    }
}
