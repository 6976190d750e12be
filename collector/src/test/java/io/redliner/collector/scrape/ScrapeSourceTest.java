// SPDX-License-Identifier: Apache-2.0
package io.redliner.collector.scrape;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;
import static org.awaitility.Awaitility.await;

import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import io.redliner.collector.http.HttpCredentials;
import io.redliner.collector.metrics.CustomGaugeSettings;
import io.redliner.collector.metrics.MetricTranslator;
import io.redliner.collector.http.RequestFailedException.RequestFailureReason;
import io.redliner.collector.source.MetricSource.SourceHealth;
import io.redliner.collector.source.Target;
import io.redliner.collector.windowing.GaugeMeasurement;
import io.redliner.collector.windowing.InstanceId;
import java.io.IOException;
import java.net.URI;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.springframework.util.unit.DataSize;

class ScrapeSourceTest {

    private static final Duration INTERVAL = Duration.ofMillis(200);

    private static final ScrapeProperties PROPERTIES = new ScrapeProperties(true, INTERVAL, INTERVAL,
            DataSize.ofMegabytes(1), 500, 100, HttpCredentials.NONE);

    /** A machine that is busy with other things answers well within it. */
    private static final ScrapeProperties PATIENT = new ScrapeProperties(true, Duration.ofSeconds(2),
            Duration.ofSeconds(2), DataSize.ofMegabytes(1), 500, 100, HttpCredentials.NONE);

    private static final Duration WAIT = Duration.ofSeconds(30);

    private final List<GaugeMeasurement> measured = new CopyOnWriteArrayList<>();

    private final MetricTranslator translator = new MetricTranslator("scrape",
            new CustomGaugeSettings(List.of("*"), 500, 1000, Duration.ofMinutes(5)), new SimpleMeterRegistry());

    private final ScrapeMetrics metrics = new ScrapeMetrics(new SimpleMeterRegistry());

    private final List<ScrapeSource> sources = new ArrayList<>();

    private ScrapedService service;

    @BeforeEach
    void start() throws IOException {
        service = new ScrapedService();
    }

    @AfterEach
    void stop() {
        sources.forEach(ScrapeSource::close);
        service.close();
    }

    @Test
    void an_instance_is_measured_under_its_own_name() {
        ScrapeSource source = scrape("/metrics");

        await().until(() -> of("/metrics").size() >= 4);

        assertThat(of("/metrics")).extracting(GaugeMeasurement::name).contains("cpu", "orders.rate");
        assertThat(of("/metrics")).filteredOn(it -> it.name().equals("cpu")).extracting(GaugeMeasurement::value)
                .containsOnly(0.25);
        assertThat(of("/metrics")).filteredOn(it -> it.name().equals("orders.rate"))
                .allSatisfy(rate -> assertWhole(rate.value() * seconds(rate) / ScrapedService.ORDERS));
        assertThat(source.health().state()).isEqualTo(SourceHealth.State.WORKING);
    }

    @Test
    void an_answer_may_be_compressed() {
        scrape("/gzip");

        await().until(() -> of("/gzip").stream().anyMatch(it -> it.name().equals("orders.rate")));
    }

    @Test
    void each_failure_is_reported_with_its_reason_and_disturbs_no_other_target() {
        ScrapeSource source = start(PATIENT, targets("/metrics", "/hangs", "/hangs-in-the-middle", "/html",
                "/html-as-text", "/moved", "/broken", "/gigantic", "/bomb", "/cut-off"));

        await().atMost(WAIT).until(() -> reasons(source).keySet().size(), Integer.valueOf(9)::equals);
        await().atMost(WAIT).until(() -> of("/metrics").size() >= 4);

        assertThat(source.health().state()).isEqualTo(SourceHealth.State.IMPAIRED);
        Map<String, String> reasons = reasons(source);
        assertThat(reasons).hasSize(9).doesNotContainKey(instanceId("/metrics").toString());
        assertThat(reasons.get(instanceId("/hangs").toString())).contains("did not answer within 2000 ms");
        assertThat(reasons.get(instanceId("/hangs-in-the-middle").toString()))
                .contains("did not answer within 2000 ms");
        assertThat(reasons.get(instanceId("/html").toString())).contains("text/html").contains("no metrics");
        assertThat(reasons.get(instanceId("/html-as-text").toString())).contains("line 1 has no name");
        assertThat(reasons.get(instanceId("/moved").toString())).contains("redirects to /metrics");
        assertThat(reasons.get(instanceId("/broken").toString())).contains("status 500");
        assertThat(reasons.get(instanceId("/gigantic").toString())).contains("larger than 1048576 bytes");
        assertThat(reasons.get(instanceId("/bomb").toString())).contains("larger than 1048576 bytes");
        assertThat(reasons.get(instanceId("/cut-off").toString())).contains("broke the connection");
        assertThat(measured).allMatch(it -> it.instanceId().equals(instanceId("/metrics")));
        assertThat(metrics.failed(RequestFailureReason.TIMEOUT)).isPositive();
        assertThat(metrics.failed(RequestFailureReason.TOO_LARGE)).isPositive();
    }

    @Test
    void an_instance_that_is_not_there_is_reported() throws IOException {
        URI gone;
        try (ScrapedService other = new ScrapedService()) {
            gone = other.uri("/metrics");
        }
        ScrapeSource source = start(PROPERTIES, List.of(target("/gone", gone)));

        await().until(() -> reasons(source).getOrDefault(instanceId("/gone").toString(), ""),
                "cannot be reached"::equals);
    }

