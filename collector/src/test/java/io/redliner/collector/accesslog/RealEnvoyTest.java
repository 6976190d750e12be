// SPDX-License-Identifier: Apache-2.0
package io.redliner.collector.accesslog;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import io.redliner.collector.source.ListenerTls;
import io.redliner.collector.windowing.RequestError;
import io.redliner.collector.windowing.RequestRecord.RecordKind;
import io.redliner.collector.windowing.RunWindowSettings;
import io.redliner.collector.windowing.TestedWindows;
import io.redliner.collector.windowing.WindowAggregator;
import io.redliner.collector.windowing.WindowCounts.OverdueCount;
import io.redliner.collector.windowing.WindowCounts;
import io.redliner.collector.windowing.WindowMetrics.InFlightEvictionReason;
import io.redliner.collector.windowing.WindowMetrics.RecordDropReason;
import io.redliner.collector.windowing.WindowSettings;
import java.net.Socket;
import java.net.http.HttpResponse;
import java.nio.file.Path;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.concurrent.CompletableFuture;
import java.util.function.Function;
import java.util.function.Predicate;
import java.util.function.ToLongFunction;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.HdrHistogram.Histogram;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What a real proxy reports of real requests. */
class RealEnvoyTest {

    private static final Duration WINDOW = Duration.ofMillis(100);

    private static final Duration LIMIT = Duration.ofMillis(250);

    private final Clock clock = Clock.systemUTC();

    private final WindowAggregator windows = TestedWindows.of(patient());

    private final AccessLogServer server = AccessLogServer.start(
            new AccessLogProperties("127.0.0.1", 0, Duration.ofSeconds(1), 2, ListenerTls.NONE),
            new AccessLogService(windows, new AccessLogMetrics(new SimpleMeterRegistry()), clock));

    private final Upstream first = new Upstream();

    private final Upstream second = new Upstream();

    private final List<WindowCounts> sealed = new ArrayList<>();

    @TempDir
    private Path folder;

    private StaticEnvoy envoy;

    @BeforeEach
    void startEnvoy() throws Exception {
        envoy = new StaticEnvoy(folder, server.port(), first, second);
        for (String service : List.of("shop", "sampled")) {
            windows.run(service, new RunWindowSettings(WINDOW, List.of(LIMIT)), clock.instant());
        }
    }

    @AfterEach
    void stop() {
        envoy.close();
        first.close();
        second.close();
        server.close();
    }

    @Test
    void counts_for_each_instance_what_the_client_sent_with_the_latency_that_it_had() {
        Map<String, Long> sent = new TreeMap<>();
        for (int burst = 0; burst < 20; burst++) {
            List<CompletableFuture<HttpResponse<String>>> answers = IntStream.range(0, 10)
                    .mapToObj(number -> envoy.send("/?wait=20")).toList();
            answers.forEach(answer -> sent.merge(answer.join().body(), 1L, Long::sum));
        }
        assertThat(sent).containsOnlyKeys(first.name(), second.name());

        sealUntil(all -> sum(all, WindowCounts::completed) == 200);

        assertThat(byInstance(WindowCounts::completed)).isEqualTo(sent);
        assertThat(byInstance(WindowCounts::started)).isEqualTo(sent);
        assertThat(windows.metrics().dropped(RecordKind.END) + windows.metrics().dropped(RecordKind.START)).isZero();
        assertThat(windows.inFlight()).isZero();
        Histogram latency = new Histogram(3);
        sealed.forEach(window -> window.latency().ifPresent(latency::add));
        assertThat(latency.getMinValue()).isGreaterThanOrEqualTo(20_000);
        assertThat(latency.getValueAtPercentile(50)).isLessThan(120_000);
    }

    @Test
    void the_start_of_a_request_tells_that_no_lease_speaks_of_it() {
        IntStream.range(0, 3).forEach(number -> envoy.send("/outside").join());
        IntStream.range(0, 2).forEach(number -> envoy.send("/first").join());

        sealUntil(all -> sum(all, WindowCounts::completed) == 5);

        assertThat(sum(sealed, WindowCounts::started)).isEqualTo(5);
        assertThat(sum(sealed, WindowCounts::outside)).isEqualTo(3);
    }

