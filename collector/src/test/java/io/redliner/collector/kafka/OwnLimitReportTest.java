// SPDX-License-Identifier: Apache-2.0
package io.redliner.collector.kafka;

import static org.assertj.core.api.Assertions.assertThat;

import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import io.redliner.collector.source.InstanceRegistry;
import io.redliner.collector.windowing.OwnLimits.ProxyLimit;
import io.redliner.collector.windowing.RequestRecord;
import io.redliner.collector.windowing.RequestRecordStream;
import io.redliner.collector.windowing.RunWindowSettings;
import io.redliner.collector.windowing.TestedWindows;
import io.redliner.collector.windowing.WindowAggregator;
import io.redliner.collector.windowing.WindowSettings;
import io.redliner.contract.v1.ErrorStatuses;
import io.redliner.contract.v1.LeaseStatus;
import io.redliner.contract.v1.OwnLimits;
import io.redliner.contract.v1.ProxyStatus;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

class OwnLimitReportTest {

    private static final Instant NOON = Instant.parse("2026-01-01T12:00:00Z");

    private final WindowAggregator windows = TestedWindows.of(WindowSettings.DEFAULT);

    private final LeaseStatusHandler statuses = new LeaseStatusHandler(windows, new InstanceRegistry(List.of()),
            new SimpleMeterRegistry());

    private final RequestRecordStream stream = windows.open("shop", "node-1", NOON);

    private final OwnLimitReport report = new OwnLimitReport(windows);

    private final List<String> lines = new ArrayList<>();

    OwnLimitReportTest() {
        report.listen(lines::add);
    }

    private void chosenHere(long routeTimeoutMillis, Instant at) {
        statuses.apply("shop", LeaseStatus.newBuilder().setService("shop").setErrors(ErrorStatuses.getDefaultInstance())
                .addProxies(ProxyStatus.newBuilder().setNode("node-1"))
                .setOwnLimits(OwnLimits.newBuilder().setRouteTimeoutMs(routeTimeoutMillis)).build().toByteArray(), at);
    }

    private void timedOut(int requests, Instant at) {
        for (int number = 0; number < requests; number++) {
            windows.accept(stream, List.of(new RequestRecord().end("", "10.0.0.1:80", at.toEpochMilli() * 1_000, 1)
                    .limited(ProxyLimit.ROUTE_TIMEOUT)), at);
        }
        report.report(at);
    }

    @Test
    void a_limit_that_matters_is_reported_once_and_again_when_it_was_over() {
        chosenHere(15_000, NOON);
        timedOut(2, NOON);
        assertThat(lines).as("exceptions").isEmpty();

        timedOut(1, NOON.plusSeconds(1));
        timedOut(5, NOON.plusSeconds(2));
        assertThat(lines)
                .containsExactly("RedLiner's own route timeout of 15s ended 100% of the requests of shop (3 of 3):"
                        + " set 'timeout' of the service in the services file, 0s for none");

        report.report(NOON.plusSeconds(90));
        timedOut(3, NOON.plusSeconds(91));
        assertThat(lines).hasSize(2);
    }

    @Test
    void runs_that_come_and_go_change_nothing() {
        chosenHere(15_000, NOON);
        Instant at = NOON;
        for (int run = 0; run < 3; run++) {
            timedOut(3, at);
            windows.run("shop", new RunWindowSettings(Duration.ofSeconds(1), List.of()), at);
            for (int second = 0; second < 100; second += 20) {
                at = at.plusSeconds(20);
                timedOut(1, at);
            }
            windows.noRun("shop", at);
            report.report(at);
            at = at.plusSeconds(20);
            report.report(at);
        }
        assertThat(lines).hasSize(1);
    }

    @Test
    void another_value_of_the_limit_is_another_state() {
        chosenHere(15_000, NOON);
        timedOut(3, NOON);
        chosenHere(5_000, NOON.plusSeconds(1));
        timedOut(3, NOON.plusSeconds(2));
        chosenHere(15_000, NOON.plusSeconds(3));
        timedOut(3, NOON.plusSeconds(4));

        assertThat(lines).hasSize(2);
        assertThat(lines.getLast()).contains("route timeout of 5s");
    }

    @Test
    void the_owners_own_timeout_is_not_reported() {
        chosenHere(0, NOON);
        timedOut(20, NOON);
        assertThat(lines).isEmpty();
    }

    @Test
    void a_limit_that_no_redirector_chooses_is_none() {
        chosenHere(Long.MAX_VALUE, NOON);
        timedOut(20, NOON);
        assertThat(lines).isEmpty();
    }
}
