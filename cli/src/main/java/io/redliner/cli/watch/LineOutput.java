// SPDX-License-Identifier: Apache-2.0
package io.redliner.cli.watch;

import java.io.PrintWriter;
import java.time.Instant;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;

/** A file, a pipe or a terminal that cannot move its cursor: one line for each change. */
public final class LineOutput implements RunOutput {

    /** In the others, nothing is amiss when no window comes. */
    private static final Set<String> WINDOWS_COME = Set.of("Baseline", "Ramping", "Confirming");

    private final PrintWriter out;

    private List<Object> before = List.of();

    private boolean old;

    /** @param out gets the lines */
    public LineOutput(PrintWriter out) {
        this.out = out;
    }

    @Override
    public void say(String line) {
        out.println(line);
        out.flush();
    }

    @Override
    public void happened(JsonNode decision, FollowedRun run, Instant now) {
        List<Object> situation = run.situation();
        if (!situation.equals(before)) {
            before = situation;
            say(line(run, now));
        }
    }

    private static String line(FollowedRun run, Instant now) {
        StringBuilder line = new StringBuilder(NumberFormatter.clock(run.elapsed(now))).append("  ")
                .append(run.phase());
        if (run.hasWindow()) {
            Double limit = run.p99Limit();
            line.append("  share ").append(NumberFormatter.percent(run.measuredShare())).append(" (asked ")
                    .append(NumberFormatter.percent(run.askedShare())).append(")  ")
                    .append(NumberFormatter.count(run.requestsPerSecond())).append(" requests/s  p99 ")
                    .append(NumberFormatter.seconds(run.p99()))
                    .append(limit == null ? nearest(run) : " of " + NumberFormatter.seconds(limit))
                    .append("  ").append(run.judgement()).append("  harm ").append(NumberFormatter.count(run.harm()))
                    .append(run.harmAllowed() == null ? "" : " of " + NumberFormatter.count(run.harmAllowed()));
            FollowedRun.Estimate estimate = run.estimate();
            if (estimate != null) {
                line.append("  estimate ")
                        .append(NumberFormatter.interval(estimate.capacity(), estimate.low(), estimate.high()));
            }
        }
        return line.append(run.reason().isEmpty() ? "" : "  " + run.reason()).toString();
    }

    /** What the judgement follows from where the SLA has no limit for the 99th percentile. */
    private static String nearest(FollowedRun run) {
        FollowedRun.Limit rule = run.nearest();
        return rule == null ? "" : "  " + rule.name() + " " + rule.text();
    }

    @Override
    public void draw(FollowedRun run, Instant now, @Nullable String trouble, boolean asking) {
        boolean isOld = trouble == null && run.isStale(now);
        if (isOld && !old && WINDOWS_COME.contains(run.phase())) {
            say("No new window; the last one is older than it should be");
        }
        old = isOld;
    }

    @Override
    public void ended(JsonNode run) {
        RunSummary.of(run).forEach(this::say);
    }
}
