// SPDX-License-Identifier: Apache-2.0
package io.redliner.controller.service.persistence;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * A row of a page that is read from the database; its content may be unreadable.
 *
 * @param position position in the order of the page
 * @param content empty when it cannot be read
 */
public record Row<P, T>(P position, Optional<T> content) {

    /** Reads at most {@code limit} rows after a position, in their order; without a position, the first rows. */
    @FunctionalInterface
    public interface Query<P, T> {

        List<Row<P, T>> after(@Nullable P position, int limit);
    }

    /**
     * Reads a page of readable rows. Unreadable rows are replaced by later ones, so a page is short only at the end of the table.
     *
     * @param from position before the page; absent for the first page
     */
    public static <P, T> List<T> page(@Nullable P from, int limit, Query<P, T> query) {
        List<T> page = new ArrayList<>();
        P position = from;
        while (true) {
            int wanted = limit - page.size();
            List<Row<P, T>> rows = query.after(position, wanted);
            rows.forEach(row -> row.content().ifPresent(page::add));
            if (rows.size() < wanted || page.size() == limit) {
                return page;
            }
            position = rows.getLast().position();
        }
    }
}
