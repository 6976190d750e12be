// SPDX-License-Identifier: Apache-2.0
package io.redliner.collector.prometheus;

import io.micrometer.core.instrument.Counter;
import io.micrometer.core.instrument.MeterRegistry;
import io.redliner.collector.http.BoundedHttpClient;
import io.redliner.collector.http.RequestFailedException;
import io.redliner.collector.http.RequestFailedException.RequestFailureReason;
import io.redliner.collector.prometheus.PrometheusProperties.Preset;
import io.redliner.collector.prometheus.QueryResponse.Series;
import io.redliner.collector.source.ProbeFailedException;
import io.redliner.collector.source.ScheduledProbe.Probe;
import io.redliner.collector.windowing.GaugeMeasurement;
import io.redliner.collector.windowing.InstanceId;
import io.redliner.collector.windowing.ReasonCounters;
import java.net.URI;
import java.net.URLEncoder;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.HashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.function.Function;

/**
 * Asks a Prometheus server by instant queries, one after the other, so that a slow server gets no second query while one is under
 * way. A server that fails is not asked again in the same round.
 */
final class PrometheusProbe implements Probe {

    /**
     * Distance of the time of evaluation from now. A scrape shows in the server once it is over, so all queries of a round then
     * find the same samples.
     */
    static final Duration DELAY = Duration.ofSeconds(1);

    private static final String QUERIES = "redliner.prometheus.queries";

    private static final String QUERY_PATH = "/api/v1/query";

    private static final double MILLIS = 1000;

    private final PrometheusProperties properties;

    private final Function<Instant, Map<InstanceId, List<String>>> machines;

    private final InstantSource clock;

    private final ExecutorService executor = Executors.newSingleThreadExecutor(
            Thread.ofPlatform().name("redliner-collector-prometheus-http-", 0).daemon().factory());

    private final BoundedHttpClient client;

    private final QueryResponse response;

    private final List<PromQuery> queries;

    private final Map<PromQuery, GaugeRound.Distrust> distrusted = new HashMap<>();

    private final Counter asked;

    private final Counter answered;

    private final ReasonCounters<RequestFailureReason> failed;

    /**
     * Creates a probe.
     *
     * @param machines the known instances at a time, each with the names of its machine
     */
    PrometheusProbe(PrometheusProperties properties, Function<Instant, Map<InstanceId, List<String>>> machines,
            MeterRegistry registry, InstantSource clock) {
        this.properties = properties;
        this.machines = machines;
        this.clock = clock;
        this.queries = properties.allQueries();
        this.response = new QueryResponse(Math.toIntExact(properties.maxBytes().toBytes()));
        this.client = new BoundedHttpClient(PrometheusProperties.PREFIX, properties.timeout(),
                properties.maxBytes().toBytes(), properties.credentials(), executor);
        this.asked = ReasonCounters.successes(registry, QUERIES, "asked");
        this.answered = ReasonCounters.successes(registry, QUERIES, "answered");
        this.failed = new ReasonCounters<>(registry, QUERIES, "failed", RequestFailureReason.class);
    }

    @Override
    public String name() {
        return "prometheus";
    }

    @Override
    public List<GaugeMeasurement> measure(Instant now, Instant next) throws ProbeFailedException {
        Map<InstanceId, List<String>> instances = machines.apply(now);
        Instant at = now.minus(DELAY);
        GaugeRound round = new GaugeRound(instances, at, maxAge(), hold(), distrusted);
        Set<String> problems = new LinkedHashSet<>();
        ask(round, at, next, problems);
        problems.addAll(round.problems());
        if (!instances.isEmpty() && problems.isEmpty()) {
            emptyPresets(round, problems);
        }
        if (!problems.isEmpty()) {
            throw new ProbeFailedException(ProbeFailedException.join(problems), round.measured());
        }
        return round.measured();
    }

    /** Returns the age from which on a sample is a problem: one scrape may fail, and the server is asked in an interval of its own. */
    private Duration maxAge() {
        return properties.scrapeInterval().multipliedBy(2).plus(properties.interval()).plus(DELAY);
    }

    /** Returns how long a value counts after its sample: until the next one is there, so that it says little of a later load. */
    private Duration hold() {
        return properties.scrapeInterval().plus(properties.interval());
    }

    private void ask(GaugeRound round, Instant at, Instant next, Set<String> problems) throws ProbeFailedException {
        Map<String, List<Series>> answers = new HashMap<>();
        String down = "";
        for (PromQuery query : queries) {
            if (down.isEmpty() && !clock.instant().isBefore(next)) {
                down = "needs more than the interval for all queries; ask for less, or see "
                        + PrometheusProperties.PREFIX
                        + ".interval";
                problems.add("the server " + down);
            }
            if (!down.isEmpty()) {
                round.leaveOut(query);
                continue;
            }
            try {
                round.add(query, ask(query.query(), at, answers), ask(query.time(), at, answers));
            } catch (RequestFailedException e) {
                String problem = String.valueOf(e.getMessage());
                if (ofServer(e.reason())) {
                    down = problem;
                    problems.add("the server at " + properties.url() + " " + problem);
                    round.leaveOut(query);
                } else {
                    round.failed(query, problem);
                }
            }
        }
    }

    /** Returns true for failures that other queries would meet, too. */
    private static boolean ofServer(RequestFailureReason reason) {
        return switch (reason) {
            case TIMEOUT, UNREACHABLE, STATUS, CONTENT -> true;
            case REJECTED, TOO_LARGE, MALFORMED -> false;
        };
    }

    private List<Series> ask(String promQl, Instant at, Map<String, List<Series>> answers)
            throws RequestFailedException, ProbeFailedException {
        List<Series> known = answers.get(promQl);
        if (known != null) {
            return known;
        }
        asked.increment();
        try {
            List<Series> series = client.get(uri(promQl, at), "application/json", response).get();
            answered.increment();
            answers.put(promQl, series);
            return series;
        } catch (ExecutionException e) {
            RequestFailedException failure = e.getCause() instanceof RequestFailedException refused
                    ? refused
                    : new RequestFailedException(RequestFailureReason.UNREACHABLE,
                            "could not be asked: " + e.getCause());
            failed.add(failure.reason(), 1);
            throw failure;
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new ProbeFailedException("closed", List.of());
        }
    }

    private URI uri(String promQl, Instant at) {
        String query = PromQuery.expand(promQl, properties.scrapeInterval().toMillis());
        String base = properties.url().toString();
        return URI.create((base.endsWith("/") ? base.substring(0, base.length() - 1) : base) + QUERY_PATH + "?query="
                + URLEncoder.encode(query, StandardCharsets.UTF_8) + "&time=" + at.toEpochMilli() / MILLIS
                + "&timeout=" + properties.timeout().toMillis() + "ms");
    }

    private void emptyPresets(GaugeRound round, Set<String> problems) {
        for (Preset preset : properties.presets()) {
            if (preset.queries().stream().noneMatch(round::found)) {
                problems.add("the preset " + preset.name() + " has no series of a known instance; see its matchers, and"
                        + " whether the server scrapes the exporter");
            }
        }
    }

    @Override
    public void close() {
        client.close();
        executor.shutdownNow();
    }
}