    @Test
    void classifies_failures_by_their_cause_and_says_which_limit_was_none_of_the_owners() {
        TestedWindows.chooseLimits(windows, "shop");
        IntStream.range(0, 3).forEach(number -> envoy.send("/first?status=503").join());
        envoy.send("/timeout?wait=2000").join();
        envoy.send("/refused").join();
        envoy.send("/first/break").join();
        envoy.send("/full").join();
        envoy.send("/first?status=404").join();

        sealUntil(all -> sum(all, WindowCounts::completed) == 8);

        assertThat(errors(first.name())).isEqualTo(
                Map.of(RequestError.SERVER, 3L, RequestError.TIMEOUT, 1L, RequestError.RESET, 1L,
                        RequestError.REFUSED_BY_PROXY,
                        1L));
        assertThat(sum(sealed, window -> window.errors().getOrDefault(RequestError.CONNECT, 0L))).isEqualTo(1);
        assertThat(windows.ownLimits(clock.instant()).get("shop"))
                .hasToString("[OwnLimitEnds[limit=ROUTE_TIMEOUT, value=200, ended=1, requests=8],"
                        + " OwnLimitEnds[limit=CIRCUIT_BREAKER, value=1, ended=1, requests=8]]");
    }

    @Test
    void a_request_for_which_there_is_no_instance_belongs_to_none_and_is_seen() {
        envoy.send("/nobody").join();

        await().until(() -> windows.metrics().dropped(RecordKind.END, RecordDropReason.NO_UPSTREAM) == 1);
    }

    @Test
    void a_request_for_which_the_route_of_a_test_has_no_instance_is_a_failure_of_the_sut() {
        assertThat(envoy.send("/test-without-instance").join().statusCode()).isEqualTo(503);
        assertThat(envoy.send("/test-without-cluster").join().statusCode()).isEqualTo(503);

        sealUntil(all -> sum(all, WindowCounts::completed) == 2);

        assertThat(errors(first.name())).isEqualTo(Map.of(RequestError.REFUSED_BY_PROXY, 2L));
        assertThat(sum(sealed, WindowCounts::started)).isZero();
        assertThat(windows.inFlight()).isZero();
    }

    @Test
    void each_attempt_of_a_request_that_is_tried_again_counts_at_its_own_instance() {
        envoy.send("/retry?status=503").join();

        sealUntil(all -> sum(all, WindowCounts::completed) == 3);

        assertThat(sum(sealed, WindowCounts::started)).isEqualTo(3);
        assertThat(errors(first.name())).isEqualTo(Map.of(RequestError.SERVER, 3L));
        assertThat(windows.metrics().forgotten(InFlightEvictionReason.SUPERSEDED)).isZero();
        assertThat(windows.inFlight()).isZero();
    }

    @Test
    void an_instance_whose_failures_are_made_good_elsewhere_has_failed() {
        int requests = 10;
        for (int number = 0; number < requests; number++) {
            assertThat(envoy.send("/elsewhere?status=503&only=" + first.port()).join().statusCode()).isEqualTo(200);
        }

        sealUntil(all -> byInstance(all, second.name()) + late() == requests && windows.inFlight() == 0);

        long failed = byInstance(sealed, first.name());
        assertThat(failed).isPositive();
        assertThat(errors(first.name())).isEqualTo(Map.of(RequestError.SERVER, failed));
        assertThat(errors(second.name())).isEmpty();
    }

    @Test
    void an_instance_that_a_hedged_request_did_not_wait_for_timed_out() {
        int requests = 4;
        for (int number = 0; number < requests; number++) {
            assertThat(envoy.send("/hedge?wait=3000&only=" + first.port()).join().statusCode()).isEqualTo(200);
        }

        sealUntil(all -> byInstance(all, second.name()) + late() == requests && windows.inFlight() == 0);

        long late = byInstance(sealed, first.name());
        assertThat(late).isPositive();
        assertThat(errors(first.name())).isEqualTo(Map.of(RequestError.TIMEOUT, late));
        assertThat(errors(second.name())).isEmpty();
    }

