// SPDX-License-Identifier: Apache-2.0
package io.redliner.controller.service.report;

import java.util.List;

/**
 * A part of a report that only one kind of test has, e.g. the recovery time of a spike.
 *
 * @param id lower-case letters and {@code -}; its key in JSON
 * @param claims a claim of the same group and name replaces the one that the report would make by itself
 */
public record Section(String id, String title, List<Fact> facts, List<Table> tables, List<ReportCheck> claims) {

    public Section {
        facts = List.copyOf(facts);
        tables = List.copyOf(tables);
        claims = List.copyOf(claims);
    }

    /** A name and a value with its unit. */
    public record Fact(String name, String value) {}

    /** Rows of as many cells as there are columns. */
    public record Table(String caption, List<String> columns, List<List<String>> rows) {

        /**
         * Checks the rows.
         *
         * @throws IllegalArgumentException when a row has another length
         */
        public Table {
            columns = List.copyOf(columns);
            rows = rows.stream().map(List::copyOf).toList();
            for (List<String> row : rows) {
                if (row.size() != columns.size()) {
                    throw new IllegalArgumentException(caption + ": a row of " + row.size() + " cells in a table of "
                            + columns.size() + " columns");
                }
            }
        }
    }
}
