// SPDX-License-Identifier: Apache-2.0
package io.redliner.analyzer.validity;

import io.redliner.analyzer.bottleneck.NamedValue;
import io.redliner.analyzer.runstats.InstanceActivity;
import io.redliner.analyzer.runstats.RunStatistics;
import io.redliner.sla.MetricUnit;
import java.util.ArrayList;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.TreeMap;

/** Checks that the fleet did not change during the run, as by a deployment, autoscaling or ejection. */
final class FleetChecks {

    /** Seconds without a request that are no sign of a change. */
    private static final double SILENCE_TOLERANCE_SECONDS = 3;

    /** Missing requests, at an instance's usual rate, that are a sign of a change. */
    private static final double MISSED_REQUESTS = 20;

    private static final double SHARE_CHANGE = 0.01;

    private FleetChecks() {}

    static ValidityCheckResult unchanged(RunStatistics statistics, String sut) {
        if (statistics.instances().isEmpty()) {
            return ValidityCheckResult.unknown("fleet", "no instance was seen");
        }
        var changes = new ArrayList<String>();
        new TreeMap<>(statistics.instances()).forEach((address, activity) -> {
            // The search may take all load off the SUT.
            if (!address.equals(sut)) {
                change(address, activity, statistics.seconds()).ifPresent(changes::add);
            }
        });
        if (statistics.naturalShare().high() > statistics.naturalShare().low() * (1 + SHARE_CHANGE)) {
            changes.add(
                    "the natural share went from "
                            + NamedValue.format(statistics.naturalShare().low(), MetricUnit.RATIO)
                            + " to "
                            + NamedValue.format(statistics.naturalShare().high(), MetricUnit.RATIO));
        }
        if (statistics.uptime().restarts() > 0) {
            changes.add("the SUT was restarted");
        }
        return new ValidityCheckResult("fleet", changes.isEmpty() ? CheckStatus.OK : CheckStatus.INVALID,
                OptionalDouble.of(changes.size()), OptionalDouble.of(0), MetricUnit.COUNT,
                changes.isEmpty()
                        ? "the same " + statistics.instances().size() + " instances took requests all the time"
                        : "the fleet changed during the run: " + String.join("; ", changes.stream().limit(5).toList()));
    }

    private static Optional<String> change(String address, InstanceActivity activity, double seconds) {
        double active = Math.max(1, seconds - activity.firstSecond() - activity.longestSilentSeconds());
        double toleratedSeconds = Math.max(SILENCE_TOLERANCE_SECONDS, MISSED_REQUESTS * active / activity.requests());
        if (activity.firstSecond() > toleratedSeconds) {
            return Optional.of(address + " joined after " + Math.round(activity.firstSecond()) + " s");
        }
        if (activity.silentSeconds() > toleratedSeconds) {
            return Optional.of(address + " had got no request for the last "
                    + Math.round(activity.silentSeconds()) + " s");
        }
        return activity.longestSilentSeconds() > toleratedSeconds
                ? Optional.of(address + " got no request for "
                        + Math.round(activity.longestSilentSeconds()) + " s")
                : Optional.empty();
    }

    static ValidityCheckResult share(RunStatistics statistics) {
        double requested = statistics.blocks().stream().mapToDouble(block -> block.delivery().asked()).sum();
        long arrived = statistics.blocks().stream().mapToLong(block -> block.delivery().arrived()).sum();
        if (requested < 100) {
            return ValidityCheckResult.unknown("share",
                    "whether the load that was asked for arrived: it never stood still");
        }
        double deviation = arrived / requested - 1;
        double noise = 3 / Math.sqrt(requested);
        return ValidityCheckResult.atMost("share", Math.abs(deviation), 0.05 + noise, Double.POSITIVE_INFINITY,
                MetricUnit.RATIO,
                arrived + " requests arrived at the SUT where " + Math.round(requested) + " were asked for ("
                        + (deviation < 0 ? "" : "+") + NamedValue.format(deviation, MetricUnit.RATIO) + ")");
    }
}
