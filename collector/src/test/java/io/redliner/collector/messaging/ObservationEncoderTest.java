// SPDX-License-Identifier: Apache-2.0
package io.redliner.collector.messaging;

import static org.assertj.core.api.Assertions.assertThat;

import io.redliner.collector.window.ErrorClass;
import io.redliner.collector.window.OverdueCount;
import io.redliner.collector.window.SealedWindow;
import io.redliner.contract.v1.ErrorCount;
import io.redliner.contract.v1.Observation;
import io.redliner.contract.v1.Overdue;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Optional;
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

        Observation observation = encoder.encode(new SealedWindow("shop", "10.0.0.1:80", 7, NOON,
                Duration.ofMillis(100), 3, 2, Map.of(ErrorClass.TIMEOUT, 1L), Optional.of(latency), 4,
                List.of(new OverdueCount(Duration.ofMillis(200), 5, 6)), 2, 1));

        assertThat(observation.toBuilder().clearLatency().build()).isEqualTo(Observation.newBuilder()
                .setService("shop").setInstance("10.0.0.1:80").setCollector("collector-1").setSequence(7)
                .setWindowStartMs(NOON.toEpochMilli()).setWindowLengthMs(100).setStarted(3).setCompleted(2)
                .addErrors(ErrorCount.newBuilder()
                        .setErrorClass(io.redliner.contract.v1.ErrorClass.ERROR_CLASS_TIMEOUT).setCount(1))
                .setInFlight(4)
                .addOverdue(Overdue.newBuilder().setLimitMicros(200_000).setNewlyOverdue(5).setSettled(6))
                .setProxies(2).setOutside(1).build());
        Histogram decoded = Histogram
                .decodeFromCompressedByteBuffer(observation.getLatency().asReadOnlyByteBuffer(), 0);
        assertThat(decoded).isEqualTo(latency);
    }

    @Test
    void each_class_of_errors_has_its_own_in_the_contract() {
        for (ErrorClass kind : ErrorClass.values()) {
            Observation observation = encoder.encode(new SealedWindow("shop", "10.0.0.1:80", 7, NOON,
                    Duration.ofSeconds(1), 1, 1, Map.of(kind, 1L), Optional.empty(), 0, List.of(), 1, 0));

            assertThat(observation.getErrors(0).getErrorClass().name()).isEqualTo("ERROR_CLASS_" + kind);
            assertThat(observation.getLatency()).isEmpty();
        }
    }
}
