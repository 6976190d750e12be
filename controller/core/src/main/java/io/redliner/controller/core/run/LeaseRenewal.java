// SPDX-License-Identifier: Apache-2.0
package io.redliner.controller.core.run;

import java.time.Duration;
import java.time.Instant;
import java.util.Optional;

/** Keeps a lease alive. */
final class LeaseRenewal {

    private LeaseRenewal() {}

    /** The course with a renewed lease when it is time for one. */
    static Optional<RunProgress> renew(RunState.Leased state, Instant now) {
        return renew(state.facts(), state.course(), state.facts().times().renewal(), now);
    }

    /**
     * The course with a renewed lease when it will soon be time for one, as far as it is: what is decided is stored
     * anyway, and saves a decision of its own.
     */
    static RunProgress alongside(RunFacts facts, RunProgress course, Instant now) {
        Duration soon = facts.times().renewal().multipliedBy(3).dividedBy(4);
        return renew(facts, course, soon, now).orElse(course);
    }

    private static Optional<RunProgress> renew(RunFacts facts, RunProgress course, Duration after, Instant now) {
        Lease newest = course.lease().newest();
        if (now.isBefore(newest.issuedAt().plus(after))) {
            return Optional.empty();
        }
        return Optional.of(course.with(newest.released()
                ? course.lease().release(facts, now)
                : course.sent(facts, course.share(), now)));
    }
}
