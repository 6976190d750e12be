// SPDX-License-Identifier: Apache-2.0
package io.redliner.analyzer.validity;

import io.redliner.analyzer.bottleneck.NamedValue;
import io.redliner.analyzer.runstats.LoadSegment;
import io.redliner.analyzer.runstats.RunStatistics;
import io.redliner.analyzer.runstats.TrafficStats;
import io.redliner.analyzer.search.NoiseAccount;
import io.redliner.analyzer.search.SearchState;
import io.redliner.sla.MetricUnit;
import java.util.List;
import java.util.Optional;
import java.util.OptionalDouble;
import org.apache.commons.math3.stat.descriptive.SummaryStatistics;
import org.apache.commons.math3.stat.regression.SimpleRegression;

/**
 * Checks on the SUT's peers. Load that moves from the peers to the SUT should make them faster. When they get slower or fail as the
 * SUT's load grows, a shared resource is the limit, and the run has not measured one instance's capacity.
 */
final class PeerChecks {

    private static final int MIN_BLOCKS = 5;

    /** Part of the time with noise that was cut out. With more, some noise that was not detected is likely in the rest. */
    private static final double MAX_CUT = 0.15;

    /** The same beside peers that are often slow by themselves. */
    private static final double MAX_CUT_BY_ILL_PEERS = 0.1;

    /** Part of the time that counts in which all peers were somewhat slower. It is lower with quiet peers. */
    private static final double MAX_SLOWER = 0.05;

    private PeerChecks() {}

    static ValidityCheckResult latency(RunStatistics statistics) {
        var blocks = statistics.blocks().stream().filter(block -> block.peers().meanLatency() > 0).toList();
        var regression = new SimpleRegression();
        blocks.forEach(block -> regression.addData(block.sut().requestsPerSecond(), block.peers().meanLatency()));
        if (blocks.size() < MIN_BLOCKS || !Double.isFinite(regression.getSlope())
                || !Double.isFinite(regression.getSlopeStdErr())) {
            return ValidityCheckResult.unknown("peers-latency",
                    "whether the peers' latency moved with the SUT: too little was seen of them");
        }
        double low = blocks.stream().mapToDouble(block -> block.sut().requestsPerSecond()).min().orElse(0);
        double high = blocks.stream().mapToDouble(block -> block.sut().requestsPerSecond()).max().orElse(0);
        double before = Math.max(1e-9, regression.predict(low));
        // The lower end of the slope's interval, so that chance does not count.
        double certainPart = Math.max(0, regression.getSlope() - 3 * regression.getSlopeStdErr());
        double growth = certainPart * (high - low) / before;
        return ValidityCheckResult.atMost("peers-latency", growth, 0.1, 0.5, MetricUnit.RATIO,
                "the peers' mean latency went from " + NamedValue.format(before, MetricUnit.SECONDS) + " to "
                        + NamedValue.format(regression.predict(high), MetricUnit.SECONDS) + " as the SUT went from "
                        + NamedValue.format(low, MetricUnit.COUNT) + " to "
                        + NamedValue.format(high, MetricUnit.REQUESTS_PER_SECOND)
                        + "; at least " + NamedValue.format(growth, MetricUnit.RATIO) + " growth is beyond chance");
    }

    static ValidityCheckResult errors(RunStatistics statistics) {
        double middle = statistics.blocks().stream().mapToDouble(block -> block.sut().requestsPerSecond()).sorted()
                .skip(statistics.blocks().size() / 2).findFirst().orElse(0);
        var lessLoadedBlocks = statistics.blocks().stream().filter(block -> block.sut().requestsPerSecond() < middle)
                .toList();
        var loadedBlocks = statistics.blocks().stream().filter(block -> block.sut().requestsPerSecond() >= middle)
                .toList();
        var lessLoaded = together(lessLoadedBlocks);
        var loaded = together(loadedBlocks);
        if (lessLoaded.completed() == 0 || loaded.completed() == 0) {
            return ValidityCheckResult.unknown("peers-errors",
                    "whether the peers' errors moved with the SUT: too little was seen of them");
        }
        double difference = loaded.errorRatio() - lessLoaded.errorRatio();
        // One more error on either side, so that a count of 0 is not taken as exact.
        double counted = (loaded.errors() + 1.0) / loaded.completed() / loaded.completed()
                + (lessLoaded.errors() + 1.0) / lessLoaded.completed() / lessLoaded.completed();
        // An unhealthy peer fails in bursts, so the variance between blocks counts as chance as well.
        double noise = Math.sqrt(Math.max(counted, varianceOfMean(lessLoadedBlocks) + varianceOfMean(loadedBlocks)));
        double certainPart = Math.max(0, difference - 3 * noise);
        return ValidityCheckResult.atMost("peers-errors", certainPart, 0.001, 0.01, MetricUnit.RATIO,
                "the peers failed " + NamedValue.format(lessLoaded.errorRatio(), MetricUnit.RATIO)
                        + " of their requests while the SUT had less load and "
                        + NamedValue.format(loaded.errorRatio(), MetricUnit.RATIO) + " while it had more; "
                        + NamedValue.format(certainPart, MetricUnit.RATIO) + " more is beyond chance");
    }

