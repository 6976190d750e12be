// SPDX-License-Identifier: Apache-2.0
package io.redliner.controller.service.report;

import io.redliner.controller.plan.NumberText;
import io.redliner.controller.service.report.RunReport.Result;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.function.Function;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** The charts of a report over time, and of latency over load. */
final class ReportCharts {

    /** The largest number of step marks in a chart: more would be a grey field. */
    private static final int MAX_STEP_MARKS = 30;

    private final RunReport report;

    private final List<WindowBucket> buckets;

    private final Instant start;

    private final double end;

    /** True when the rule limits another value than the p99. */
    private final boolean another;

    ReportCharts(RunReport report, List<WindowBucket> buckets) {
        this.report = report;
        this.buckets = buckets;
        this.start = buckets.isEmpty() ? report.head().submittedAt() : buckets.getFirst().start();
        this.end = buckets.isEmpty() ? 0 : seconds(buckets.getLast().end());
        this.another = buckets.stream().anyMatch(WindowBucket::limitsAnother);
    }

    /**
     * A chart.
     *
     * @param id unique in the page
     * @param heading empty without one
     * @param description what is to be seen, for those who do not see it
     * @param marks SVG
     * @param height of the SVG, which is {@value SvgPlot#WIDTH} wide
     * @param legend the names of the lines by their styles
     */
    record Chart(String id, String heading, String title, String description, String marks, double height,
            Map<String, String> legend) {

        /** A chart of the usual height. */
        Chart(String id, String heading, String title, String description, String marks, Map<String, String> legend) {
            this(id, heading, title, description, marks, SvgPlot.HEIGHT, legend);
        }
    }

    /** Latency over load, from which the capacity was read; then latency, load and share over time. None without windows. */
    List<Chart> all() {
        return buckets.isEmpty() ? List.of() : List.of(scatter(), latency(), load(), share());
    }

    private Chart share() {
        SvgPlot plot = overTime(100 * Math.max(largest(WindowBucket::requestedShare), largest(WindowBucket::measured)),
                "%")
                .curve("measured", buckets, this::middle, bucket -> 100 * bucket.measured())
                .curve("asked", buckets, this::middle, bucket -> 100 * bucket.requestedShare());
        return new Chart("share", "Share of the service's traffic", "Share asked for and share measured over time",
                "The share of traffic asked for went up to " + NumberText.percent(largest(WindowBucket::requestedShare))
                        + ", the limit is " + NumberText.percent(report.head().maxShare()) + ".",
                plot.marks(), legend("asked", "asked for", "measured", "measured", "step", "a step begins"));
    }

    private Chart load() {
        SvgPlot plot = overTime(Math.max(largest(WindowBucket::rate), largest(WindowBucket::serviceRate)), "requests/s")
                .curve("service", buckets, this::middle, WindowBucket::serviceRate)
                .curve("measured", buckets, this::middle, WindowBucket::rate);
        return new Chart("load", "Requests per second",
                "Requests per second of the instance and of the service over time",
                "The instance under test got up to " + NumberText.rate(largest(WindowBucket::rate)) + ", the service "
                        + NumberText.rate(largest(WindowBucket::serviceRate)) + ".",
                plot.marks(), legend("measured", "instance under test", "service", "service"));
    }

    private Chart latency() {
        double highest = Stream.<Function<WindowBucket, @Nullable Double>>of(WindowBucket::p99, WindowBucket::peersP99,
                WindowBucket::threshold, WindowBucket::ruleValue).mapToDouble(this::largest).max().orElse(0);
        boolean peers = buckets.stream().anyMatch(bucket -> bucket.peersP99() != null);
        boolean measured = buckets.stream().anyMatch(bucket -> bucket.p99() != null);
        SvgPlot plot = overTime(1000 * highest, "ms")
                .curve("threshold", buckets, this::middle, bucket -> thousand(bucket.threshold()))
                .curve("rule", buckets, this::middle, bucket -> another ? thousand(bucket.ruleValue()) : null)
                .curve("peers", buckets, this::middle, bucket -> thousand(bucket.peersP99()))
                .curve("p50", buckets, this::middle, bucket -> thousand(bucket.p50()))
                .curve("measured", buckets, this::middle, bucket -> thousand(bucket.p99()));
        List<String> lines = new ArrayList<>(List.of("measured", "p99 (slowest window of each point)", "p50",
                "p50 of that window", "threshold", "limit of the rule"));
        if (another) {
            lines.addAll(List.of("rule", "what the rule measured (at most)"));
        }
        if (peers) {
            lines.addAll(List.of("peers", "p99 of the peers in that window"));
        }
        return new Chart("latency", "Latency", "Latency of the instance, of its peers, and its threshold over time",
                (measured
                        ? "The 99th percentile went up to " + NumberText.milliseconds(largest(WindowBucket::p99))
                        : "No request was answered, so no latency is known")
                        + (measured && peers
                                ? ", that of the peers to " + NumberText.milliseconds(largest(WindowBucket::peersP99))
                                : "")
                        + ".",
                plot.marks(), legend(lines.toArray(String[]::new)));
    }

