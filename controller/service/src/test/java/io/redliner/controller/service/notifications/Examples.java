// SPDX-License-Identifier: Apache-2.0
package io.redliner.controller.service.notifications;

import io.redliner.contract.redirect.Redirect;
import io.redliner.contract.redirect.Share;
import io.redliner.controller.core.notification.NotificationPayload.Measured;
import io.redliner.controller.core.notification.NotificationPayload;
import io.redliner.controller.core.port.StoredRun;
import io.redliner.controller.core.run.Certainty;
import io.redliner.controller.core.run.HarmDone;
import io.redliner.controller.core.run.LoadGoal;
import io.redliner.controller.core.run.Milestones;
import io.redliner.controller.core.run.RestoreProof;
import io.redliner.controller.core.run.RunBounds;
import io.redliner.controller.core.run.RunEnd;
import io.redliner.controller.core.run.RunFacts;
import io.redliner.controller.core.run.RunOutcome;
import io.redliner.controller.core.run.RunState;
import io.redliner.controller.core.run.RunTimeouts;
import io.redliner.controller.core.run.StartConditions;
import io.redliner.controller.core.run.StepPlan;
import io.redliner.controller.core.run.StopCode;
import io.redliner.controller.core.run.StopReason;
import io.redliner.controller.plan.CanonicalPlan;
import io.redliner.controller.plan.NotificationSubscription.NotificationEvent;
import io.redliner.controller.plan.PlanLimits;
import io.redliner.controller.plan.Profile;
import java.time.Duration;
import java.time.Instant;

/** Things to tell. */
final class Examples {

    static final Instant AT = Instant.parse("2026-01-01T00:00:00Z");

    private static final RestoreProof RESTORED = new RestoreProof(RestoreProof.Proof.ACKNOWLEDGED,
            Duration.ofMillis(300),
            "every proxy acknowledged natural weights");

    private Examples() {}

    private static NotificationPayload.Run run(String service, String phase) {
        return new NotificationPayload.Run("r-1", service, "10.0.0.1:80", "weekly", "abc", phase);
    }

    static NotificationPayload notRestored() {
        return new NotificationPayload(NotificationEvent.RESTORE_UNPROVEN, AT, run("shop", "Finished"),
                new NotificationPayload.End("FAILED", "Fenced", "another epoch",
                        new RestoreProof(RestoreProof.Proof.CONTRADICTED_AFTER_EXPIRY, Duration.ofSeconds(7),
                                "and yet 62% arrives"),
                        "The capacity test of 10.0.0.1:80 of shop could not be carried out"),
                null, null, new HarmDone(12, 300.0, 5.0));
    }

    static NotificationPayload aborted(String reason) {
        return new NotificationPayload(NotificationEvent.ABORTED, AT, run("shop", "Finished"),
                new NotificationPayload.End("ABORTED", "AbortRequested", reason, RESTORED,
                        "The capacity test of 10.0.0.1:80 of shop was aborted"),
                null, null, new HarmDone(12, 300.0, 5.0));
    }

    static NotificationPayload notice(NotificationEvent event, String service) {
        return new NotificationPayload(event, AT, run(service, "Preparing"), null, null, null,
                new HarmDone(0, null));
    }

    /** One that is over. */
    static StoredRun loadTest(RunOutcome outcome, StopCode code) {
        StepPlan load = new StepPlan.Hold(Profile.LOAD, LoadGoal.ofRate(500), Duration.ZERO, Duration.ofSeconds(10),
                null);
        RunFacts facts = new RunFacts("r-1", "shop", "10.0.0.1:80", 7, new Share(250_000),
                RunBounds.of(PlanLimits.DEFAULT), RunTimeouts.DEFAULT, AT, Redirect.SPLIT, StartConditions.NONE, null,
                load);
        RunState over = new RunState.Finished(facts, new RunEnd(outcome, new StopReason(code, "because"), null, null),
                RESTORED, new HarmDone(0, null), new Milestones(null, null, null, false), null, AT);
        return new StoredRun("r-1", new CanonicalPlan("weekly", "abc", "{}"), over, 9, 9, AT, AT);
    }

    static NotificationPayload changed() {
        return new NotificationPayload(NotificationEvent.CAPACITY_CHANGED, AT, run("shop", "Finished"),
                new NotificationPayload.End("CAPACITY_FOUND", "CapacityFound", "done", RESTORED,
                        "Capacity of 10.0.0.1:80 of shop: 395 requests/s (383 to 407), limited by latency"),
                capacity(395.04), capacity(500), new HarmDone(12.5, 300.0, 4.0));
    }

    static NotificationPayload bound() {
        return new NotificationPayload(NotificationEvent.FINISHED, AT, run("shop", "Finished"),
                new NotificationPayload.End("TRAFFIC_EXHAUSTED", "TrafficExhausted", "done", RESTORED,
                        "Capacity of 10.0.0.1:80 of shop: at least 388 requests/s"),
                atLeast(400), null, new HarmDone(12.5, 300.0, 4.0));
    }

    static Measured capacity(double value) {
        return new Measured(value, value * 0.97, value * 1.03, false, "latency", Certainty.SURE);
    }

    static Measured atLeast(double value) {
        return new Measured(value, value * 0.97, value * 1.03, true, "", Certainty.SURE);
    }
}
