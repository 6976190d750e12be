// SPDX-License-Identifier: Apache-2.0
package io.redliner.collector.kafka;

import static org.assertj.core.api.Assertions.assertThat;

import io.redliner.collector.windowing.ClosedWindow;
import io.redliner.collector.windowing.DegradationReason;
import io.redliner.collector.windowing.InstanceId;
import io.redliner.collector.windowing.LatencyHistory;
import io.redliner.collector.windowing.OwnLimitEnds;
import io.redliner.collector.windowing.ProxyLimit;
import io.redliner.collector.windowing.OverdueCount;
import io.redliner.collector.windowing.RequestCounts;
import io.redliner.collector.windowing.RequestError;
import io.redliner.contract.v1.ErrorCount;
import io.redliner.contract.v1.Observation;
import io.redliner.contract.v1.Overdue;
import io.redliner.contract.v1.OwnLimit;
import io.redliner.contract.v1.OwnLimitKind;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.HdrHistogram.Histogram;
import org.junit.jupiter.api.Test;

class ObservationEncoderTest {

    private static final Instant NOON = Instant.parse("2026-01-01T12:00:00Z");

    private final ObservationEncoder encoder = new ObservationEncoder("collector-1");

    @Test
    void everything_of_a_window_is_in_its_observation() throws Exception {
        Histogram latency = new Histogram(3);
        latency.recordValue(20_000);
        latency.recordValue(90_000);
        Histogram firstByte = new Histogram(3);
        firstByte.recordValue(9_000);
        Histogram unanswered = new Histogram(3);
        unanswered.recordValue(7_000);

        Observation observation = encoder.encode(window(
                new RequestCounts(3, 1, 2, 1, Map.of(RequestError.TIMEOUT, 1L), Optional.of(latency),
                        Optional.of(firstByte), 2, Optional.of(unanswered), 9, 4,
                        List.of(new OverdueCount(Duration.ofMillis(200), 5, 6))),
                Set.of(DegradationReason.LAG)), List.of("r1"));

        assertThat(observation).isEqualTo(Observation.newBuilder()
                .setService("shop").setInstance("10.0.0.1:80").setCollector("collector-1").setSequence(7)
                .setWindowStartMs(NOON.toEpochMilli()).setWindowLengthMs(100).setStarted(3).setCompleted(2)
                .addErrors(ErrorCount.newBuilder()
                        .setErrorClass(io.redliner.contract.v1.ErrorClass.ERROR_CLASS_TIMEOUT).setCount(1))
                .setInFlight(4)
                .addOverdue(Overdue.newBuilder().setLimitMicros(200_000).setNewlyOverdue(5).setSettled(6))
                .setProxies(2).setOutside(1).putGauges("cpu", 0.5).setCompletedRecords(1)
                .setCancelled(2).setStreams(9).setMissed(8)
                .addImpairments(io.redliner.contract.v1.Impairment.IMPAIRMENT_LAG)
                .setLatency(histogram(20_000, 90_000)).setFirstByte(histogram(9_000))
                .setUnanswered(histogram(7_000)).setSummary(true).addRedirectors("r1")
                .addOwnLimits(OwnLimit.newBuilder().setKind(OwnLimitKind.OWN_LIMIT_KIND_ROUTE_TIMEOUT)
                        .setValue(15_000).setEnded(12).setRequests(30))
                .setHistory(io.redliner.contract.v1.LatencyHistory.newBuilder()
                        .setStartMs(NOON.minusSeconds(2).toEpochMilli()).setPartLengthMs(1000).addRequests(30)
                        .addRequests(0).addLnMeans(9.5f).addLnMeans(0).addLnVariances(0.25f).addLnVariances(0))
                .build());
    }

    /** Of values of up to 131 072, with a resolution of 64. */
    private static io.redliner.contract.v1.Histogram histogram(long... values) {
        var histogram = io.redliner.contract.v1.Histogram.newBuilder();
        long before = 0;
        for (long value : values) {
            long lowest = new Histogram(3).lowestEquivalentValue(value);
            histogram.addIncrements(lowest - before).addCounts(1);
            before = lowest;
        }
        return histogram.build();
    }

    @Test
    void each_class_of_errors_has_its_own_in_the_contract() {
        for (RequestError kind : RequestError.values()) {
            Observation observation = encoder.encode(window(
                    new RequestCounts(1, 0, 1, 1, Map.of(kind, 1L), Optional.empty(), Optional.empty(), 0,
                            Optional.empty(), 0, 0, List.of()),
                    Set.of()), List.of("r1"));

            assertThat(observation.getErrors(0).getErrorClass().name()).isEqualTo("ERROR_CLASS_" + kind);
            assertThat(observation.hasLatency()).isFalse();
        }
    }

    @Test
    void each_impairment_has_its_own_in_the_contract() {
        for (DegradationReason impairment : DegradationReason.values()) {
            Observation observation = encoder.encode(window(new RequestCounts(0, 0, 0, 0, Map.of(),
                    Optional.empty(), Optional.empty(), 0, Optional.empty(), 0, 0, List.of()), Set.of(impairment)),
                    List.of("r1"));

            assertThat(observation.getImpairments(0).name()).isEqualTo("IMPAIRMENT_" + impairment);
        }
    }

    private static ClosedWindow window(RequestCounts requests, Set<DegradationReason> impairments) {
        return new ClosedWindow(new InstanceId("shop", "10.0.0.1:80"), 7, NOON, Duration.ofMillis(100), requests,
                Map.of("cpu", 0.5), 2, 8, true, impairments,
                List.of(new OwnLimitEnds(ProxyLimit.ROUTE_TIMEOUT, 15_000, 12, 30)),
                Optional.of(new LatencyHistory(NOON.minusSeconds(2), Duration.ofSeconds(1),
                        List.of(new LatencyHistory.Part(30, 9.5, 0.25), new LatencyHistory.Part(0, 0, 0)))));
    }
}
