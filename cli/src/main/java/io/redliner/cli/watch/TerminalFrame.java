// SPDX-License-Identifier: Apache-2.0
package io.redliner.cli.watch;

import static io.redliner.cli.client.TerminalSafeText.number;
import static io.redliner.cli.client.TerminalSafeText.text;

import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import org.jline.utils.AttributedString;
import org.jline.utils.AttributedStringBuilder;
import org.jline.utils.AttributedStyle;
import org.jspecify.annotations.Nullable;

/**
 * Draws a run on a terminal: a few lines that are redrawn in place. Numbers of a window that is too old, or of a connection that
 * is lost, are dim and marked as such.
 *
 * @param width of the terminal in characters
 */
record TerminalFrame(Symbols symbols, int width) {

    static final AttributedStyle DIM = AttributedStyle.DEFAULT.faint();

    static final AttributedStyle STRONG = AttributedStyle.BOLD;

    static final AttributedStyle GOOD = AttributedStyle.DEFAULT.foreground(AttributedStyle.GREEN);

    static final AttributedStyle WARNING = AttributedStyle.DEFAULT.foreground(AttributedStyle.YELLOW);

    static final AttributedStyle BAD = AttributedStyle.BOLD.foreground(AttributedStyle.RED);

    private static final AttributedStyle PLAIN = AttributedStyle.DEFAULT;

    /** Columns of a label. */
    private static final int LABEL = 10;

    private static final int MIN_BAR = 8;

    private static final int MAX_BAR = 40;

    private static final int MAX_SPARKLINE = 60;

    /** Used part of a limit from which on a number is coloured as a warning. */
    private static final double WARNING_PART = 0.8;

    /** Columns to the right of a bar that stay free for its text. */
    private static final int BESIDE_BAR = 44;

    /** Characters for bars and sparklines: blocks where the terminal knows Unicode, else plain ones. */
    enum Symbols {

        /** Blocks of eighths. */
        UNICODE('█', '░', "▁▂▃▄▅▆▇█", '·'),
        /** Characters that every terminal has. */
        ASCII('#', '-', "_.:-=+*#", ' ');

        private final char full;

        private final char empty;

        private final String levels;

        private final char gap;

        Symbols(char full, char empty, String levels, char gap) {
            this.full = full;
            this.empty = empty;
            this.levels = levels;
            this.gap = gap;
        }

        /**
         * Returns a bar that fills.
         *
         * @param part 0 to 1; above 1 it is full, NaN is empty
         * @param columns of the whole bar
         */
        String bar(double part, int columns) {
            double within = Double.isNaN(part) ? 0 : Math.clamp(part, 0, 1);
            int filled = (int) Math.floor(within * columns);
            return String.valueOf(full).repeat(filled) + String.valueOf(empty).repeat(columns - filled);
        }

        /**
         * Returns the last values as columns. Each has a column of its own, so that the largest is not averaged away.
         *
         * @param values NaN where there is none
         * @param top the value of the highest column; values above it are as high
         */
        String sparkline(List<Double> values, double top, int columns) {
            StringBuilder line = new StringBuilder();
            for (double value : values.subList(Math.max(0, values.size() - columns), values.size())) {
                double part = top > 0 ? Math.clamp(value / top, 0, 1) : 0;
                line.append(Double.isNaN(value)
                        ? gap
                        : levels.charAt((int) Math.min(levels.length() - 1, Math.floor(part * levels.length()))));
            }
            return line.toString();
        }
    }

    /**
     * Draws the run.
     *
     * @param now by the controller's clock
     * @param problem why the connection is lost; null while it is not
     * @param below the last line: a question, or which keys there are
     */
    List<AttributedString> draw(FollowedRun run, Instant now, @Nullable String problem, AttributedString below) {
        boolean old = problem != null || run.isStale(now);
        List<AttributedString> lines = new ArrayList<>();
        lines.add(head(run, now));
        lines.add(new AttributedStringBuilder().append(pad(run.phase()), STRONG).append(run.reason())
                .toAttributedString());
        if (run.window().isObject()) {
            lines.add(share(run, old));
            lines.add(row("Requests", run.requestsPerSecond() + " of the service's "
                    + NumberFormatter.count(number(run.window().path("serviceRequestsPerSecond"))), old));
            latency(run, old, lines);
            lines.add(harm(run, old));
            lines.add(sparkline(run));
            lines.add(estimate(run, old));
        }
        lines.add(freshness(run, now, problem));
        lines.add(below);
        return lines.stream().flatMap(line -> wrap(line).stream()).toList();
    }

    /** Returns the lines that a line becomes on a narrow terminal: what does not fit stands below, between two words if possible. */
    private List<AttributedString> wrap(AttributedString line) {
        List<AttributedString> lines = new ArrayList<>();
        AttributedString rest = line;
        while (rest.length() > width && rest.length() > LABEL) {
            int end = rest.toString().lastIndexOf(' ', width);
            end = end > LABEL ? end : width;
            lines.add(rest.substring(0, end));
            int next = end;
            while (next < rest.length() && rest.charAt(next) == ' ') {
                next++;
            }
            rest = new AttributedStringBuilder().append("  ").append(rest.substring(next, rest.length()))
                    .toAttributedString();
        }
        lines.add(rest);
        return lines;
    }

