// SPDX-License-Identifier: Apache-2.0
package io.redliner.controller.service.web;

import java.util.List;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * One page of a list.
 *
 * @param nextPageToken where the next one begins, opaque to clients; absent at the end, and of lists that are whole
 */
record Page<T>(List<T> items, @Nullable String nextPageToken) {

    Page {
        items = List.copyOf(items);
    }

    /** Returns a list without pages, which always has all items. */
    static <T> Page<T> whole(List<T> items) {
        return new Page<>(items, null);
    }

    /**
     * Returns a page of something that is read from the database.
     *
     * @param found up to one more than fit
     * @param limit how many fit
     * @param view how one of them is shown
     * @param token of the page that begins behind one of them
     */
    static <R, T> Page<T> of(List<R> found, int limit, Function<? super R, ? extends T> view,
            Function<? super R, String> token) {
        List<R> shown = found.subList(0, Math.min(limit, found.size()));
        return new Page<>(shown.stream().<T>map(view).toList(),
                found.size() > limit ? token.apply(shown.getLast()) : null);
    }
}
