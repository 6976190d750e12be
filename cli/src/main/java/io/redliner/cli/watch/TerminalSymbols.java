// SPDX-License-Identifier: Apache-2.0
package io.redliner.cli.watch;

import java.util.List;

/** Characters for bars and sparklines: blocks where the terminal knows Unicode, else plain ones. */
public enum TerminalSymbols {

    /** Blocks of eighths. */
    UNICODE('█', '░', "▁▂▃▄▅▆▇█", '·'),
    /** Characters that every terminal has. */
    ASCII('#', '-', "_.:-=+*#", ' ');

    private final char full;

    private final char empty;

    private final String levels;

    private final char gap;

    TerminalSymbols(char full, char empty, String levels, char gap) {
        this.full = full;
        this.empty = empty;
        this.levels = levels;
        this.gap = gap;
    }

    /**
     * Returns a bar that fills.
     *
     * @param part 0 to 1; above 1 it is full, NaN is empty
     * @param width in characters
     */
    public String bar(double part, int width) {
        double within = Double.isNaN(part) ? 0 : Math.clamp(part, 0, 1);
        int filled = (int) Math.floor(within * width);
        return String.valueOf(full).repeat(filled) + String.valueOf(empty).repeat(width - filled);
    }

    /**
     * Returns the last values as columns, the newest at the right. Each value has a column of its own, so that the largest is not
     * averaged away.
     *
     * @param values NaN where there is none
     * @param top the value of the highest column; values above it are as high
     * @param width in characters
     */
    public String sparkline(List<Double> values, double top, int width) {
        List<Double> shown = values.subList(Math.max(0, values.size() - width), values.size());
        StringBuilder line = new StringBuilder();
        for (double value : shown) {
            line.append(Double.isNaN(value) ? gap : level(value, top));
        }
        return line.toString();
    }

    private char level(double value, double top) {
        double part = top > 0 ? Math.clamp(value / top, 0, 1) : 0;
        return levels.charAt((int) Math.min(levels.length() - 1, Math.floor(part * levels.length())));
    }
}
