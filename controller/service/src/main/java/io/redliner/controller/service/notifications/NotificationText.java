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

/** A notice in words for people: plain text, to be escaped for wherever it goes. */
final class NotificationText {

    private NotificationText() {}

    /** A fact about the run, by name. */
    record Fact(String name, String value) {}

    /** One line; made of names that plans allow, the event and numbers. */
    static String headline(NotificationPayload notice) {
        String service = notice.service();
        String over = notice.headline();
        return switch (notice.trigger()) {
            case STARTED -> "Run of " + notice.planName() + " on " + service + " started";
            case BREACHED -> "Run on " + service + " broke its SLA or a guard";
            case FINISHED, ABORTED, FAILED, INCONCLUSIVE -> over == null
                    ? "Run of " + notice.planName() + " on " + service + " is over"
                            + (notice.outcome() == null ? "" : ": " + notice.outcome())
                    : over;
            case RESTORE_UNPROVEN -> notNatural(notice.restored())
                    ? "TRAFFIC OF " + service + " IS NOT NATURAL though its run is over"
                    : "Run on " + service + " is over and natural traffic is not proven";
            case CAPACITY_CHANGED -> "Capacity of " + service + " changed" + change(notice) + ": "
                    + orUnknown(notice.capacity());
        };
    }

    /** The facts of a notification, in the order in which they are shown. */
    static List<Fact> facts(NotificationPayload notice) {
        List<Fact> facts = new ArrayList<>();
        facts.add(new Fact("Service", notice.service()));
        facts.add(new Fact("Instance", notice.sut()));
        facts.add(new Fact("Plan", notice.planName()));
        facts.add(new Fact("Phase", notice.phase()));
        if (notice.outcome() != null) {
            facts.add(new Fact("Outcome", notice.outcome()));
        }
        if (notice.stopCode() != null) {
            facts.add(new Fact("Reason", notice.stopCode() + ": " + notice.stopDetail()));
        }
        if (notice.capacity() != null) {
            facts.add(new Fact("Capacity", words(notice.capacity())));
        }
        if (notice.previous() != null) {
            facts.add(new Fact("Before", words(notice.previous())));
        }
        HarmDone harm = notice.harm();
        facts.add(new Fact("Harm by the test", requests(harm.byTest())
                + (harm.budget() == null ? "" : " of " + NumberText.brief((double) harm.budget()) + " allowed")));
        if (harm.byItself() != null) {
            facts.add(new Fact("Harm anyway", requests(harm.byItself())));
        }
        RestoreProof restored = notice.restored();
        if (restored != null) {
            facts.add(new Fact("Traffic restored", switch (restored.traffic()) {
                case NATURAL -> restored.proof().name();
                case NOT_NATURAL -> "NO: " + restored.detail();
                case UNKNOWN -> "not known: " + restored.detail();
            }));
        }
        return facts;
    }

    private static boolean notNatural(@Nullable RestoreProof restored) {
        return restored != null && restored.traffic() == RestoreProof.Traffic.NOT_NATURAL;
    }

    private static String orUnknown(@Nullable Measured capacity) {
        return capacity == null ? "unknown" : words(capacity);
    }

    private static String change(NotificationPayload notice) {
        return notice.capacity() == null || notice.previous() == null
                ? ""
                : String.format(Locale.ROOT, " by %+.0f %%",
                        100 * CapacityChange.ratio(notice.previous(), notice.capacity()));
    }

    private static String words(Measured measured) {
        return (measured.lowerBound() ? "at least " : "") + NumberText.brief(measured.requestsPerSecond())
                + " requests/s ("
                + NumberText.brief(measured.low()) + " to " + NumberText.brief(measured.high()) + ")"
                + (measured.limitingRule().isEmpty() ? "" : ", limited by " + measured.limitingRule())
                + (measured.doubts().isEmpty() ? "" : ", doubtful: " + String.join(", ", measured.doubts()));
    }

    private static String requests(long harmed) {
        return NumberText.brief((double) harmed) + " requests";
    }
}