    private static AttributedString head(FollowedRun run, Instant now) {
        String limit = run.maxDuration().isZero() ? "" : " of " + NumberFormatter.clock(run.maxDuration()) + " at most";
        return new AttributedStringBuilder().append(text(run.view().path("service")), STRONG)
                .append("  " + text(run.view().path("sut")) + "  " + text(run.view().path("profile")) + "  "
                        + NumberFormatter.clock(run.elapsed(now)) + limit)
                .append("  run " + text(run.view().path("id")), DIM).toAttributedString();
    }

    private AttributedString share(FollowedRun run, boolean old) {
        Double measured = number(run.window().path("shareMeasured"));
        Double maxShare = number(run.view().path("maxShare"));
        double part = measured == null || maxShare == null || maxShare == 0 ? 0 : measured / maxShare;
        return row("Share", part, PLAIN, NumberFormatter.percent(measured) + " measured, "
                + NumberFormatter.percent(run.askedShare()) + " asked, at most " + NumberFormatter.percent(maxShare),
                old);
    }

    /** Adds the percentile, and another rule that is nearer to its threshold. */
    private void latency(FollowedRun run, boolean old, List<AttributedString> lines) {
        Double p99 = number(run.window().path(FollowedRun.P99));
        Double limit = run.p99Limit();
        double part = p99 == null || limit == null ? Double.NaN : p99 / limit;
        lines.add(limit == null
                ? row("p99", run.p99Text() + ", no limit in the SLA", old)
                : row("p99", part, tone(part), run.p99Text(), old));
        FollowedRun.Limit rule = run.nearest();
        // What a rule has used up may be counted otherwise than by dividing; a hair is no other rule.
        if (rule != null && rule.used() > (Double.isNaN(part) ? 0 : part) + 0.02) {
            lines.add(row(rule.name(), rule.used(), tone(rule.used()), rule.text(), old));
        }
    }

    private AttributedString harm(FollowedRun run, boolean old) {
        String harm = NumberFormatter.count(run.harm());
        Double allowed = number(run.view().at("/harm/allowed"));
        if (allowed == null || allowed <= 0) {
            return row("Harm", harm + " requests", old);
        }
        double part = run.harm() / allowed;
        return row("Harm", part, tone(part),
                harm + " of " + NumberFormatter.count(allowed) + " requests that the budget allows", old);
    }

    private AttributedString sparkline(FollowedRun run) {
        int columns = Math.clamp((long) width - LABEL - 30, MIN_BAR, MAX_SPARKLINE);
        List<Double> shown = run.p99s().subList(Math.max(0, run.p99s().size() - columns), run.p99s().size());
        double highest = shown.stream().filter(value -> !value.isNaN()).mapToDouble(Double::doubleValue).max()
                .orElse(0);
        Double limit = run.p99Limit();
        // The limit is the top, so that a full column is a broken limit.
        return new AttributedStringBuilder().append(pad("p99 then"), DIM)
                .append(symbols.sparkline(shown, limit == null ? highest : limit, columns))
                .append("  " + shown.size() + " windows, highest " + NumberFormatter.seconds(highest), DIM)
                .toAttributedString();
    }

    private static AttributedString estimate(FollowedRun run, boolean old) {
        if (run.estimate().isMissingNode()) {
            return row("Estimate", "none yet", true);
        }
        String rule = text(run.estimate().path("limitingRule"));
        return row("Estimate", NumberFormatter.interval(run.estimate())
                + (rule.isEmpty() ? "" : ", limited by " + rule), old);
    }

    private static AttributedString freshness(FollowedRun run, Instant now, @Nullable String problem) {
        Duration age = run.age(now);
        String of = age == null ? "" : "the numbers are of " + NumberFormatter.clock(age) + " ago";
        if (problem != null) {
            return new AttributedString("LOST  connecting again; " + (of.isEmpty() ? "" : of + "; ") + problem, BAD);
        }
        return run.isStale(now) ? new AttributedString("OLD  no new window: " + of, WARNING) : AttributedString.EMPTY;
    }

    private static AttributedString row(String label, String text, boolean old) {
        return new AttributedStringBuilder().append(pad(label), DIM).append(text, old ? DIM : PLAIN)
                .toAttributedString();
    }

    /** Returns a line with a bar toward a limit, and the numbers beside it. */
    private AttributedString row(String label, double part, AttributedStyle style, String text, boolean old) {
        if (LABEL + MIN_BAR + 2 + text.length() > width) {
            // The numbers matter more than their picture.
            return new AttributedStringBuilder().append(pad(label), DIM).append(text, old ? DIM : style)
                    .toAttributedString();
        }
        int columns = Math.clamp((long) width - LABEL - BESIDE_BAR, MIN_BAR, MAX_BAR);
        return new AttributedStringBuilder().append(pad(label), DIM)
                .append(symbols.bar(part, columns), old ? DIM : style)
                .append("  " + text, old ? DIM : PLAIN).toAttributedString();
    }

    private static AttributedStyle tone(double part) {
        return part > 1 ? BAD : part > WARNING_PART ? WARNING : GOOD;
    }

    private static String pad(String text) {
        return text.length() >= LABEL ? text + " " : text + " ".repeat(LABEL - text.length());
    }
}