    @Test
    void an_instance_that_comes_back_is_no_longer_reported() {
        ScrapeSource source = scrape("/back-later");
        await().atMost(WAIT).until(() -> reasons(source).getOrDefault(instanceId("/back-later").toString(), ""),
                reason -> reason.contains("status 503"));
        assertThat(source.health().state()).isEqualTo(SourceHealth.State.IMPAIRED);
        assertThat(of("/back-later")).isEmpty();

        service.comeBack();

        await().atMost(WAIT).until(() -> source.health().state(), SourceHealth.State.WORKING::equals);
        assertThat(reasons(source)).isEmpty();
        await().atMost(WAIT).until(() -> of("/back-later").stream().anyMatch(it -> it.name().equals("cpu")));
    }

    @Test
    void series_beyond_the_limit_are_left_out_and_reported() {
        ScrapeSource source = scrape("/flood");

        await().until(() -> reasons(source).getOrDefault(instanceId("/flood").toString(), ""),
                reason -> reason.contains("502 series more than are read"));
        assertThat(of("/flood")).isNotEmpty();
    }

    @Test
    void series_that_are_not_measured_are_reported() {
        ScrapeSource source = scrape("/odd");

        await().until(() -> reasons(source).getOrDefault(instanceId("/odd").toString(), ""),
                reason -> reason.contains("reserved_name, such as [cpu]"));
        assertThat(source.health().state()).isEqualTo(SourceHealth.State.IMPAIRED);
        assertThat(source.health().details()).containsEntry("failing", 0L);
    }

    @Test
    void times_of_its_own_that_are_an_hour_old_are_reported() {
        ScrapeSource source = scrape("/hour-off");

        await().until(() -> reasons(source).getOrDefault(instanceId("/hour-off").toString(), ""),
                reason -> reason.matches(
                        ".*values of 3[56]\\d\\d s ago are not used, the oldest that are used are of 300 s ago.*"));
    }

    @Test
    @Tag("soak")
    void hundreds_that_hang_do_not_shut_the_others_out() {
        List<Target> targets = new ArrayList<>(IntStream.range(0, 200).mapToObj(number -> target("/hangs" + number,
                service.uri("/hangs"))).toList());
        targets.add(target("/metrics", service.uri("/metrics")));
        start(new ScrapeProperties(true, Duration.ofSeconds(1), Duration.ofMillis(500),
                DataSize.ofMegabytes(1), 500, 50, HttpCredentials.NONE), targets);

        await().atMost(WAIT).until(() -> of("/metrics").stream()
                .filter(it -> it.name().equals("cpu")).count() >= 4);

        // 201 of which 50 can be waited for at a time, half a second each: the slots are full all the time.
        assertThat(metrics.failed(RequestFailureReason.TIMEOUT)).isGreaterThan(200);
    }

    @Test
    void instances_are_asked_one_after_the_other_within_the_interval() {
        List<Target> targets = IntStream.range(0, 10).mapToObj(number -> target("/metrics" + number,
                service.uri("/metrics"))).toList();
        ScrapeProperties everySecond = new ScrapeProperties(true, Duration.ofSeconds(1), Duration.ofMillis(800),
                DataSize.ofMegabytes(1), 500, 100, HttpCredentials.NONE);
        Instant now = Instant.parse("2026-01-01T00:00:00.330Z");

        List<Long> waits = ScrapeSource.scraped(everySecond, targets, () -> now).stream()
                .map(target -> target.millisToWait(now)).sorted().toList();

        assertThat(waits).containsExactly(70L, 170L, 270L, 370L, 470L, 570L, 670L, 770L, 870L, 970L);
    }

    @Test
    void after_its_close_nobody_is_asked_any_more() {
        ScrapeSource source = scrape("/metrics");
        await().until(() -> service.asked() > 1);

        source.close();

        int asked = service.asked();
        await().during(INTERVAL.multipliedBy(3)).until(() -> service.asked() <= asked + 1);
        assertThat(source.health().state()).isEqualTo(SourceHealth.State.DEAD);
    }

    /** An answer that comes too late is lost, and its orders count with the next one. */
    private static void assertWhole(double answers) {
        assertThat(answers).isGreaterThan(0.9).isCloseTo(Math.rint(answers), within(1e-4));
    }

    private ScrapeSource scrape(String... paths) {
        return start(PROPERTIES, targets(paths));
    }

    private List<Target> targets(String... paths) {
        return List.of(paths).stream().map(path -> target(path, service.uri(path))).toList();
    }

    private ScrapeSource start(ScrapeProperties properties, List<Target> targets) {
        ScrapeSource source = ScrapeSource.start(properties, targets, translator, measured::addAll,
                metrics, InstantSource.system());
        sources.add(source);
        return source;
    }

    private List<GaugeMeasurement> of(String path) {
        return measured.stream().filter(it -> it.instanceId().equals(instanceId(path))).toList();
    }

    @SuppressWarnings("unchecked")
    private static Map<String, String> reasons(ScrapeSource source) {
        return (Map<String, String>) source.health().details().getOrDefault("reason", Map.of());
    }

    private static double seconds(GaugeMeasurement measurement) {
        return Duration.between(measurement.from(), measurement.to()).toNanos() / 1e9;
    }

    private static Target target(String path, URI uri) {
        return new Target(instanceId(path), 8080, false, Optional.of(uri), Optional.empty());
    }

    private static InstanceId instanceId(String path) {
        return new InstanceId("shop", path + ":8080");
    }
}
