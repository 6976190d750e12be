// SPDX-License-Identifier: Apache-2.0
package io.redliner.collector.windowing;

import static org.assertj.core.api.Assertions.assertThat;

import io.redliner.collector.windowing.OwnLimits.OwnLimitEnds;
import io.redliner.collector.windowing.OwnLimits.ProxyLimit;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Requests that a limit of the proxies ended, which RedLiner chose and the service's owner did not. */
class OwnLimitsTest {

    private static final Instant NOON = Instant.parse("2026-01-01T12:00:00Z");

    private static final String SUT = "10.0.0.1:80";

    private static final String PEER = "10.0.0.2:80";

    private static final OwnLimits LIMITS = new OwnLimits(
            Map.of(ProxyLimit.ROUTE_TIMEOUT, 15_000L, ProxyLimit.CIRCUIT_BREAKER, 10_000L));

    private final WindowAggregator windows = TestedWindows.of(WindowSettings.DEFAULT);

    private final RequestRecordStream stream = windows.open("shop", "node-1", NOON);

    @BeforeEach
    void nobodyChoseTheLimits() {
        limitBy(LIMITS);
    }

    private void limitBy(OwnLimits limits) {
        windows.classifyBy("shop", new RequestClassifier(ErrorStatuses.DEFAULT, List.of(), limits));
    }

    private static RequestRecord ended(String instance, Instant at) {
        return new RequestRecord().end("", instance, at.toEpochMilli() * 1_000, 15_000_000).status(504);
    }

    private void accept(RequestRecord end, Instant at) {
        windows.accept(stream, List.of(end), at);
    }

    private List<OwnLimitEnds> limits(Instant at) {
        return windows.ownLimits(at).getOrDefault("shop", List.of());
    }

    @Test
    void they_are_counted_for_each_instance_whether_or_not_there_is_a_run_and_are_errors_all_the_same() {
        accept(ended(SUT, NOON).limited(ProxyLimit.ROUTE_TIMEOUT).failed(RequestError.TIMEOUT).timeout(15_000_000),
                NOON);
        accept(ended(SUT, NOON), NOON);
        accept(ended(PEER, NOON).status(200), NOON);

        assertThat(limits(NOON)).containsExactly(new OwnLimitEnds(ProxyLimit.ROUTE_TIMEOUT, 15_000, 1, 3));
        List<WindowCounts> closed = windows.closeDue(NOON.plusSeconds(3));
        assertThat(closed).filteredOn(window -> window.instance().equals(SUT)).first().satisfies(window -> {
            assertThat(window.ownLimits())
                    .containsExactly(new OwnLimitEnds(ProxyLimit.ROUTE_TIMEOUT, 15_000, 1, 2));
            assertThat(window.errors()).isEqualTo(Map.of(RequestError.TIMEOUT, 1L, RequestError.SERVER, 1L));
        });
        assertThat(closed).filteredOn(window -> window.instance().equals(PEER)).first().satisfies(
                window -> assertThat(window.ownLimits()).as("the sums are of all instances")
                        .containsExactly(new OwnLimitEnds(ProxyLimit.ROUTE_TIMEOUT, 15_000, 0, 1)));
    }

    @Test
    void a_limit_that_the_owner_or_a_client_chose_is_none_of_them() {
        accept(ended(SUT, NOON).limited(ProxyLimit.IDLE_TIMEOUT), NOON);
        accept(ended(SUT, NOON).limited(ProxyLimit.ROUTE_TIMEOUT).timeout(2_000_000), NOON);
        accept(ended(SUT, NOON), NOON);

        assertThat(limits(NOON)).isEmpty();
        accept(ended(SUT, NOON).limited(ProxyLimit.CIRCUIT_BREAKER).timeout(2_000_000), NOON);
        assertThat(limits(NOON)).containsExactly(new OwnLimitEnds(ProxyLimit.CIRCUIT_BREAKER, 10_000, 1, 4));
    }

    @Test
    void they_are_forgotten_after_a_minute_and_when_the_owner_chooses_a_limit() {
        accept(ended(SUT, NOON).limited(ProxyLimit.ROUTE_TIMEOUT), NOON);
        assertThat(limits(NOON.plusSeconds(29))).hasSize(1);
        assertThat(limits(NOON.plusSeconds(59))).hasSize(1);
        assertThat(limits(NOON.plusSeconds(60))).isEmpty();

        accept(ended(SUT, NOON).limited(ProxyLimit.ROUTE_TIMEOUT), NOON.plusSeconds(61));
        assertThat(limits(NOON.plusSeconds(61))).hasSize(1);
        limitBy(OwnLimits.NONE);
        assertThat(limits(NOON.plusSeconds(62))).isEmpty();
    }

    @Test
    void a_run_that_ends_leaves_none_behind_for_the_next_one() {
        windows.run("shop", new RunWindowSettings(Duration.ofSeconds(1), List.of()), NOON);
        accept(ended(SUT, NOON).limited(ProxyLimit.ROUTE_TIMEOUT), NOON.plusSeconds(1));
        assertThat(limits(NOON.plusSeconds(1))).hasSize(1);

        windows.noRun("shop", NOON.plusSeconds(2));

        assertThat(limits(NOON.plusSeconds(2))).isEmpty();
    }
}
