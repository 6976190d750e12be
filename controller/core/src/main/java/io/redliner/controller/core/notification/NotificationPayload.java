// SPDX-License-Identifier: Apache-2.0
package io.redliner.controller.core.notification;

import io.redliner.controller.core.run.Certainty;
import io.redliner.controller.core.run.HarmDone;
import io.redliner.controller.core.run.RestoreProof;
import io.redliner.controller.plan.NotificationSubscription.NotificationEvent;
import java.time.Instant;
import java.util.Locale;
import org.jspecify.annotations.Nullable;

/**
 * The content of a notification, as the run was when the event happened.
 *
 * @param at when it happened
 * @param end absent while the run lives and nothing has ended it
 * @param capacity what was found, if something was
 * @param previous what was found before, when that has changed
 */
public record NotificationPayload(NotificationEvent trigger, Instant at, Run run, @Nullable End end,
        @Nullable Measured capacity, @Nullable Measured previous, HarmDone harm) {

    /** The run that the notification is about. */
    public record Run(String id, String service, String sut, String planName, String planHash, String phase) {}

    /**
     * The end of the run.
     *
     * @param stopCode why it ended, from a small fixed set
     * @param stopDetail one sentence for people; may repeat what a user wrote
     * @param restored whether traffic is natural again; absent before that is known
     * @param headline result of the run in one line; absent before the run is over
     */
    public record End(String outcome, String stopCode, String stopDetail, @Nullable RestoreProof restored,
            @Nullable String headline) {}

    /**
     * A capacity in requests/s with its 95 % interval.
     *
     * @param lowerBound it is at least {@code low}
     * @param limitingRule empty while none limits it
     */
    public record Measured(double requestsPerSecond, double low, double high, boolean lowerBound, String limitingRule,
            Certainty certainty) {}

    /** Returns the proof that traffic is natural again; null before the run is over. */
    public @Nullable RestoreProof restored() {
        return end == null ? null : end.restored();
    }

    /** Returns the event as it is written in plans: {@code capacity-changed}. */
    public String event() {
        return written(trigger);
    }

    static String written(NotificationEvent event) {
        return event.name().toLowerCase(Locale.ROOT).replace('_', '-');
    }
}
