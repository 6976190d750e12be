// SPDX-License-Identifier: Apache-2.0
package io.redliner.controller.service.persistence;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * A row of a page that may be unreadable.
 *
 * @param position its place in the order of the page
 * @param content empty when it cannot be read
 */
public record Row<P, T>(P position, Optional<T> content) {

    /** Gives rows after a position, or the first ones without a position, at most so many, in their order. */
    @FunctionalInterface
    public interface Query<P, T> {

        List<Row<P, T>> after(@Nullable P position, int limit);
    }

    /**
     * A page of what can be read: others take the places of rows that cannot, so a page is short only where the rows end.
     *
     * @param from where the page begins after; absent at the first row
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
