// SPDX-License-Identifier: Apache-2.0
package io.redliner.cli.watch;

import static io.redliner.cli.client.TerminalSafeText.number;
import static io.redliner.cli.client.TerminalSafeText.text;
import static io.redliner.cli.watch.NumberFormatter.count;
import static io.redliner.cli.watch.NumberFormatter.seconds;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import java.util.stream.DoubleStream;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;

/**
 * Draws why a capacity is what it is, in plain characters: for each load that was tried, the part of the requests beyond the limit,
 * as counted and as the search fitted it.
 */
public final class ExceedancePicture {

    private static final Set<String> SEARCHING_PROFILES = Set.of("capacity", "bottleneck");

    /** Columns of the scale. A line has 38 before it. */
    private static final int SCALE_COLUMNS = 22;

    private static final int TEXT_COLUMNS = 60;

    /** Least end of the scale, as a part of the allowed ratio. */
    private static final double MIN_BOTTOM = 0.05;

    /** Largest end of the scale, relative to the allowed ratio. */
    private static final double MAX_TOP = 100;

    /** Distance from the allowed ratio that each end of the scale has at least, as a factor. */
    private static final double MIN_DISTANCE = 3;

    /** The largest load beyond the capacity that the sentence names, relative to the capacity. */
    private static final double BEYOND = 1.1;

    /** The largest such load when none as large was tried: farther away the curve is a guess. */
    private static final double BEYOND_UNTRIED = 1.05;

    /** Relative difference below which two numbers are the same. */
    private static final double SAME = 1e-6;

    /** Part of a lasting load's exceedances below which the picture says what short steps show. */
    private static final double WHOLE = 0.95;

    /** Smallest part of the requests that is written, 0.01 %. */
    private static final double MIN_RATIO = 1e-4;

    /** Part of the requests from which on per cents are whole. */
    private static final double WHOLE_PERCENT = 0.1;

    private final JsonNode view;

    private final JsonNode curve;

    private final double allowed;

    private final List<Row> rows = new ArrayList<>();

    /** The fitted point of the highest load that keeps to what is allowed; null without a fit. */
    private @Nullable JsonNode knee;

    /** The fitted point at a load beyond that. */
    private @Nullable JsonNode beyond;

    /**
     * A line of the picture.
     *
     * @param mark {@code >} for the capacity, {@code [} and {@code ]} for its interval
     * @param group of steps; null when the load was not tried
     * @param point of the fitted curve; null when there is none
     */
    private record Row(char mark, double load, @Nullable JsonNode group, @Nullable JsonNode point) {

        DoubleStream ratios() {
            return DoubleStream.concat(
                    group == null ? DoubleStream.empty() : DoubleStream.of(counted(group)),
                    point == null
                            ? DoubleStream.empty()
                            : DoubleStream.of(value(point, "ratio")));
        }
    }

    private ExceedancePicture(JsonNode view) {
        this.view = view;
        this.curve = view.path("exceedances");
        this.allowed = value(curve, "allowedRatio");
        for (JsonNode point : curve.path("fit")) {
            if (knee == null || value(point, "ratio") <= allowed * (1 + SAME)) {
                knee = point;
            }
        }
        double highest = 0;
        for (JsonNode group : curve.path("loads")) {
            double load = value(group, "requestsPerSecond");
            highest = Math.max(highest, load);
            rows.add(new Row(' ', load, group, fitted(load)));
        }
        double capacity = knee == null ? 0 : value(knee, "requestsPerSecond");
        double farthest = Math.max(BEYOND_UNTRIED * capacity, Math.min(highest, BEYOND * capacity)) * (1 + SAME);
        for (JsonNode point : curve.path("fit")) {
            double load = value(point, "requestsPerSecond");
            beyond = load > capacity && load <= farthest ? point : beyond;
        }
        double beyondLoad = beyond == null ? 0 : value(beyond, "requestsPerSecond");
        if (beyond != null && rows.stream().noneMatch(row -> Math.abs(row.load() - beyondLoad) <= SAME * beyondLoad)) {
            addUntried(' ', beyond.path("requestsPerSecond"));
        }
        JsonNode found = view.path(view.path("result").isObject() ? "result" : "estimate");
        addUntried('[', found.path("low"));
        addUntried('>', found.path("capacity"));
        addUntried(']', found.path("high"));
        rows.sort(Comparator.comparingDouble(Row::load));
    }

