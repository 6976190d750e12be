// SPDX-License-Identifier: Apache-2.0
package io.redliner.redirector.endtoend;

import java.time.Duration;
import java.time.Instant;
import java.util.Set;
import java.util.function.Supplier;

/**
 * The last of some requests that were all answered by the instance that gets everything.
 *
 * @param asked before them: it still got everything then, or it is the moment in which the looking began
 * @param answered after them: it did so no more from some moment before the next ones
 */
record LastUnrestoredAnswer(Instant asked, Instant answered) {

    private static final int REQUESTS = 12;

    /** When this was last so of requests without attributes. */
    static LastUnrestoredAnswer of(Traffic traffic, String sut) {
        return of(sut, () -> traffic.send(REQUESTS).keySet());
    }

    /**
     * When this was last so.
     *
     * @param answering sends some requests, and says who answered
     */
    static LastUnrestoredAnswer of(String sut, Supplier<Set<String>> answering) {
        Instant asked = Instant.now();
        Instant answered = asked;
        // On a machine that stands still time passes without a look.
        int natural = 0;
        while (natural < 5 || Duration.between(asked, Instant.now()).toMillis() < 300) {
            Instant before = Instant.now();
            natural++;
            // By chance at the natural share: once in sixteen million.
            if (answering.get().equals(Set.of(sut))) {
                asked = before;
                answered = Instant.now();
                natural = 0;
            }
        }
        return new LastUnrestoredAnswer(asked, answered);
    }
}