    /** Checks that breaches are the SUT's own: a breach that the peers share is not caused by the SUT's limit. */
    static ValidityCheckResult breaches(RunStatistics statistics) {
        int broken = statistics.blocks().stream().mapToInt(block -> block.breachedWindows().all()).sum();
        int shared = statistics.blocks().stream().mapToInt(block -> block.breachedWindows().shared()).sum();
        if (statistics.blocks().stream().allMatch(block -> block.peers().completed() == 0)) {
            return ValidityCheckResult.unknown("peers-breaches",
                    "whether the peers broke the SLA with the SUT: nothing was seen of them");
        }
        String message = "in " + shared + " of " + broken
                + " windows that broke the SLA at the SUT it was broken at its peers, too";
        double part = broken == 0 ? 0 : (double) shared / broken;
        // One or two windows are no pattern.
        double doubtful = Math.max(1 / 3.0, 1.5 / Math.max(1, broken));
        double invalid = Math.max(2 / 3.0, 3.5 / Math.max(1, broken));
        return doubtful < 1
                ? ValidityCheckResult.atMost("peers-breaches", part, doubtful, invalid, MetricUnit.RATIO, message)
                : new ValidityCheckResult("peers-breaches", CheckStatus.OK, OptionalDouble.of(part),
                        OptionalDouble.empty(), MetricUnit.RATIO, message);
    }

    /**
     * Checks for noise that slows all instances, such as stolen CPU time, a paused proxy or a slow dependency. The search leaves
     * out windows with strong noise; weak noise lowers its answer.
     */
    static ValidityCheckResult noise(SearchState search, RunStatistics statistics, String sut) {
        Optional<NoiseAccount> noiseAccount = search.noise();
        if (noiseAccount.isEmpty()) {
            return ValidityCheckResult.unknown("noise", withoutControl(statistics, sut));
        }
        if (search.besideNeighbours()) {
            return neighbours(noiseAccount.get(), search.noisyPeers().replace("peers", "instances"));
        }
        double cut = noiseAccount.get().cutPart();
        double slower = Double.isNaN(noiseAccount.get().slowerPart()) ? 0 : noiseAccount.get().slowerPart();
        double maxCut = search.peersAreIll() ? MAX_CUT_BY_ILL_PEERS : MAX_CUT;
        String leftOut = cut > 0
                ? NamedValue.format(cut, MetricUnit.RATIO) + " of the time was left out, "
                        + NoiseAccount.whyLeftOut(search.noisyPeers()) + "; they ran"
                : "no time was left out; " + search.noisyPeers() + " ran";
        String message = leftOut + " somewhat slower than usual for " + NamedValue.format(slower, MetricUnit.RATIO)
                + " of the rest"
                + (search.peersAreIll()
                        ? "; half of them or more were often slow alone, too, and are a poor control"
                        : "")
                + (cut > maxCut || slower > MAX_SLOWER ? ": the capacity may be too low" : "");
        return ValidityCheckResult.atMost("noise", cut, maxCut, Double.POSITIVE_INFINITY, MetricUnit.RATIO, message)
                .worse(ValidityCheckResult.atMost("noise", slower, MAX_SLOWER, Double.POSITIVE_INFINITY,
                        MetricUnit.RATIO, message));
    }

    /** Reports noise that counts. The number is right beside such neighbours only, so it is always doubtful. */
    private static ValidityCheckResult neighbours(NoiseAccount noiseAccount, String noisyInstances) {
        double part = noiseAccount.episodes().part();
        return ValidityCheckResult.atMost("neighbours", part, 0, Double.POSITIVE_INFINITY, MetricUnit.RATIO,
                "capacity beside neighbours that slow " + noisyInstances + " for "
                        + NamedValue.format(part, MetricUnit.RATIO)
                        + " of the time; without them it is higher");
    }

    /** Returns why nothing shows what affected all instances. */
    static String withoutControl(RunStatistics statistics, String sut) {
        long peers = statistics.instances().keySet().stream().filter(address -> !address.equals(sut)).count();
        return peers == 0
                ? "there is no peer to compare the SUT with"
                : "no peer was watched for 50 s, to compare the SUT with";
    }

    private static double varianceOfMean(List<LoadSegment> blocks) {
        var ratios = new SummaryStatistics();
        blocks.stream().filter(block -> block.peers().completed() > 0)
                .forEach(block -> ratios.addValue(block.peers().errorRatio()));
        return ratios.getN() < 2 ? 0 : ratios.getVariance() / ratios.getN();
    }

    private static TrafficStats together(List<LoadSegment> blocks) {
        return blocks.stream().map(LoadSegment::peers).reduce(TrafficStats.NONE, TrafficStats::plus);
    }
}
