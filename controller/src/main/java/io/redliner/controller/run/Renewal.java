// SPDX-License-Identifier: Apache-2.0
package io.redliner.controller.run;

import java.time.Instant;
import java.util.Optional;

/** Keeps a lease alive. */
final class Renewal {

    private Renewal() {}

    /** The course with a renewed lease when it is time for one. */
    static Optional<Course> renew(RunState.Leased state, Instant now) {
        Course course = state.course();
        Instant due = course.lease().newest().issuedAt().plus(state.facts().times().renewal());
        if (now.isBefore(due)) {
            return Optional.empty();
        }
        LeaseBook renewed = course.lease().newest().released()
                ? course.lease().release(state.facts(), now)
                : course.lease().send(state.facts(), course.share(), now);
        return Optional.of(course.with(renewed));
    }
}
