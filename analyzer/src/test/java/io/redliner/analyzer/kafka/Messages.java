// SPDX-License-Identifier: Apache-2.0
package io.redliner.analyzer.kafka;

import io.redliner.contract.histogram.Histograms;
import io.redliner.contract.v1.Limits;
import io.redliner.contract.v1.Observation;
import io.redliner.contract.v1.Rule;
import io.redliner.contract.v1.RunPhase;
import io.redliner.contract.v1.RunSpec;
import java.time.Duration;
import org.HdrHistogram.Histogram;

/** What the collector and the controller send. */
public final class Messages {

    public static final String SERVICE = "profile-be";

    public static final String SUT = "10.0.0.1:8080";

    public static final String PEER = "10.0.0.2:8080";

    private Messages() {}

    static ProcessorProperties properties() {
        return new ProcessorProperties(Duration.ofMillis(750), Duration.ofMillis(50), Duration.ofMillis(5),
                Duration.ofSeconds(1));
    }

    public static RunSpec.Builder run(RunPhase phase, long epoch) {
        return RunSpec.newBuilder().setService(SERVICE).setRunId("run-" + epoch).setEpoch(epoch).setSut(SUT)
                .setPhase(phase)
                .addSla(Rule.newBuilder().setName("latency").setExpression("latency.p99 <= duration('200ms')"))
                .addGuards(Rule.newBuilder().setName("fleet").setExpression("service.error_rate <= 0.01"))
                .setLimits(Limits.newBuilder().setMaxSharePpm(600_000).setMaxRaise(2)).setWindowLengthMs(1_000)
                .setNaturalSharePpm(500_000);
    }

    public static Observation.Builder observation(String instance, long sequence, long windowStartMillis, long requests,
            long millis) {
        var latency = new Histogram(3);
        latency.recordValueWithCount(millis * 1_000, requests);
        return Observation.newBuilder().setService(SERVICE).setInstance(instance).setCollector("collector-1")
                .setSequence(sequence).setWindowStartMs(windowStartMillis).setWindowLengthMs(1_000)
                .setStarted(requests).setCompleted(requests).setInFlight(3).setProxies(1)
                .setLatency(Histograms.encode(latency));
    }
}