    private void addUntried(char mark, JsonNode load) {
        JsonNode point = fitted(load.asDouble(0));
        if (point != null) {
            rows.add(new Row(mark, load.asDouble(0), null, point));
        }
    }

    private @Nullable JsonNode fitted(double load) {
        for (JsonNode point : curve.path("fit")) {
            if (Math.abs(value(point, "requestsPerSecond") - load) <= SAME * load) {
                return point;
            }
        }
        return null;
    }

    /** Returns a sentence and the picture, or a sentence that says why there is none. Lines have at most 60 columns. */
    public static List<String> lines(JsonNode view) {
        if (view.at("/exceedances/loads").isEmpty() || !(value(view.path("exceedances"), "allowedRatio") > 0)) {
            return wrapped(whyNone(view));
        }
        ExceedancePicture picture = new ExceedancePicture(view);
        return Stream.of(wrapped(picture.sentence()), List.of(""), picture.draw(), wrapped(picture.legend()))
                .flatMap(List::stream).toList();
    }

    private static String whyNone(JsonNode view) {
        String profile = text(view.path("profile"));
        String unfitted = text(view.at("/exceedances/unfitted"));
        if (view.has("members")) {
            return "A series has no curve. Each of its runs has one: redliner status RUN --explain";
        }
        if (!SEARCHING_PROFILES.contains(profile)) {
            return "There is no curve: a run of profile " + profile + " searches no capacity.";
        }
        if (!unfitted.isEmpty()) {
            return "There is no curve: " + unfitted + ".";
        }
        return text(view.path("phase")).equals("Finished")
                ? "No curve was recorded: the search had no step, or the run is of an older version."
                : "There is no curve yet: the run goes on.";
    }

    private String sentence() {
        return (view.path("result").isObject() ? "" : "The run has no result; this is what the search believed. ")
                + (knee == null ? unfitted() : fitted(knee));
    }

    private String unfitted() {
        JsonNode highest = curve.path("loads").get(curve.path("loads").size() - 1);
        return "No curve was fitted: " + text(curve.path("unfitted")) + ". At " + count(value(highest,
                "requestsPerSecond")) + " requests/s, the highest load tried, " + percent(highest)
                + " of the requests " + verb() + "; " + percent(allowed) + " may.";
    }

    private String fitted(JsonNode last) {
        double ratio = value(last, "ratio");
        String there = "At " + count(value(last, "requestsPerSecond")) + " requests/s " + percent(ratio)
                + " of the requests " + verb()
                + (Math.abs(ratio - allowed) <= SAME * allowed
                        ? ", which is what the SLA allows"
                        : "; the SLA allows " + percent(allowed));
        return beyond == null
                ? there + "."
                : there + "; at " + count(value(beyond, "requestsPerSecond")) + " it would be "
                        + percent(value(beyond, "ratio")) + " (95 %: " + percent(value(beyond, "low")) + " to "
                        + percent(value(beyond, "high")) + ").";
    }

    private String verb() {
        Double limit = number(curve.path("latencyLimitSeconds"));
        return limit == null ? "break rule " + text(curve.path("rule")) : "take longer than " + seconds(limit);
    }

    private List<String> draw() {
        Scale scale = new Scale(allowed, rows.stream().flatMapToDouble(Row::ratios));
        List<String> lines = new ArrayList<>();
        lines.add(line(' ', "req/s", "requests", "counted", "fitted", scale.labels()));
        for (Row row : rows) {
            JsonNode point = row.point();
            JsonNode group = row.group();
            char[] drawn = " ".repeat(SCALE_COLUMNS).toCharArray();
            drawn[scale.column(allowed)] = ':';
            if (point != null) {
                for (int column = scale.column(value(point, "low")); column <= scale
                        .column(value(point, "high")); column++) {
                    drawn[column] = drawn[column] == ':' ? '+' : '-';
                }
                drawn[scale.column(value(point, "ratio"))] = '*';
            }
            if (group != null) {
                int column = scale.column(counted(group));
                drawn[column] = drawn[column] == '*' ? '@' : 'o';
            }
            lines.add(line(row.mark(), count(row.load()),
                    group == null ? "-" : count(value(group, "requests")), group == null ? "-" : percent(group),
                    point == null ? "-" : percent(value(point, "ratio")), new String(drawn)));
        }
        return lines;
    }

