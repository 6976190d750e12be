// SPDX-License-Identifier: Apache-2.0
package io.redliner.cli.watch;

import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.stream.Collectors;
import java.util.stream.IntStream;

/**
 * Lays out text for a terminal. Lines break between words; a table that is too wide becomes a paragraph for each row.
 *
 * @param width in columns
 */
public record TextLayout(int width) {

    /** A layout for programs and files: no line is broken. */
    public static final TextLayout UNLIMITED = new TextLayout(Integer.MAX_VALUE);

    private static final int MIN_WIDTH = 20;

    private static final String GAP = "   ";

    /** Blanks before what continues the line above. */
    private static final String INDENT = "  ";

    /** @throws IllegalArgumentException when the width is too small for a word */
    public TextLayout {
        if (width < MIN_WIDTH) {
            throw new IllegalArgumentException("a line of " + width + " columns is too short");
        }
    }

    /** Returns the layout for the standard output: as wide as $COLUMNS or the launcher's terminal, else unlimited. */
    public static TextLayout ofStandardOutput() {
        String columns = System.getenv().getOrDefault("COLUMNS", "");
        return parse(columns.isBlank() ? System.getProperty("redliner.columns", "") : columns);
    }

    /** Returns the layout with a number of columns; unlimited without a number, or with one that no terminal has. */
    static TextLayout parse(String columns) {
        return columns.matches("\\d{2,4}") && Integer.parseInt(columns) >= MIN_WIDTH
                ? new TextLayout(Integer.parseInt(columns))
                : UNLIMITED;
    }

    /** Returns a layout that is at most so wide. */
    public TextLayout atMost(int columns) {
        return width <= columns ? this : new TextLayout(columns);
    }

    /** Returns the lines that a line becomes, those after the first indented; a word that is longer than a line stays whole. */
    public List<String> wrap(String line) {
        List<String> lines = new ArrayList<>();
        String indent = " ".repeat(Math.min(width / 2, line.length() - line.stripLeading().length())) + INDENT;
        String rest = line;
        for (int end = lineEnd(rest); end > 0; end = lineEnd(rest)) {
            lines.add(rest.substring(0, end).stripTrailing());
            rest = indent + rest.substring(end).stripLeading();
        }
        lines.add(rest);
        return lines;
    }

    /** Returns where to break a line, between two words; -1 when it is short enough, or a single word. */
    private int lineEnd(String line) {
        if (line.length() <= width) {
            return -1;
        }
        int start = line.length() - line.stripLeading().length();
        int end = line.lastIndexOf(' ', width);
        return end > start ? end : line.indexOf(' ', Math.max(start, width));
    }

    /**
     * Returns a row for each list of cells below the heads, each column as wide as its widest cell. When that is too wide, the first
     * cell of each row heads a paragraph of the others, each behind the name of its column; cells that are {@code -} are left out.
     */
    public List<String> table(List<String> heads, List<List<String>> rows) {
        List<List<String>> all = new ArrayList<>(List.of(heads));
        all.addAll(rows);
        int[] widths = IntStream.range(0, heads.size())
                .map(column -> all.stream().mapToInt(row -> row.get(column).length()).max().orElse(1)).toArray();
        if (IntStream.of(widths).sum() + (long) GAP.length() * (widths.length - 1) > width) {
            return rows.stream().flatMap(row -> paragraph(heads, row).stream()).toList();
        }
        String format = IntStream.of(widths).mapToObj(column -> "%-" + Math.max(1, column) + "s")
                .collect(Collectors.joining(GAP));
        return all.stream().map(row -> String.format(Locale.ROOT, format, row.toArray()).stripTrailing()).toList();
    }

    private List<String> paragraph(List<String> heads, List<String> row) {
        List<String> lines = new ArrayList<>(wrap(heads.getFirst() + " " + row.getFirst()));
        StringBuilder line = new StringBuilder();
        for (int column = 1; column < row.size(); column++) {
            if (row.get(column).equals("-")) {
                continue;
            }
            String cell = heads.get(column).toLowerCase(Locale.ROOT) + " " + row.get(column);
            if (!line.isEmpty() && INDENT.length() + line.length() + GAP.length() + cell.length() > width) {
                lines.addAll(wrap(INDENT + line));
                line.setLength(0);
            }
            line.append(line.isEmpty() ? "" : GAP).append(cell);
        }
        if (!line.isEmpty()) {
            lines.addAll(wrap(INDENT + line));
        }
        return lines;
    }
}