    @Test
    void an_instance_that_takes_no_connection_has_failed_also_when_another_one_answers() {
        int requests = 10;
        for (int number = 0; number < requests; number++) {
            assertThat(envoy.send("/half").join().statusCode()).isEqualTo(200);
        }

        sealUntil(all -> byInstance(all, first.name()) + late() == requests);

        assertThat(errors(first.name())).isEmpty();
        assertThat(sum(sealed, window -> window.errors().getOrDefault(RequestError.CONNECT, 0L))).isPositive()
                .isEqualTo(sum(sealed, WindowCounts::completed) + late() - requests);
    }

    @Test
    void a_hanging_request_is_in_flight_and_overdue_before_it_ends() {
        CompletableFuture<HttpResponse<String>> answer = envoy.send("/first/hang");

        sealUntil(all -> overdue(all, OverdueCount::newlyOverdue) == 1);
        assertThat(answer).isNotDone();
        assertThat(sealed.getLast().inFlight()).isEqualTo(1);
        assertThat(sum(sealed, WindowCounts::completed)).isZero();

        first.release();
        sealUntil(all -> overdue(all, OverdueCount::settled) == 1);
        assertThat(overdue(sealed, OverdueCount::newlyOverdue)).isEqualTo(1);
        assertThat(sealed.getLast().inFlight()).isZero();
        assertThat(answer.join().statusCode()).isEqualTo(200);
    }

    @Test
    void a_hanging_request_is_overdue_within_one_window_of_the_limit() {
        envoy.send("/first").join();
        sealUntil(all -> !all.isEmpty() && all.getLast().length().equals(WINDOW));
        sealed.clear();
        CompletableFuture<HttpResponse<String>> answer = envoy.send("/first/hang");

        sealUntil(all -> overdue(all, OverdueCount::newlyOverdue) == 1);

        assertThat(answer).isNotDone();

        // It began in the window that counts its start, and is counted by the proxy's time alone.
        Instant began = first(WindowCounts::started).start();
        Instant seen = end(first(window -> overdue(List.of(window), OverdueCount::newlyOverdue)));
        assertThat(Duration.between(began, seen)).isGreaterThan(LIMIT)
                .isLessThanOrEqualTo(LIMIT.plus(WINDOW.multipliedBy(2)));
    }

    @Test
    void a_user_who_hangs_up_before_an_answer_came_is_cancelled() throws Exception {
        Socket user = envoy.connect("/first/hang");
        sealUntil(all -> sum(all, WindowCounts::started) == 1);

        user.close();

        sealUntil(all -> sum(all, window -> window.cancelled()) == 1);
        assertThat(sum(sealed, WindowCounts::completed)).isZero();
        assertThat(merged(window -> window.unanswered()).getTotalCount()).isEqualTo(1);
        assertThat(windows.inFlight()).isZero();
    }

    @Test
    void a_grpc_call_fails_by_its_status() {
        IntStream.range(0, 4).forEach(number -> envoy.send("/first?wait=30").join());
        IntStream.range(0, 3).forEach(number -> envoy.send("/first?grpc=14").join());
        envoy.send("/first?grpc=0").join();

        sealUntil(all -> sum(all, WindowCounts::completed) == 8);

        assertThat(errors(first.name())).isEqualTo(Map.of(RequestError.SERVER, 3L));
        assertThat(merged(WindowCounts::latency).getCountBetweenValues(30_000, Long.MAX_VALUE))
                .isGreaterThanOrEqualTo(4);
    }

    @Test
    void a_sample_that_the_proxy_takes_counts_as_all_that_it_stands_for() {
        int requests = 2_000;
        for (int burst = 0; burst < requests / 50; burst++) {
            IntStream.range(0, 50).mapToObj(number -> envoy.sendSampled("/first")).toList()
                    .forEach(CompletableFuture::join);
        }

        // The same requests, but for those whose end came late. On a busy machine an end comes when its request is forgotten already.
        sealUntil(all -> windows.inFlight() == 0 && windows.pending(RecordKind.END) == 0
                && sum(all, WindowCounts::completed) > requests / 2
                && sum(all, WindowCounts::started) == sum(all, WindowCounts::completed) + 4 * (windows.metrics()
                        .dropped(RecordKind.END) - windows.metrics().dropped(RecordKind.START)));

        long records = sum(sealed, window -> window.completedRecords());
        assertThat(sum(sealed, WindowCounts::completed)).isBetween(4 * records - 1, 4 * records);
        // Of 2 000 fair draws of a quarter, all but one in ten thousand series are within four standard deviations.
        assertThat((double) records).isBetween(500 - 4 * Math.sqrt(375), 500 + 4 * Math.sqrt(375));
    }

