// SPDX-License-Identifier: Apache-2.0
package io.redliner.cli.watch;

import java.util.ArrayList;
import java.util.List;

/** Rows under one another, each column as wide as its widest cell. */
public final class TextTable {

    private static final String BETWEEN = "   ";

    private final List<List<String>> rows = new ArrayList<>();

    /** @param heads of the columns */
    public TextTable(String... heads) {
        rows.add(List.of(heads));
    }

    /** Adds a row with as many cells as there are heads. */
    public void row(String... cells) {
        if (cells.length != rows.getFirst().size()) {
            throw new IllegalArgumentException(cells.length + " cells for " + rows.getFirst().size() + " columns");
        }
        rows.add(List.of(cells));
    }

    /** Returns whether there is nothing but heads. */
    public boolean isEmpty() {
        return rows.size() == 1;
    }

    /** Returns the rows as lines without blanks at their ends. */
    public List<String> lines() {
        int[] widths = new int[rows.getFirst().size()];
        for (List<String> row : rows) {
            for (int column = 0; column < widths.length; column++) {
                widths[column] = Math.max(widths[column], row.get(column).length());
            }
        }
        return rows.stream().map(row -> line(row, widths)).toList();
    }

    private static String line(List<String> row, int[] widths) {
        StringBuilder line = new StringBuilder();
        for (int column = 0; column < widths.length; column++) {
            String cell = row.get(column);
            line.append(cell).append(" ".repeat(widths[column] - cell.length())).append(BETWEEN);
        }
        return line.toString().stripTrailing();
    }
}
