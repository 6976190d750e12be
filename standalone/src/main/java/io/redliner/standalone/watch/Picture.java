// SPDX-License-Identifier: Apache-2.0
package io.redliner.standalone.watch;

import io.redliner.standalone.watch.Piece.Tone;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * What a terminal shows of a run: a few lines that are drawn anew in place. Numbers of a window that is too old, or of a
 * connection that is lost, are dim and say so.
 *
 * @param width of the terminal in characters
 */
record Picture(Glyphs glyphs, int width) {

    private static final int LABEL = 10;

    private static final int NARROWEST_BAR = 8;

    private static final int WIDEST_BAR = 40;

    private static final double NEAR = 0.8;

    /** Bars leave room for what is written behind them. */
    private static final int BESIDE_BAR = 44;

    /**
     * Draws.
     *
     * @param now by the controller's clock
     * @param trouble why the connection is lost; null while it is not
     * @param below what stands below it: a question, or which keys there are
     */
    List<List<Piece>> draw(LiveRun run, Instant now, @Nullable String trouble, List<Piece> below) {
        boolean old = trouble != null || run.isStale(now);
        List<List<Piece>> lines = new ArrayList<>();
        lines.add(head(run, now));
        lines.add(List.of(new Piece(pad(run.phase()), Tone.STRONG), Piece.plain(run.reason())));
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

    private static List<Piece> head(LiveRun run, Instant now) {
        String limit = run.maxDuration().isZero() ? "" : " of " + Figures.clock(run.maxDuration()) + " at most";
        return List.of(new Piece(run.text("service"), Tone.STRONG),
                Piece.plain("  " + run.text("sut") + "  " + run.text("profile") + "  "
                        + Figures.clock(run.elapsed(now)) + limit),
                Piece.dim("  run " + run.text("id")));
    }

    private List<Piece> share(LiveRun run, boolean old) {
        Double measured = run.measuredShare();
        Double most = run.maxShare();
        double part = measured == null || most == null || most == 0 ? 0 : measured / most;
        return List.of(label("Share"), bar(part, old, Tone.PLAIN), value(old, "  " + Figures.percent(measured)
                + " measured, " + Figures.percent(run.askedShare()) + " asked, at most " + Figures.percent(most)));
    }

    private static String count(LiveRun run) {
        return Figures.count(run.requestsPerSecond()) + " requests/s of the service's "
                + Figures.count(run.serviceRequestsPerSecond());
    }

    private List<Piece> latency(LiveRun run, boolean old) {
        Double p99 = run.p99();
        Double limit = run.p99Limit();
        if (limit == null) {
            return List.of(label("p99"), value(old, Figures.seconds(p99) + ", no limit in the SLA"));
        }
        double part = p99 == null ? Double.NaN : p99 / limit;
        return List.of(label("p99"), bar(part, old, tone(part)),
                value(old, "  " + Figures.seconds(p99) + " of " + Figures.seconds(limit)));
    }

    /** Another rule that is nearer to its threshold than the percentile. */
    private void nearest(LiveRun run, boolean old, List<List<Piece>> lines) {
        LiveRun.Limit rule = run.nearest();
        Double p99 = run.p99();
        Double limit = run.p99Limit();
        double latency = p99 == null || limit == null ? 0 : p99 / limit;
        // What a rule has used up may be counted otherwise than by dividing; a hair is no other rule.
        if (rule != null && rule.used() > latency + 0.02) {
            lines.add(List.of(label(rule.name()), bar(rule.used(), old, tone(rule.used())),
                    value(old, "  " + Figures.value(rule.value(), rule.unit()) + " of "
                            + Figures.value(rule.threshold(), rule.unit()))));
        }
    }

    private List<Piece> harm(LiveRun run, boolean old) {
        Double allowed = run.harmAllowed();
        if (allowed == null || allowed <= 0) {
            return List.of(label("Harm"), value(old, Figures.count(run.harm()) + " requests"));
        }
        double part = run.harm() / allowed;
        return List.of(label("Harm"), bar(part, old, tone(part)), value(old, "  " + Figures.count(run.harm()) + " of "
                + Figures.count(allowed) + " requests that the budget allows"));
    }

    private List<Piece> sparkline(LiveRun run) {
        int columns = Math.max(NARROWEST_BAR, Math.min(60, width - LABEL - 30));
        List<Double> shown = run.p99s().subList(Math.max(0, run.p99s().size() - columns), run.p99s().size());
        double highest = shown.stream().filter(value -> !value.isNaN()).mapToDouble(Double::doubleValue).max()
                .orElse(0);
        Double limit = run.p99Limit();
        // The limit is the top, so that a full column is a broken limit.
        double top = limit == null ? highest : limit;
        return List.of(label("p99 then"), Piece.plain(glyphs.sparkline(shown, top, columns)),
                Piece.dim("  " + shown.size() + " windows, highest " + Figures.seconds(highest)));
    }

    private static List<Piece> estimate(LiveRun run, boolean old) {
        LiveRun.Estimate estimate = run.estimate();
        if (estimate == null) {
            return List.of(label("Estimate"), Piece.dim("none yet"));
        }
        return List.of(label("Estimate"), value(old, Figures.interval(estimate.capacity(), estimate.low(),
                estimate.high())
                + (estimate.limitingRule().isEmpty() ? "" : ", limited by " + estimate.limitingRule())));
    }

    private static List<Piece> freshness(LiveRun run, Instant now, @Nullable String trouble) {
        Duration age = run.age(now);
        String of = age == null ? "" : "the numbers are of " + Figures.clock(age) + " ago";
        if (trouble != null) {
            return List.of(new Piece("LOST  connecting again; " + (of.isEmpty() ? "" : of + "; ") + trouble, Tone.BAD));
        }
        if (run.isStale(now)) {
            return List.of(new Piece("OLD  no new window: " + of, Tone.WARNING));
        }
        return List.of();
    }

    private Piece bar(double part, boolean old, Tone tone) {
        int columns = Math.clamp((long) width - LABEL - BESIDE_BAR, NARROWEST_BAR, WIDEST_BAR);
        return new Piece(glyphs.bar(part, columns), old ? Tone.DIM : tone);
    }

    private static Piece value(boolean old, String text) {
        return new Piece(text, old ? Tone.DIM : Tone.PLAIN);
    }

    private static Tone tone(double part) {
        if (part > 1) {
            return Tone.BAD;
        }
        return part > NEAR ? Tone.WARNING : Tone.GOOD;
    }

    private static Piece label(String text) {
        return Piece.dim(pad(text));
    }

    private static String pad(String text) {
        return text.length() >= LABEL ? text + " " : text + " ".repeat(LABEL - text.length());
    }
}
