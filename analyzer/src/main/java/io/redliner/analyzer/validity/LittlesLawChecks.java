// SPDX-License-Identifier: Apache-2.0
package io.redliner.analyzer.validity;

import io.redliner.analyzer.bottleneck.NamedValue;
import io.redliner.analyzer.runstats.LoadSegment;
import io.redliner.analyzer.runstats.RunStatistics;
import io.redliner.sla.MetricUnit;
import java.util.List;
import java.util.function.ToDoubleFunction;

/**
 * Checks Little's law (Little 1961), which holds for any measured system: requests in flight = rate x mean latency. It breaks when
 * requests are lost, counted twice or timed wrongly, or wait where the proxy does not count them as in flight.
 */
final class LittlesLawChecks {

    private static final double TOLERANCE = 0.03;

    private static final double BROKEN = 0.1;

    /** Time in the proxy before a request is in flight and after its answer; it is not measured separately. */
    private static final double PROXY_SECONDS = 0.001;

    /** Tolerated standard errors: one run in some hundreds becomes doubtful by chance. */
    private static final double ERRORS = 3;

    private static final int MIN_BLOCKS = 4;

    private LittlesLawChecks() {}

    static ValidityCheckResult littlesLaw(RunStatistics statistics) {
        return agreement("littles-law", statistics, block -> block.sut().inFlight().sum(),
                block -> block.sut().inFlight().snapshots() * block.sut().requestsPerSecond()
                        * block.sut().meanLatency(),
                "requests in flight against rate x mean latency");
    }

    static ValidityCheckResult throughput(RunStatistics statistics) {
        return agreement("throughput", statistics, block -> block.sut().timed(),
                block -> block.sut().seconds() * block.sut().inFlight().mean() / block.sut().meanLatency(),
                "requests that ended against requests in flight / mean latency");
    }

    private static ValidityCheckResult agreement(String name, RunStatistics statistics,
            ToDoubleFunction<LoadSegment> one,
            ToDoubleFunction<LoadSegment> other, String what) {
        List<LoadSegment> blocks = statistics.blocks().stream()
                .filter(block -> block.sut().meanLatency() > 0 && block.sut().inFlight().sum() > 0
                        && other.applyAsDouble(
                                block) > 0)
                .toList();
        double first = blocks.stream().mapToDouble(one).sum();
        double second = blocks.stream().mapToDouble(other).sum();
        if (blocks.size() < MIN_BLOCKS || !(first > 0) || !(second > 0)) {
            return ValidityCheckResult.unknown(name, what + ": too little was seen");
        }
        double deviation = first / second - 1;
        // The scatter is computed over blocks of windows, because neighbouring windows are correlated.
        double scatter = Math.sqrt(blocks.stream().mapToDouble(block -> {
            double residual = one.applyAsDouble(block) - (1 + deviation) * other.applyAsDouble(block);
            return residual * residual;
        }).sum()) / second;
        double inFlight = statistics.sut().inFlight().sum();
        double noise = ERRORS * Math.max(scatter, 1 / Math.sqrt(Math.max(1, inFlight)));
        double proxy = PROXY_SECONDS / statistics.sut().meanLatency();
        return ValidityCheckResult.atMost(name, Math.abs(deviation), TOLERANCE + noise + proxy, BROKEN + noise + proxy,
                MetricUnit.RATIO,
                what + ": " + (deviation < 0 ? "" : "+") + NamedValue.format(deviation, MetricUnit.RATIO)
                        + ", of which " + NamedValue.format(noise, MetricUnit.RATIO) + " can be chance and "
                        + NamedValue.format(proxy, MetricUnit.RATIO) + " the proxy");
    }
}
