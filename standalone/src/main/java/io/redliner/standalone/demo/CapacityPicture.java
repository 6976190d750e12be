// SPDX-License-Identifier: Apache-2.0
package io.redliner.standalone.demo;

import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import org.jspecify.annotations.Nullable;

/** Draws loads on one axis in plain characters: the natural one, what was measured with its interval, and what is true. */
final class CapacityPicture {

    private static final int COLUMNS = 60;

    private static final int MAX_TICKS = 8;

    private final double step;

    private final int ticks;

    private final double top;

    private CapacityPicture(double largest) {
        step = niceStep(largest / MAX_TICKS);
        ticks = (int) Math.ceil(largest / step);
        top = step * ticks;
    }

    /**
     * Lines of at most 120 columns.
     *
     * @param natural load without a test, requests/s
     * @param found null when nothing was
     * @param constructed the true capacity, requests/s
     */
    static List<String> lines(double natural, DemoResult.@Nullable Found found, double constructed) {
        double largest = Math.max(constructed, found == null ? 0 : found.high());
        return new CapacityPicture(largest).draw(natural, found, constructed);
    }

    /** 1, 2 or 5 times a power of ten, not below the value. */
    private static double niceStep(double minStep) {
        double power = Math.pow(10, Math.floor(Math.log10(minStep)));
        return power * (minStep <= power ? 1 : minStep <= 2 * power ? 2 : minStep <= 5 * power ? 5 : 10);
    }

    private List<String> draw(double natural, DemoResult.@Nullable Found found, double constructed) {
        List<String> lines = new ArrayList<>();
        lines.add(row("requests/s", scale()));
        lines.add(row(label("natural load", natural), mark(natural, 'o')));
        if (found != null) {
            lines.add(row(label("measured", found.capacity()), interval(found)));
        }
        lines.add(row(label("by construction", constructed), mark(constructed, '^')));
        return lines;
    }

    private static String row(String label, String drawn) {
        return String.format(Locale.ROOT, "%-20s|%s", label, drawn).stripTrailing();
    }

    private static String label(String name, double load) {
        return String.format(Locale.ROOT, "%-15s %3.0f", name, load);
    }

    private String scale() {
        StringBuilder scale = new StringBuilder();
        for (int tick = 1; tick <= ticks; tick++) {
            String number = String.format(Locale.ROOT, "%.0f", step * tick);
            // The last digit of a number stands at the column of its load.
            int column = column(step * tick) + 1;
            scale.append(" ".repeat(Math.max(0, column - number.length() - scale.length()))).append(number);
        }
        return scale.toString();
    }

    private String mark(double load, char symbol) {
        return " ".repeat(column(load)) + symbol;
    }

    private String interval(DemoResult.Found found) {
        int low = column(found.low());
        int middle = column(found.capacity());
        int high = column(found.high());
        StringBuilder drawn = new StringBuilder(" ".repeat(low)).append("-".repeat(high - low + 1));
        drawn.setCharAt(low, '[');
        drawn.setCharAt(high, ']');
        drawn.setCharAt(middle, '*');
        return drawn.toString();
    }

    private int column(double load) {
        return (int) Math.round(Math.clamp(load / top, 0, 1) * COLUMNS);
    }
}
