// SPDX-License-Identifier: Apache-2.0
package io.redliner.controller.core.run;

import io.redliner.controller.core.run.SearchConclusion.Validity;
import io.redliner.controller.core.run.SearchConclusion.ValidityCheck;
import java.util.List;
import java.util.function.Predicate;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * The certainty of a measured number. It is shown wherever the number is.
 *
 * @param checks names of the checks that decided; empty when sure, or when no check is known
 * @param words for people, e.g. {@code doubtful: host}; empty when sure
 */
public record Certainty(Level level, List<String> checks, String words) {

    /** The levels, the best first. */
    public enum Level {
        /** All checks that were made hold, and the peers were a control. */
        SURE,
        /** A check does not hold. */
        DOUBTFUL,
        /** Nothing shows whether something beside the test changed the number: there was no peer to compare with. */
        CANNOT_BE_KNOWN
    }

    /** The checks that compare the SUT with its peers: without them noise looks like the SUT's own limit. */
    private static final List<String> CONTROLS = List.of("noise", "wander");

    /** The check whose doubt more runs are the cure for. */
    private static final String SAMPLES = "samples";

    /** The check that tells which capacity was found: that beside noise, which is another than the quiet one. */
    private static final String NEIGHBOURS = "neighbours";

    /** Nothing speaks against the number. */
    public static final Certainty SURE = new Certainty(Level.SURE, List.of(), "");

    public Certainty {
        checks = List.copyOf(checks);
    }

    /** Returns the certainty of a number that was found with these checks; absent checks control nothing. */
    public static Certainty of(@Nullable SearchConclusion conclusion) {
        if (conclusion == null || conclusion.validity().isEmpty()) {
            return new Certainty(Level.CANNOT_BE_KNOWN, List.of(),
                    "how sure cannot be known: no check of the measurement is known");
        }
        List<String> doubts = names(conclusion,
                check -> check.verdict() == Validity.DOUBTFUL || check.verdict() == Validity.INVALID);
        if (!doubts.isEmpty()) {
            return new Certainty(Level.DOUBTFUL, doubts, "doubtful: " + conclusion.validity().stream()
                    .filter(check -> doubts.contains(check.name()))
                    .map(check -> check.name().equals(NEIGHBOURS) ? check.words() : check.name())
                    .collect(Collectors.joining(", ")));
        }
        Predicate<ValidityCheck> missing = check -> CONTROLS.contains(check.name())
                && check.verdict() == Validity.UNKNOWN;
        List<String> controls = names(conclusion, missing);
        return controls.isEmpty()
                ? SURE
                : new Certainty(Level.CANNOT_BE_KNOWN, controls,
                        "how sure cannot be known: " + conclusion.validity().stream()
                                .filter(missing).map(ValidityCheck::words).distinct()
                                .collect(Collectors.joining("; ")));
    }

    private static List<String> names(SearchConclusion conclusion, Predicate<ValidityCheck> wanted) {
        return conclusion.validity().stream().filter(wanted).map(ValidityCheck::name).toList();
    }

    /** Returns the names of the checks that do not hold; empty unless doubtful. */
    public List<String> doubts() {
        return level == Level.DOUBTFUL ? checks : List.of();
    }

    /**
     * Returns true when a number with these checks may be combined with those of other runs: it would be sure if there had been
     * more requests, and more runs have more.
     */
    public static boolean combinable(@Nullable SearchConclusion conclusion) {
        return conclusion != null && of(new SearchConclusion(conclusion.bottleneck(), conclusion.validity().stream()
                .filter(check -> !check.name().equals(SAMPLES)).toList())).level() == Level.SURE;
    }

    /** Returns the words as the end of a sentence about the number, with a comma before them; empty when sure. */
    public String suffix() {
        return words.isEmpty() ? "" : ", " + words;
    }
}
