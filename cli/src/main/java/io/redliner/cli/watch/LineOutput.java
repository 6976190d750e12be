// SPDX-License-Identifier: Apache-2.0
package io.redliner.cli.watch;

import static io.redliner.cli.client.TerminalSafeText.number;
import static io.redliner.cli.client.TerminalSafeText.text;

import java.io.PrintWriter;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;

/**
 * Writes to a file, a pipe or a terminal that cannot move its cursor: a line for a change, at most one a second, and one after
 * five seconds without a change. A breach is never left out.
 */
public final class LineOutput implements RunOutput {

    /** Columns of a line about a window, and of all others where the terminal is not narrower. */
    static final int WIDTH = 120;

    private static final int MIN_COLUMNS_OF_REASON = 24;

    private static final Duration BETWEEN_CHANGES = Duration.ofSeconds(1);

    private static final Duration WITHOUT_CHANGE = Duration.ofSeconds(5);

    /** Phases in which windows are expected. In the others a missing window is normal. */
    private static final Set<String> WINDOWS_COME = Set.of("Baseline", "Ramping", "Confirming");

    private final PrintWriter out;

    private final TextLayout layout;

    private List<Object> before = List.of();

    private Instant lastLine = Instant.EPOCH;

    /** A change that came too soon after the last line; null when there is none. */
    private @Nullable String waiting;

    private boolean breachWaits;

    private boolean old;

    /** @param out gets the lines */
    public LineOutput(PrintWriter out) {
        this(out, TextLayout.ofStandardOutput());
    }

    LineOutput(PrintWriter out, TextLayout layout) {
        this.out = out;
        this.layout = layout.atMost(WIDTH);
    }

    @Override
    public void print(String line) {
        layout.wrap(line).forEach(out::println);
        out.flush();
    }

    @Override
    public void showDecision(JsonNode decision, FollowedRun run, Instant now) {
        List<Object> situation = run.situation();
        boolean breached = run.isBreached();
        if (!situation.equals(before) && (breached || !breachWaits)) {
            waiting = line(run, now);
            breachWaits = breached;
        }
        before = situation;
        printWhenDue(run, now);
    }

    private void printWhenDue(FollowedRun run, Instant now) {
        if (waiting == null && run.window().isObject() && !now.isBefore(lastLine.plus(WITHOUT_CHANGE))) {
            waiting = line(run, now);
        }
        if (waiting != null && !now.isBefore(lastLine.plus(BETWEEN_CHANGES))) {
            print(waiting);
            waiting = null;
            breachWaits = false;
            lastLine = now;
        }
    }

    private static String line(FollowedRun run, Instant now) {
        StringBuilder line = new StringBuilder(NumberFormatter.clock(run.elapsed(now))).append("  ")
                .append(run.phase());
        if (hasFigures(run)) {
            line.append("  share ").append(NumberFormatter.percent(number(run.window().path("shareMeasured"))))
                    .append("  ")
                    .append(run.requestsPerSecond()).append("  p99 ").append(run.p99Text())
                    .append(run.p99Limit() == null ? nearest(run) : "").append("  ")
                    .append(text(run.window().path("judgement")));
            String certainty = run.estimate().isMissingNode()
                    ? ""
                    : "  estimate " + NumberFormatter.shortInterval(run.estimate());
            appendHarm(run, WIDTH - line.length() - certainty.length(), line);
            line.append(certainty);
        }
        appendReason(run.reason(), line);
        return line.toString();
    }

    /** Returns false while a run is prepared and only windows without a request have come. */
    private static boolean hasFigures(FollowedRun run) {
        return run.window().isObject()
                && (run.window().path("shareMeasured").isNumber() || WINDOWS_COME.contains(run.phase()));
    }

    /** @param room in columns: without it the budget is left out first */
    private static void appendHarm(FollowedRun run, int room, StringBuilder line) {
        if (run.harm() <= 0) {
            return;
        }
        String harm = "  harm " + NumberFormatter.count(run.harm());
        Double allowed = number(run.view().at("/harm/allowed"));
        String ofAllowed = allowed == null ? harm : harm + " of " + NumberFormatter.count(allowed);
        line.append(ofAllowed.length() <= room ? ofAllowed : harm.length() <= room ? harm : "");
    }

    /** Appends the reason as far as there is room for words. */
    private static void appendReason(String reason, StringBuilder line) {
        int room = WIDTH - line.length() - 2;
        if (reason.isEmpty() || room < Math.min(reason.length(), MIN_COLUMNS_OF_REASON)) {
            return;
        }
        line.append("  ")
                .append(reason.length() <= room ? reason : reason.substring(0, room - 3).stripTrailing() + "...");
    }

    /** Returns the rule nearest to its threshold, for an SLA without a limit for the 99th percentile. */
    private static String nearest(FollowedRun run) {
        FollowedRun.Limit rule = run.nearest();
        return rule == null ? "" : "  " + rule.name() + " " + rule.text();
    }

    @Override
    public void draw(FollowedRun run, Instant now, @Nullable String problem, boolean asking) {
        boolean isOld = problem == null && run.isStale(now);
        if (isOld && !old && WINDOWS_COME.contains(run.phase())) {
            print("No new window; the last one is older than it should be");
        }
        old = isOld;
        if (!isOld && problem == null) {
            printWhenDue(run, now);
        }
    }

    @Override
    public void showEnd(JsonNode run) {
        if (waiting != null) {
            print(waiting);
        }
        RunFormatter.summary(run).forEach(this::print);
    }
}
