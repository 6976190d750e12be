// SPDX-License-Identifier: Apache-2.0
package io.redliner.controller.service.report;

import io.redliner.controller.plan.NumberText;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.function.DoubleFunction;
import java.util.function.Function;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * The marks of one SVG chart: axes, lines and points. Colours and widths are classes of the page's style. All texts are of this package
 * and are not escaped.
 */
final class SvgPlot {

    static final double WIDTH = 760;

    static final double HEIGHT = 280;

    private static final double LEFT = 64;

    private static final double RIGHT = 30;

    private static final double TOP = 22;

    private static final double BOTTOM = 44;

    private final StringBuilder marks = new StringBuilder();

    private final Axis xAxis;

    private final Axis yAxis;

    /**
     * Begins a chart.
     *
     * @param farthest the largest value across
     * @param highest the largest value upwards
     */
    SvgPlot(double farthest, double highest) {
        this(farthest, highest, Double.POSITIVE_INFINITY);
    }

    /**
     * Begins a chart of parts of a whole.
     *
     * @param whole where its axis upwards ends at most, unless a value is beyond it: 100 of percents
     */
    SvgPlot(double farthest, double highest, double whole) {
        this.xAxis = new Axis(farthest > 0 && Double.isFinite(farthest) ? farthest : 1, LEFT, WIDTH - RIGHT);
        this.yAxis = Axis.upTo(highest, whole, HEIGHT - BOTTOM, TOP);
    }

    /** Axes with their names and units. */
    SvgPlot axes(String acrossName, Function<Axis, List<Double>> acrossTicks, DoubleFunction<String> acrossText,
            String upName) {
        for (double tick : yAxis.ticks()) {
            line("grid", LEFT, yAxis.place(tick), WIDTH - RIGHT, yAxis.place(tick));
            text("tick end", LEFT - 6, yAxis.place(tick) + 4, NumberText.brief(tick));
        }
        for (double tick : acrossTicks.apply(xAxis)) {
            line("grid", xAxis.place(tick), TOP, xAxis.place(tick), HEIGHT - BOTTOM);
            text("tick middle", xAxis.place(tick), HEIGHT - BOTTOM + 16, acrossText.apply(tick));
        }
        text("name middle", (LEFT + WIDTH - RIGHT) / 2, HEIGHT - 8, acrossName);
        text("name", 4, 12, upName);
        return this;
    }

    /** Draws a line through all values; it breaks where a value is missing. */
    <T> SvgPlot curve(String style, List<T> points, Function<T, Double> where, Function<T, @Nullable Double> value) {
        StringBuilder path = new StringBuilder();
        boolean drawing = false;
        for (T point : points) {
            Double height = value.apply(point);
            if (height == null || !Double.isFinite(height)) {
                drawing = false;
                continue;
            }
            path.append(drawing ? 'L' : 'M')
                    .append(place(xAxis.place(where.apply(point))))
                    .append(' ')
                    .append(place(yAxis.place(height)));
            if (!drawing) {
                path.append("h0.01");
            }
            drawing = true;
        }
        if (!path.isEmpty()) {
            marks.append(String.format(Locale.ROOT, "<path class='curve %s' d='%s'/>\n", style, path));
        }
        return this;
    }

    /** Draws a vertical line, with a label beside its top; an empty label is left out. */
    SvgPlot verticalLine(String style, double at, String word) {
        line(style, xAxis.place(at), TOP, xAxis.place(at), HEIGHT - BOTTOM);
        if (!word.isEmpty()) {
            text("mark", xAxis.place(at) + 3, TOP + 9, word);
        }
        return this;
    }

    /** Draws a horizontal line. */
    SvgPlot level(String style, double at) {
        line("curve " + style, LEFT, yAxis.place(at), WIDTH - RIGHT, yAxis.place(at));
        return this;
    }

    /** Draws a band from bottom to top. */
    SvgPlot band(String style, double from, double to) {
        rectangle(style, xAxis.place(from), TOP, xAxis.place(to) - xAxis.place(from), HEIGHT - BOTTOM - TOP);
        return this;
    }

    /** Draws a mark in the strip at the bottom, as high as {@code part} of the strip. */
    SvgPlot stripMark(String style, double from, double to, double part) {
        double height = 10 * part;
        rectangle(style, xAxis.place(from), HEIGHT - BOTTOM - height,
                Math.max(1.5, xAxis.place(to) - xAxis.place(from)), height);
        return this;
    }

    /** Draws a point; breaches are squares, so that colour is not needed to tell them. */
    SvgPlot point(boolean breached, double at, double value) {
        if (breached) {
            rectangle("point bad", xAxis.place(at) - 3, yAxis.place(value) - 3, 6, 6);
        } else {
            marks.append(String.format(Locale.ROOT, "<circle class='point good' cx='%.1f' cy='%.1f' r='3'/>\n",
                    xAxis.place(at), yAxis.place(value)));
        }
        return this;
    }

    /** All that was drawn, as SVG. */
    String marks() {
        return marks.toString();
    }

    private void line(String style, double x1, double y1, double x2, double y2) {
        marks.append(String.format(Locale.ROOT, "<line class='%s' x1='%.1f' y1='%.1f' x2='%.1f' y2='%.1f'/>\n", style,
                x1, y1, x2, y2));
    }

    private void rectangle(String style, double x, double y, double width, double height) {
        marks.append(String.format(Locale.ROOT, "<rect class='%s' x='%.1f' y='%.1f' width='%.1f' height='%.1f'/>\n",
                style, x, y, Math.max(0, width), height));
    }

    private void text(String style, double x, double y, String text) {
        marks.append(String.format(Locale.ROOT, "<text class='%s' x='%.1f' y='%.1f'>%s</text>\n", style, x, y, text));
    }

    private static String place(double place) {
        return String.format(Locale.ROOT, "%.1f", place);
    }

    /**
     * Turns values from 0 on into places.
     *
     * @param top value at {@code to}
     */
    record Axis(double top, double from, double to) {

        private static final int[] TIMES = {1, 2, 5, 10, 15, 30, 60, 120, 300, 600, 900, 1800, 3600, 7200, 10_800,
            14_400};

        /** Returns an axis from 0 to a round number above the largest value, or to the whole if that is less. */
        static Axis upTo(double largest, double whole, double from, double to) {
            double top = largest > 0 && Double.isFinite(largest) ? largest * 1.05 : 1;
            double step = step(top);
            return new Axis(Math.min(Math.ceil(top / step) * step, Math.max(whole, largest)), from, to);
        }

        double place(double value) {
            double bounded = Math.max(0, Math.min(top, value));
            return from + bounded / top * (to - from);
        }

        /** Round values, about five. */
        List<Double> ticks() {
            double step = step(top);
            List<Double> ticks = new ArrayList<>();
            for (int number = 0; number * step <= top + step / 1e6; number++) {
                ticks.add(number * step);
            }
            return ticks;
        }

        /** Ticks at round times, at most about eight, of an axis in seconds. */
        List<Double> timeTicks() {
            for (int step : TIMES) {
                if (top / step <= 8) {
                    return Stream.iterate(0.0, tick -> tick <= top, tick -> tick + step).toList();
                }
            }
            return ticks();
        }

        /** 1, 2 or 5 times a power of ten. */
        private static double step(double span) {
            double rough = span / 5;
            double power = Math.pow(10, Math.floor(Math.log10(rough)));
            double digit = rough / power;
            return power * (digit <= 1 ? 1 : digit <= 2 ? 2 : digit <= 5 ? 5 : 10);
        }
    }
}
