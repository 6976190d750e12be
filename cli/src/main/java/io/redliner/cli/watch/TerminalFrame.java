// SPDX-License-Identifier: Apache-2.0
package io.redliner.cli.watch;

import io.redliner.cli.watch.StyledText.Tone;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Draws a run on a terminal: a few lines that are redrawn in place. Numbers of a window that is too old, or of a connection that
 * is lost, are dim and marked as such.
 *
 * @param width of the terminal in characters
 */
record TerminalFrame(TerminalSymbols glyphs, int width) {

    private static final int LABEL = 10;

    private static final int MIN_BAR = 8;

    private static final int MAX_BAR = 40;

    private static final double NEAR = 0.8;

    /** Columns to the right of a bar that stay free for its text. */
    private static final int BESIDE_BAR = 44;

    /**
     * Draws the run.
     *
     * @param now by the controller's clock
     * @param trouble why the connection is lost; null while it is not
     * @param below the last line: a question, or which keys there are
     */
    List<List<StyledText>> draw(FollowedRun run, Instant now, @Nullable String trouble, List<StyledText> below) {
        boolean old = trouble != null || run.isStale(now);
        List<List<StyledText>> lines = new ArrayList<>();
        lines.add(head(run, now));
        lines.add(List.of(new StyledText(pad(run.phase()), Tone.STRONG), StyledText.plain(run.reason())));
        if (run.hasWindow()) {
            lines.add(share(run, old));
            lines.add(List.of(label("Requests"), value(old, count(run))));
            lines.add(latency(run, old));
            nearest(run, old, lines);
            lines.add(harm(run, old));
            lines.add(sparkline(run));
            lines.add(estimate(run, old));
        }
        lines.add(freshness(run, now, trouble));
        lines.add(below);
        return lines;
    }

    private static List<StyledText> head(FollowedRun run, Instant now) {
        String limit = run.maxDuration().isZero() ? "" : " of " + NumberFormatter.clock(run.maxDuration()) + " at most";
        return List.of(new StyledText(run.text("service"), Tone.STRONG),
                StyledText.plain("  " + run.text("sut") + "  " + run.text("profile") + "  "
                        + NumberFormatter.clock(run.elapsed(now)) + limit),
                StyledText.dim("  run " + run.text("id")));
    }

    private List<StyledText> share(FollowedRun run, boolean old) {
        Double measured = run.measuredShare();
        Double most = run.maxShare();
        double part = measured == null || most == null || most == 0 ? 0 : measured / most;
        return List.of(label("Share"), bar(part, old, Tone.PLAIN), value(old, "  " + NumberFormatter.percent(measured)
                + " measured, " + NumberFormatter.percent(run.askedShare()) + " asked, at most "
                + NumberFormatter.percent(most)));
    }

    private static String count(FollowedRun run) {
        return NumberFormatter.count(run.requestsPerSecond()) + " requests/s of the service's "
                + NumberFormatter.count(run.serviceRequestsPerSecond());
    }

    private List<StyledText> latency(FollowedRun run, boolean old) {
        Double p99 = run.p99();
        Double limit = run.p99Limit();
        if (limit == null) {
            return List.of(label("p99"), value(old, run.p99Text() + ", no limit in the SLA"));
        }
        double part = p99 == null ? Double.NaN : p99 / limit;
        return List.of(label("p99"), bar(part, old, tone(part)),
                value(old, "  " + run.p99Text()));
    }

    /** Adds another rule that is nearer to its threshold than the percentile. */
    private void nearest(FollowedRun run, boolean old, List<List<StyledText>> lines) {
        FollowedRun.Limit rule = run.nearest();
        Double p99 = run.p99();
        Double limit = run.p99Limit();
        double latency = p99 == null || limit == null ? 0 : p99 / limit;
        // What a rule has used up may be counted otherwise than by dividing; a hair is no other rule.
        if (rule != null && rule.used() > latency + 0.02) {
            lines.add(List.of(label(rule.name()), bar(rule.used(), old, tone(rule.used())),
                    value(old, "  " + rule.text())));
        }
    }

    private List<StyledText> harm(FollowedRun run, boolean old) {
        Double allowed = run.harmAllowed();
        if (allowed == null || allowed <= 0) {
            return List.of(label("Harm"), value(old, NumberFormatter.count(run.harm()) + " requests"));
        }
        double part = run.harm() / allowed;
        return List.of(label("Harm"), bar(part, old, tone(part)),
                value(old, "  " + NumberFormatter.count(run.harm()) + " of "
                        + NumberFormatter.count(allowed) + " requests that the budget allows"));
    }

    private List<StyledText> sparkline(FollowedRun run) {
        int columns = Math.max(MIN_BAR, Math.min(60, width - LABEL - 30));
        List<Double> shown = run.p99s().subList(Math.max(0, run.p99s().size() - columns), run.p99s().size());
        double highest = shown.stream().filter(value -> !value.isNaN()).mapToDouble(Double::doubleValue).max()
                .orElse(0);
        Double limit = run.p99Limit();
        // The limit is the top, so that a full column is a broken limit.
        double top = limit == null ? highest : limit;
        return List.of(label("p99 then"), StyledText.plain(glyphs.sparkline(shown, top, columns)),
                StyledText.dim("  " + shown.size() + " windows, highest " + NumberFormatter.seconds(highest)));
    }

    private static List<StyledText> estimate(FollowedRun run, boolean old) {
        FollowedRun.Estimate estimate = run.estimate();
        if (estimate == null) {
            return List.of(label("Estimate"), StyledText.dim("none yet"));
        }
        return List.of(label("Estimate"), value(old, NumberFormatter.interval(estimate.capacity(), estimate.low(),
                estimate.high())
                + (estimate.limitingRule().isEmpty() ? "" : ", limited by " + estimate.limitingRule())));
    }

    private static List<StyledText> freshness(FollowedRun run, Instant now, @Nullable String trouble) {
        Duration age = run.age(now);
        String of = age == null ? "" : "the numbers are of " + NumberFormatter.clock(age) + " ago";
        if (trouble != null) {
            return List.of(
                    new StyledText("LOST  connecting again; " + (of.isEmpty() ? "" : of + "; ") + trouble, Tone.BAD));
        }
        if (run.isStale(now)) {
            return List.of(new StyledText("OLD  no new window: " + of, Tone.WARNING));
        }
        return List.of();
    }

    private StyledText bar(double part, boolean old, Tone tone) {
        int columns = Math.clamp((long) width - LABEL - BESIDE_BAR, MIN_BAR, MAX_BAR);
        return new StyledText(glyphs.bar(part, columns), old ? Tone.DIM : tone);
    }

    private static StyledText value(boolean old, String text) {
        return new StyledText(text, old ? Tone.DIM : Tone.PLAIN);
    }

    private static Tone tone(double part) {
        if (part > 1) {
            return Tone.BAD;
        }
        return part > NEAR ? Tone.WARNING : Tone.GOOD;
    }

    private static StyledText label(String text) {
        return StyledText.dim(pad(text));
    }

    private static String pad(String text) {
        return text.length() >= LABEL ? text + " " : text + " ".repeat(LABEL - text.length());
    }
}