    private static String line(char mark, String load, String requests, String counted, String fitted, String drawn) {
        return String.format(Locale.ROOT, "%c%8s %8s %9s %8s %s", mark, load, requests, counted, fitted, drawn)
                .stripTrailing();
    }

    private String legend() {
        double shown = curve.path("shownPart").asDouble(1);
        return "o counted" + (knee == null ? ", " : ", * fitted, @ both, - interval of 95 %, ") + ": allowed"
                + (rows.stream().allMatch(row -> row.mark() == ' ')
                        ? "."
                        : "; > is the capacity, [ and ] are the ends of its interval.")
                + (knee == null || shown >= WHOLE
                        ? ""
                        : " Fitted is for a load that lasts: the short steps of a search show "
                                + Math.round(100 * shown) + " % of it.");
    }

    /** Returns the part of a group's requests as text; "&gt;=" where an alarm cut its steps off. */
    private static String percent(JsonNode group) {
        return (group.path("censored").asBoolean(false) ? ">=" : "") + percent(counted(group));
    }

    private static String percent(double ratio) {
        return ratio > 0 && ratio < MIN_RATIO
                ? "<0.01 %"
                : ratio < WHOLE_PERCENT ? NumberFormatter.percent(ratio) : Math.round(100 * ratio) + " %";
    }

    private static double counted(JsonNode group) {
        return value(group, "exceeding") / Math.max(1, value(group, "requests"));
    }

    private static double value(JsonNode node, String name) {
        return node.path(name).asDouble(0);
    }

    /** Breaks a text into lines between its words. */
    private static List<String> wrapped(String text) {
        List<String> lines = new ArrayList<>();
        StringBuilder line = new StringBuilder();
        for (String word : text.split(" ", -1)) {
            if (!line.isEmpty() && line.length() + 1 + word.length() > TEXT_COLUMNS) {
                lines.add(line.toString());
                line.setLength(0);
            }
            line.append(line.isEmpty() ? "" : " ").append(word);
        }
        lines.add(line.toString());
        return lines;
    }

    /** A logarithmic scale of parts of requests; 0 is at its first column. */
    private static final class Scale {

        private final double allowed;

        private final double bottom;

        private final double top;

        Scale(double allowed, DoubleStream ratios) {
            double[] seen = ratios.filter(ratio -> ratio > 0).toArray();
            this.allowed = allowed;
            this.bottom = Math.clamp(DoubleStream.of(seen).min().orElse(allowed), allowed * MIN_BOTTOM,
                    allowed / MIN_DISTANCE);
            this.top = Math.min(1, Math.clamp(DoubleStream.of(seen).max().orElse(allowed), allowed * MIN_DISTANCE,
                    allowed * MAX_TOP));
        }

        int column(double ratio) {
            double part = ratio > 0 ? Math.log(ratio / bottom) / Math.log(top / bottom) : 0;
            return (int) Math.round(Math.clamp(part, 0, 1) * (SCALE_COLUMNS - 1));
        }

        /** Returns the ends of the scale and the allowed part; an end is left out where there is no room for it. */
        String labels() {
            String middle = percent(allowed);
            String left = percent(bottom);
            String right = percent(top);
            int begin = Math.clamp(column(allowed) - middle.length() / 2, 0, SCALE_COLUMNS - middle.length());
            StringBuilder labels = new StringBuilder(left.length() < begin ? left : "");
            labels.append(" ".repeat(begin - labels.length())).append(middle);
            int free = SCALE_COLUMNS - right.length() - labels.length();
            return free > 0 ? labels.append(" ".repeat(free)).append(right).toString() : labels.toString();
        }
    }
}
