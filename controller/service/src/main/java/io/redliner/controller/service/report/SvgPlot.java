// SPDX-License-Identifier: Apache-2.0
package io.redliner.controller.service.report;

import java.io.IOException;
import java.util.List;
import java.util.Locale;
import java.util.function.DoubleFunction;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/** One SVG chart: frame, axes, lines and marks. Colours and widths are classes of the page's style. */
final class SvgPlot {

    static final double WIDTH = 760;

    static final double HEIGHT = 280;

    private static final double LEFT = 64;

    private static final double RIGHT = 30;

    private static final double TOP = 22;

    private static final double BOTTOM = 44;

    private final MarkupWriter markup;

    private final ChartAxis xAxis;

    private final ChartAxis yAxis;

    private SvgPlot(MarkupWriter markup, ChartAxis xAxis, ChartAxis yAxis) {
        this.markup = markup;
        this.xAxis = xAxis;
        this.yAxis = yAxis;
    }

    /**
     * Begins a chart.
     *
     * @param id unique in the page
     * @param description what is to be seen, for those who do not see it
     * @param farthest the largest value across
     * @param highest the largest value upwards
     */
    static SvgPlot begin(MarkupWriter markup, String id, String title, String description, double farthest,
            double highest)
            throws IOException {
        markup.open("div", "class", "chart", "tabindex", "0", "role", "region", "aria-label", title + ", scrollable")
                .open("svg", "viewBox", "0 0 " + place(WIDTH) + " " + place(HEIGHT), "role", "img", "aria-labelledby",
                        id + "-title " + id + "-desc")
                .element("title", title, "id", id + "-title")
                .element("desc", description, "id", id + "-desc")
                .line();
        double end = farthest > 0 && Double.isFinite(farthest) ? farthest : 1;
        return new SvgPlot(markup, new ChartAxis(0, end, LEFT, WIDTH - RIGHT),
                ChartAxis.upTo(highest, HEIGHT - BOTTOM, TOP));
    }

    /** Axes with their names and units. */
    SvgPlot axes(String acrossName, Function<ChartAxis, List<Double>> acrossTicks, DoubleFunction<String> acrossText,
            String upName, DoubleFunction<String> upText) throws IOException {
        for (double tick : yAxis.ticks()) {
            line("grid", LEFT, yAxis.place(tick), WIDTH - RIGHT, yAxis.place(tick));
            text("tick end", LEFT - 6, yAxis.place(tick) + 4, upText.apply(tick));
        }
        for (double tick : acrossTicks.apply(xAxis)) {
            line("grid", xAxis.place(tick), TOP, xAxis.place(tick), HEIGHT - BOTTOM);
            text("tick middle", xAxis.place(tick), HEIGHT - BOTTOM + 16, acrossText.apply(tick));
        }
        text("name middle", (LEFT + WIDTH - RIGHT) / 2, HEIGHT - 8, acrossName);
        text("name", 4, 12, upName);
        return this;
    }

    /** A line through all values that are there; it breaks where one is not. */
    SvgPlot curve(String style, List<WindowBucket> buckets, Function<WindowBucket, Double> where,
            Function<WindowBucket, @Nullable Double> value) throws IOException {
        StringBuilder path = new StringBuilder();
        boolean drawing = false;
        for (WindowBucket bucket : buckets) {
            Double height = value.apply(bucket);
            if (height == null || !Double.isFinite(height)) {
                drawing = false;
                continue;
            }
            path.append(drawing ? 'L' : 'M')
                    .append(place(xAxis.place(where.apply(bucket))))
                    .append(' ')
                    .append(place(yAxis.place(height)));
            if (!drawing) {
                path.append("h0.01");
            }
            drawing = true;
        }
        if (!path.isEmpty()) {
            markup.empty("path", "class", "curve " + style, "d", path.toString()).line();
        }
        return this;
    }

    /** A line from bottom to top, with a word beside its head. */
    SvgPlot upright(String style, double at, String word) throws IOException {
        line(style, xAxis.place(at), TOP, xAxis.place(at), HEIGHT - BOTTOM);
        if (!word.isEmpty()) {
            text("mark", xAxis.place(at) + 3, TOP + 9, word);
        }
        return this;
    }

    /** A line from left to right. */
    SvgPlot level(String style, double at) throws IOException {
        line("curve " + style, LEFT, yAxis.place(at), WIDTH - RIGHT, yAxis.place(at));
        return this;
    }

    /** A band from bottom to top. */
    SvgPlot band(String style, double from, double to) throws IOException {
        rectangle(style, xAxis.place(from), TOP, xAxis.place(to) - xAxis.place(from), HEIGHT - BOTTOM - TOP);
        return this;
    }

    /** A mark at the foot; {@code part} of the strip's height. */
    SvgPlot foot(String style, double from, double to, double part) throws IOException {
        double height = 10 * part;
        rectangle(style, xAxis.place(from), HEIGHT - BOTTOM - height,
                Math.max(1.5, xAxis.place(to) - xAxis.place(from)), height);
        return this;
    }

    /** A point; breaches are squares, so that colour is not needed to tell them. */
    SvgPlot point(boolean breached, double at, double value) throws IOException {
        if (breached) {
            rectangle("point bad", xAxis.place(at) - 3, yAxis.place(value) - 3, 6, 6);
        } else {
            markup.empty("circle", "class", "point good", "cx", place(xAxis.place(at)), "cy", place(yAxis.place(value)),
                    "r", "3");
        }
        return this;
    }

    /** The names of the lines, in the order of their styles. */
    void end(String... stylesAndNames) throws IOException {
        markup.close("svg").close("div").line().open("p", "class", "legend");
        for (int number = 0; number < stylesAndNames.length; number += 2) {
            markup.element("span", stylesAndNames[number + 1], "class", "key " + stylesAndNames[number]).raw(" ");
        }
        markup.close("p").line();
    }

    private void line(String style, double x1, double y1, double x2, double y2) throws IOException {
        markup.empty("line", "class", style, "x1", place(x1), "y1", place(y1), "x2", place(x2), "y2", place(y2));
    }

    private void rectangle(String style, double x, double y, double width, double height) throws IOException {
        markup.empty("rect", "class", style, "x", place(x), "y", place(y), "width", place(Math.max(0, width)),
                "height", place(height));
    }

    private void text(String style, double x, double y, String text) throws IOException {
        markup.element("text", text, "class", style, "x", place(x), "y", place(y));
    }

    private static String place(double place) {
        return String.format(Locale.ROOT, "%.1f", place);
    }
}
