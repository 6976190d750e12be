// SPDX-License-Identifier: Apache-2.0
package io.redliner.contract.text;

import java.util.Comparator;
import java.util.Locale;
import java.util.Optional;
import java.util.stream.IntStream;
import java.util.stream.Stream;

/** Finds the known word that a misspelled one stands for. */
public final class Spelling {

    /** Letters of a word for each wrong one that a suggestion allows; two that changed places are two wrong ones. */
    private static final int LETTERS_PER_SLIP = 3;

    private Spelling() {}

    /** Returns the known word that differs least, by upper case or by a slip for every third letter; empty when none does. */
    public static Optional<String> nearest(String word, Stream<String> known) {
        String plain = word.toLowerCase(Locale.ROOT);
        return known.filter(candidate -> plainDistance(plain, candidate) * LETTERS_PER_SLIP <= word.length() + 1)
                .min(Comparator.comparingInt(candidate -> plainDistance(plain, candidate)));
    }

    private static int plainDistance(String word, String candidate) {
        // The distance of two words is at least the difference of their lengths.
        int lengths = Math.abs(word.length() - candidate.length());
        return lengths * LETTERS_PER_SLIP > word.length() + 1
                ? lengths
                : distance(word, candidate.toLowerCase(Locale.ROOT));
    }

    /** Returns the number of letters to add, to leave out or to replace that make one word the other (Levenshtein). */
    public static int distance(String one, String other) {
        int[] row = IntStream.rangeClosed(0, other.length()).toArray();
        for (int at = 0; at < one.length(); at++) {
            int[] next = new int[row.length];
            next[0] = at + 1;
            for (int to = 0; to < other.length(); to++) {
                int replaced = row[to] + (one.charAt(at) == other.charAt(to) ? 0 : 1);
                next[to + 1] = Math.min(replaced, 1 + Math.min(next[to], row[to + 1]));
            }
            row = next;
        }
        return row[other.length()];
    }
}
