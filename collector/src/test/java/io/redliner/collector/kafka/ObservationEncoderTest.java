// SPDX-License-Identifier: Apache-2.0
package io.redliner.collector.kafka;

import static org.assertj.core.api.Assertions.assertThat;

import io.redliner.collector.windowing.ClosedWindows;
import io.redliner.collector.windowing.DegradationReason;
import io.redliner.collector.windowing.RequestError;
import io.redliner.contract.v1.ErrorCount;
import io.redliner.contract.v1.Observation;
import io.redliner.contract.v1.Overdue;
import io.redliner.contract.v1.OwnLimit;
import io.redliner.contract.v1.OwnLimitKind;
import java.time.Instant;
import java.util.List;
import java.util.Set;
import org.HdrHistogram.Histogram;
import org.junit.jupiter.api.Test;

class ObservationEncoderTest {

    private static final Instant NOON = Instant.parse("2026-01-01T12:00:00Z");

    private final ObservationEncoder encoder = new ObservationEncoder("collector-1");

    @Test
    void everything_of_a_window_is_in_its_observation() throws Exception {
        Observation observation = encoder.encode(ClosedWindows.full(), List.of("r1"), List.of("web-1"));

        assertThat(observation).isEqualTo(Observation.newBuilder()
                .setService("shop").setInstance("10.0.0.1:80").setCollector("collector-1").setSequence(7)
                .setWindowStartMs(NOON.toEpochMilli()).setWindowLengthMs(100).setStarted(3).setCompleted(11)
                .addErrors(ErrorCount.newBuilder()
                        .setErrorClass(io.redliner.contract.v1.ErrorClass.ERROR_CLASS_TIMEOUT).setCount(1))
                .setInFlight(4)
                .addOverdue(Overdue.newBuilder().setLimitMicros(200_000).setNewlyOverdue(5).setSettled(6))
                .setProxies(2).setOutside(1).putGauges("cpu", 0.5).setCompletedRecords(3)
                .setCancelled(2).setStreams(9).setMissed(8)
                .addImpairments(io.redliner.contract.v1.Impairment.IMPAIRMENT_LAG)
                .setLatency(histogram(20_000, 90_000)).setFirstByte(histogram(9_000))
                .setUnanswered(histogram(7_000)).setSummary(true).addRedirectors("r1")
                .addOwnLimits(OwnLimit.newBuilder().setKind(OwnLimitKind.OWN_LIMIT_KIND_ROUTE_TIMEOUT)
                        .setValue(15_000).setEnded(12).setRequests(30))
                .setHistory(io.redliner.contract.v1.LatencyHistory.newBuilder()
                        .setStartMs(NOON.minusSeconds(2).toEpochMilli()).setPartLengthMs(1000).addRequests(30)
                        .addRequests(0).addLnMeans(9.5f).addLnMeans(0).addLnVariances(0.25f).addLnVariances(0))
                .addHosts("web-1").build());
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
            Observation observation = encoder.encode(ClosedWindows.failed(kind), List.of("r1"), List.of());

            assertThat(observation.getErrors(0).getErrorClass().name()).isEqualTo("ERROR_CLASS_" + kind);
            assertThat(observation.hasLatency()).isFalse();
        }
    }

    @Test
    void each_impairment_has_its_own_in_the_contract() {
        for (DegradationReason impairment : DegradationReason.values()) {
            Observation observation = encoder.encode(ClosedWindows.empty(Set.of(impairment)), List.of("r1"),
                    List.of());

            assertThat(observation.getImpairments(0).name()).isEqualTo("IMPAIRMENT_" + impairment);
        }
    }
}
