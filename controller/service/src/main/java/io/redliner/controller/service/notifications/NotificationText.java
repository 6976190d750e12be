// SPDX-License-Identifier: Apache-2.0
package io.redliner.controller.service.notifications;

import io.redliner.controller.core.notification.NotificationPayload;
import io.redliner.controller.core.notification.NotificationPayload.Measured;
import io.redliner.controller.core.run.HarmDone;
import io.redliner.controller.core.run.RestoreProof;
import io.redliner.controller.plan.NumberText;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import org.jspecify.annotations.Nullable;

/** The text of a notification for people. It is plain text, which each channel has to escape. */
final class NotificationText {

    private NotificationText() {}

    /** A fact about the run, by name. */
    record Fact(String name, String value) {}

    /** Returns the headline, one line. It holds names that plans allow, the event and numbers only. */
    static String headline(NotificationPayload payload) {
        String service = payload.run().service();
        NotificationPayload.End end = payload.end();
        String over = end == null ? null : end.headline();
        return switch (payload.trigger()) {
            case STARTED -> "Run of " + payload.run().planName() + " on " + service + " started";
            case BREACHED -> "Run on " + service + " broke its SLA or a guard";
            case FINISHED, ABORTED, FAILED, INCONCLUSIVE -> over == null
                    ? "Run of " + payload.run().planName() + " on " + service + " is over"
                            + (end == null ? "" : ": " + end.outcome())
                    : over;
            case RESTORE_UNPROVEN -> notNatural(payload.restored())
                    ? "TRAFFIC OF " + service + " IS NOT NATURAL though its run is over"
                    : "Run on " + service + " is over and natural traffic is not proven";
            case CAPACITY_CHANGED -> "Capacity of " + service + " changed" + change(payload) + ": "
                    + orUnknown(payload.capacity());
        };
    }

    /** Returns the facts of a notification, in the order in which they are shown. */
    static List<Fact> facts(NotificationPayload payload) {
        List<Fact> facts = new ArrayList<>();
        facts.add(new Fact("Service", payload.run().service()));
        facts.add(new Fact("Instance", payload.run().sut()));
        facts.add(new Fact("Plan", payload.run().planName()));
        facts.add(new Fact("Phase", payload.run().phase()));
        NotificationPayload.End end = payload.end();
        if (end != null) {
            facts.add(new Fact("Outcome", end.outcome()));
            facts.add(new Fact("Reason", end.stopCode() + ": " + end.stopDetail()));
        }
        if (payload.capacity() != null) {
            facts.add(new Fact("Capacity", describe(payload.capacity())));
        }
        if (payload.previous() != null) {
            facts.add(new Fact("Before", describe(payload.previous())));
        }
        HarmDone harm = payload.harm();
        facts.add(new Fact("Harm by the test", requests(harm.byTest())
                + (harm.budget() == null ? "" : " of " + NumberText.brief((double) harm.budget()) + " allowed")));
        if (harm.byItself() != null) {
            facts.add(new Fact("Harm anyway", requests(harm.byItself())));
        }
        RestoreProof proof = payload.restored();
        if (proof != null) {
            facts.add(new Fact("Traffic restored", switch (proof.traffic()) {
                case NATURAL -> proof.proof().name();
                case NOT_NATURAL -> "NO: " + proof.detail();
                case UNKNOWN -> "not known: " + proof.detail();
            }));
        }
        return facts;
    }

    private static boolean notNatural(@Nullable RestoreProof proof) {
        return proof != null && proof.traffic() == RestoreProof.Traffic.NOT_NATURAL;
    }

    private static String orUnknown(@Nullable Measured capacity) {
        return capacity == null ? "unknown" : describe(capacity);
    }

    private static String change(NotificationPayload payload) {
        return payload.capacity() == null || payload.previous() == null
                ? ""
                : String.format(Locale.ROOT, " by %+.0f %%",
                        100 * CapacityChange.ratio(payload.previous(), payload.capacity()));
    }

    private static String describe(Measured measured) {
        return (measured.lowerBound()
                ? "at least " + NumberText.rate(measured.low())
                : NumberText.rate(measured.requestsPerSecond()) + " (" + NumberText.round(measured.low()) + " to "
                        + NumberText.round(measured.high()) + ")")
                + (measured.limitingRule().isEmpty() ? "" : ", limited by " + measured.limitingRule())
                + measured.certainty().suffix();
    }

    private static String requests(long harmed) {
        return NumberText.brief((double) harmed) + " requests";
    }
}