    @Test
    void a_proxy_that_pings_often_keeps_its_streams() {
        envoy.send("/first").join();
        sealUntil(all -> !all.isEmpty());

        await().during(Duration.ofSeconds(2)).until(
                () -> windows.streams() > 0
                        && Long.valueOf(0).equals(server.health().details().get("brokenStreams")));
    }

    @Test
    void a_proxy_that_died_gives_no_proof_of_life() throws Exception {
        kill();

        await().until(() -> windows.streams() == 0);
        assertThat(windows.closeDue(clock.instant().plusSeconds(2))).isEmpty();
    }

    @Test
    @Tag("fault")
    void a_proxy_that_died_gives_no_proof_of_life_after_one_second() throws Exception {
        kill();

        await().atMost(Duration.ofSeconds(1)).until(() -> windows.streams() == 0);
        assertThat(windows.closeDue(clock.instant().plusSeconds(2))).isEmpty();
    }

    private void kill() throws Exception {
        envoy.send("/first").join();
        sealUntil(all -> !all.isEmpty());

        envoy.kill();
    }

    @Test
    @Tag("fault")
    void a_proxy_that_is_frozen_passes_for_alive_for_no_more_than_a_ping() throws Exception {
        envoy.send("/first").join();
        sealUntil(all -> !all.isEmpty());

        envoy.freeze();

        await().atMost(Duration.ofSeconds(13)).until(() -> windows.streams() == 0);
    }

    private WindowCounts first(ToLongFunction<WindowCounts> count) {
        return sealed.stream().filter(window -> count.applyAsLong(window) > 0).findFirst().orElseThrow();
    }

    private static Instant end(WindowCounts window) {
        return window.start().plus(window.length());
    }

    private Histogram merged(Function<WindowCounts, Optional<Histogram>> which) {
        Histogram all = new Histogram(3);
        sealed.forEach(window -> which.apply(window).ifPresent(all::add));
        return all;
    }

    /** Waits longer for records than a collector does: on a busy machine one that comes late would be dropped. */
    static WindowSettings patient() {
        WindowSettings usual = WindowSettings.DEFAULT;
        return new WindowSettings(usual.length(), Duration.ofSeconds(1), usual.settling(), usual.horizon(),
                usual.longestRequest(), usual.idleInstance(), usual.bounds());
    }

    private void sealUntil(Predicate<List<WindowCounts>> enough) {
        await().pollInterval(Duration.ofMillis(20)).until(() -> {
            sealed.addAll(windows.closeDue(clock.instant()));
            return enough.test(sealed);
        });
    }

    /** Where the machine stood still for longer than a window waits. */
    private long late() {
        return windows.metrics().dropped(RecordKind.END, RecordDropReason.LATE);
    }

    private static long byInstance(List<WindowCounts> windows, String instance) {
        return sum(windows, window -> window.instance().equals(instance) ? window.completed() : 0);
    }

    private Map<String, Long> byInstance(ToLongFunction<WindowCounts> count) {
        return sealed.stream().collect(
                Collectors.groupingBy(WindowCounts::instance, TreeMap::new, Collectors.summingLong(count)));
    }

    private Map<RequestError, Long> errors(String instance) {
        return sealed.stream().filter(window -> window.instance().equals(instance))
                .flatMap(window -> window.errors().entrySet().stream())
                .collect(Collectors.groupingBy(Map.Entry::getKey, Collectors.summingLong(Map.Entry::getValue)));
    }

    private static long overdue(List<WindowCounts> windows, ToLongFunction<OverdueCount> count) {
        return sum(windows, window -> window.overdue().stream().mapToLong(count).sum());
    }

    private static long sum(List<WindowCounts> windows, ToLongFunction<WindowCounts> count) {
        return windows.stream().mapToLong(count).sum();
    }
}
