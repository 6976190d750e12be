// SPDX-License-Identifier: Apache-2.0
package io.redliner.controller.service.notifications;

import io.redliner.controller.core.notification.NotificationPayload;
import io.redliner.controller.core.notification.NotificationPayload.Measured;
import io.redliner.controller.core.port.StoredRun;
import io.redliner.controller.core.run.Certainty;
import io.redliner.controller.core.run.HarmDone;
import io.redliner.controller.core.run.Headline;
import io.redliner.controller.core.run.RunEnd;
import io.redliner.controller.core.run.RunFacts;
import io.redliner.controller.core.run.RunState;
import io.redliner.controller.plan.NotificationSubscription.NotificationEvent;
import io.redliner.controller.service.persistence.CapacityRecord;
import java.time.Instant;
import org.jspecify.annotations.Nullable;

/** Builds the messages about a run. */
final class Notices {

    private Notices() {}

    /** The message about this event; {@code previous} is the capacity before a changed one. */
    static NotificationPayload of(StoredRun run, NotificationEvent event, @Nullable Measured previous, Instant at) {
        RunState state = run.state();
        RunFacts facts = state.facts();
        RunEnd ending = state.ending();
        HarmDone harm = state.harm();
        return new NotificationPayload(event, at, run.id(), facts.service(), facts.sut(), run.plan().name(),
                run.plan().hash(),
                state.phase().wireName(), ending == null ? null : ending.outcome().name(),
                ending == null ? null : ending.reason().code().wireName(),
                ending == null ? null : ending.reason().detail(), capacity(ending),
                event == NotificationEvent.CAPACITY_CHANGED ? previous : null, harm.requests(), harm.allowed(),
                harm.anyway(),
                state instanceof RunState.Finished finished ? finished.restored() : null,
                Headline.of(state).orElse(null));
    }

    /** A capacity that was recorded. */
    static Measured measured(CapacityRecord recorded) {
        return new Measured(recorded.capacity(), recorded.low(), recorded.high(), recorded.lowerBound(),
                recorded.limitingRule(), Certainty.of(recorded.conclusion()));
    }

    /** The capacity that the run found; null for an inconclusive or aborted run, whose estimate is no result. */
    private static @Nullable Measured capacity(@Nullable RunEnd ending) {
        return ending == null
                ? null
                : ending.capacity().map(found -> new Measured(found.capacity(), found.low(), found.high(),
                        ending.lowerBound(), found.limitingRule(), ending.certainty())).orElse(null);
    }
}
