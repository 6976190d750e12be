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
 * @param outcome absent while the run lives and nothing has ended it
 * @param stopCode why it ended, from a small fixed set
 * @param stopDetail one sentence for people; may repeat what a user wrote
 * @param capacity what was found, if something was
 * @param previous what was found before, when that has changed
 * @param harmRequests requests that the test harmed
 * @param harmAllowed by the plan's budget; absent when the service's rate never became known
 * @param harmAnyway requests that would have broken the SLA in any case; absent when that is not known
 * @param restored whether traffic is natural again; absent before the end
 * @param headline result of the run in one line; absent before the end
 */
public record NotificationPayload(NotificationEvent trigger, Instant at, String runId, String service, String sut,
        String planName, String planHash,
        String phase, @Nullable String outcome, @Nullable String stopCode, @Nullable String stopDetail,
        @Nullable Measured capacity, @Nullable Measured previous, double harmRequests, @Nullable Double harmAllowed,
        @Nullable Double harmAnyway,
        @Nullable RestoreProof restored, @Nullable String headline) {

    /**
     * A capacity in requests/s with its 95 % interval.
     *
     * @param lowerBound it is at least {@code low}
     * @param limitingRule empty while none limits it
     */
    public record Measured(double requestsPerSecond, double low, double high, boolean lowerBound, String limitingRule,
            Certainty certainty) {}

    /** Cost of the run to its users. */
    public HarmDone harm() {
        return new HarmDone(harmRequests, harmAllowed, harmAnyway);
    }

    /** Returns the event as it is written in plans: {@code capacity-changed}. */
    public String event() {
        return written(trigger);
    }

    static String written(NotificationEvent event) {
        return event.name().toLowerCase(Locale.ROOT).replace('_', '-');
    }
}
