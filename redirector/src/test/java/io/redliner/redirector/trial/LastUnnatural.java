// SPDX-License-Identifier: Apache-2.0
package io.redliner.redirector.trial;

import java.time.Duration;
import java.time.Instant;
import java.util.Set;
import java.util.function.Supplier;

/** Finds out when an instance that gets everything does so no more. */
final class LastUnnatural {

    private static final int REQUESTS = 12;

    private LastUnnatural() {}

    /** When this was last so of requests without attributes. */
    static Instant of(Traffic traffic, String sut) {
        return of(sut, () -> traffic.send(REQUESTS).keySet());
    }

    /**
     * When this was last so.
     *
     * @param answering sends some requests, and says who answered
     */
    static Instant of(String sut, Supplier<Set<String>> answering) {
        Instant lastUnnatural = Instant.now();
        // On a machine that stands still time passes without a look.
        int natural = 0;
        while (natural < 5 || Duration.between(lastUnnatural, Instant.now()).toMillis() < 300) {
            Instant before = Instant.now();
            natural++;
            // By chance at the natural share: once in sixteen million.
            if (answering.get().equals(Set.of(sut))) {
                lastUnnatural = before;
                natural = 0;
            }
        }
        return lastUnnatural;
    }
}