    private Chart scatter() {
        Result result = report.resultOrEstimate();
        double threshold = largest(WindowBucket::threshold);
        Function<WindowBucket, @Nullable Double> latency = another ? WindowBucket::ruleValue : WindowBucket::p99;
        double farthest = Math.max(largest(WindowBucket::slowestRate), result == null ? 0 : result.capacity());
        SvgPlot plot = new SvgPlot(farthest * 1.05, 1000 * Math.max(largest(latency), threshold))
                .axes("requests/s at the instance under test", SvgPlot.Axis::ticks, NumberText::brief,
                        another ? "what the rule measured, in ms" : "p99 in ms");
        if (result != null) {
            if (!result.lowerBound() && result.high() > result.low()) {
                plot.band("interval", result.low(), result.high());
            }
            plot.verticalLine("knee", result.capacity(), report.result() == null ? "estimate" : "capacity");
        }
        if (threshold > 0) {
            plot.level("threshold", 1000 * threshold);
        }
        for (WindowBucket bucket : buckets) {
            Double slow = latency.apply(bucket);
            if (slow != null) {
                plot.point(bucket.slowestBreached(), bucket.slowestRate(), 1000 * slow);
            }
        }
        return new Chart("knee", "", "Latency of the instance over its load, with the knee",
                result == null
                        ? "No capacity is known."
                        : "The capacity is " + NumberText.rate(result.capacity()) + ".",
                plot.marks(),
                byStyle("point-good", "window that held", "point-bad", "window that broke the SLA", "knee",
                        "capacity", "interval", "its 95 % interval", "threshold", "limit of the rule"));
    }

    /** Returns the text below the chart of latency over load. */
    String knee() {
        Result result = report.resultOrEstimate();
        String points = "Each point is a window" + (buckets.stream().anyMatch(bucket -> bucket.windows() > 1)
                ? ", the slowest of some in a row"
                : "") + ": how much load arrived, and how slow "
                + (another
                        ? "it was by the rule. "
                        : "the slowest of 100 requests was. ");
        return result == null
                ? points
                : points + "The knee is the load where queues begin to grow: to its left more load costs little latency, to its "
                        + "right a little more load costs much. " + (result.lowerBound()
                                ? "This run did not get that far."
                                : "Single windows to its left may be slow by chance, and some to its right be lucky: the "
                                        + "capacity is where as many requests exceed the rule as it allows, over all windows.");
    }

    /** Returns the legend of a chart over time: its own entries, and those that all such charts have. */
    private Map<String, String> legend(String... own) {
        Map<String, String> names = byStyle(own);
        if (buckets.stream().anyMatch(bucket -> bucket.breached() > 0)) {
            names.put("breached", "SLA broken");
        }
        if (buckets.stream().anyMatch(bucket -> bucket.inconclusive() > 0)) {
            names.put("inconclusive", "no answer");
        }
        return names;
    }

    static Map<String, String> byStyle(String... stylesAndNames) {
        Map<String, String> names = new LinkedHashMap<>();
        for (int number = 0; number < stylesAndNames.length; number += 2) {
            names.put(stylesAndNames[number], stylesAndNames[number + 1]);
        }
        return names;
    }

    private SvgPlot overTime(double highest, String unit) {
        double whole = unit.equals("%") ? 100 : Double.POSITIVE_INFINITY;
        return marks(new SvgPlot(end, highest, whole).axes("time since the first window", SvgPlot.Axis::timeTicks,
                ReportCharts::clock, unit));
    }

    /** Marks the beginnings of steps, and the windows that broke the SLA or had no answer. */
    private SvgPlot marks(SvgPlot plot) {
        List<StepView> steps = report.steps();
        int every = Math.max(1, (steps.size() + MAX_STEP_MARKS - 1) / MAX_STEP_MARKS);
        double free = 0;
        for (int number = 0; number < steps.size(); number += every) {
            double at = seconds(steps.get(number).startedAt());
            if (at >= 0 && at <= end) {
                boolean room = at >= free;
                plot.verticalLine(steps.get(number).bad() ? "step over" : "step", at,
                        room ? Integer.toString(steps.get(number).number()) : "");
                free = room ? at + end / MAX_STEP_MARKS : free;
            }
        }
        for (WindowBucket bucket : buckets) {
            if (bucket.breached() > 0) {
                plot.stripMark("breached", seconds(bucket.start()), seconds(bucket.end()), 1);
            } else if (bucket.inconclusive() > 0) {
                plot.stripMark("inconclusive", seconds(bucket.start()), seconds(bucket.end()), 0.5);
            }
        }
        return plot;
    }

    private double largest(Function<WindowBucket, @Nullable Double> value) {
        double largest = 0;
        for (WindowBucket bucket : buckets) {
            Double one = value.apply(bucket);
            if (one != null && Double.isFinite(one)) {
                largest = Math.max(largest, one);
            }
        }
        return largest;
    }

    private double middle(WindowBucket bucket) {
        return (seconds(bucket.start()) + seconds(bucket.end())) / 2;
    }

    private double seconds(Instant at) {
        return Duration.between(start, at).toMillis() / 1000.0;
    }

    private static @Nullable Double thousand(@Nullable Double seconds) {
        return seconds == null ? null : 1000 * seconds;
    }

    static String clock(double seconds) {
        long whole = Math.round(seconds);
        if (seconds < 10 && whole != seconds) {
            return NumberText.brief(seconds) + " s";
        }
        return whole >= 3600
                ? String.format(Locale.ROOT, "%d:%02d:%02d", whole / 3600, whole / 60 % 60, whole % 60)
                : String.format(Locale.ROOT, "%d:%02d", whole / 60, whole % 60);
    }
}
