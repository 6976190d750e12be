// SPDX-License-Identifier: Apache-2.0
package io.redliner.contract.redirect;

import java.util.Locale;
import org.jspecify.annotations.Nullable;

/**
 * A condition on one header of a request: the whole value, or a range that holds the value as a whole number.
 *
 * @param name in lower case
 * @param exact the whole value; absent when a range is wanted
 * @param from the least number, included; absent when a text is wanted
 * @param to the end of the numbers, not included; absent when a text is wanted
 */
public record HeaderMatch(String name, @Nullable String exact, @Nullable Long from, @Nullable Long to) {

    /** @throws IllegalArgumentException when it wants neither one text nor one range, or a range with nothing in it */
    public HeaderMatch {
        HttpSyntax.requireName(name);
        name = name.toLowerCase(Locale.ROOT);
        if (exact != null) {
            HttpSyntax.requireValue(exact);
        }
        boolean range = from != null && to != null;
        if ((exact != null) == range || (from == null) != (to == null)) {
            throw new IllegalArgumentException("needs either exact, or from and to");
        }
        if (from != null && to != null && from >= to) {
            throw new IllegalArgumentException("needs a from below its to: " + from + " is not below " + to);
        }
    }

    /** Returns the whole value. */
    public static HeaderMatch exactly(String name, String value) {
        return new HeaderMatch(name, value, null, null);
    }

    /** Returns a whole number from {@code from} (included) to {@code to} (not included). */
    public static HeaderMatch between(String name, long from, long to) {
        return new HeaderMatch(name, null, from, to);
    }

    /** Returns true when no header satisfies both. A text and a range are always taken to overlap. */
    boolean excludes(HeaderMatch other) {
        if (!name.equals(other.name)) {
            return false;
        }
        if (exact != null && other.exact != null) {
            return !exact.equals(other.exact);
        }
        return from != null && to != null && other.from != null && other.to != null
                && (to <= other.from || other.to <= from);
    }
}
