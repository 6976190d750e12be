// SPDX-License-Identifier: Apache-2.0
package io.redliner.controller.service.kubernetes;

import static org.assertj.core.api.Assertions.assertThat;

import io.redliner.controller.core.run.RestoreProof;
import io.redliner.controller.core.safety.RejectionReason;
import io.redliner.controller.service.kubernetes.CapacityTestDecider.Action;
import io.redliner.controller.service.kubernetes.CapacityTestDecider.Decision;
import io.redliner.controller.service.kubernetes.CapacityTestDecider.Known;
import io.redliner.controller.service.kubernetes.CapacityTestDecider.ObjectEvent;
import io.redliner.controller.service.persistence.StoredPlan;
import io.redliner.controller.service.scheduling.RunStarter;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.parallel.Execution;
import org.junit.jupiter.api.parallel.ExecutionMode;

/** Requests for a run, by the annotation of an object. */
@Execution(ExecutionMode.CONCURRENT)
class RunRequestTest extends CapacityTestFixture {

    @Test
    void a_request_starts_one_run_however_often_the_object_is_looked_at() {
        StoredPlan plan = stored();
        runRequest = "2026-11-30T09:00:00Z";

        Decision decision = decide(new Known(plan, List.of(), null));
        assertThat(decision.actions()).singleElement().isInstanceOf(Action.StartRun.class);
        String key = test().requestKey();
        status = CapacityTestDecider.started(test(), status, new RunStarter.Answer.Started("r-1"), NOW,
                new ArrayList<>());

        assertThat(condition("Running")).isEqualTo("True Started");
        Decision next = decide(new Known(plan, List.of(run("r-1", null, RestoreProof.Proof.MEASURED)), null));
        assertThat(next.actions()).isEmpty();
        assertThat(reasons(next)).containsExactly("RunStarted");
        assertThat(status.run()).isEqualTo("r-1");
        assertThat(key).startsWith("kubernetes/uid-1/").isEqualTo(test().requestKey());
        runRequest = "2026-11-30T08:59:00Z";
        assertThat(decide(new Known(plan, List.of(), null)).actions()).hasSize(1);
        assertThat(test().requestKey()).isNotEqualTo(key);
    }

    private static final RunStarter.Answer BUSY = new RunStarter.Answer.Refused("service-busy",
            "service cart is being tested", true);

    /** A look at which the start is tried. */
    private List<ObjectEvent> look(Known known, RunStarter.Answer answer, Instant now) {
        Decision decision = decide(known, now);
        List<ObjectEvent> events = new ArrayList<>(decision.events());
        for (Action action : decision.actions()) {
            if (action instanceof Action.StartRun) {
                status = CapacityTestDecider.started(test(), status, answer, now, events);
            } else if (action instanceof Action.RefuseRun refused) {
                status = CapacityTestDecider.refused(test(), status, refused.reason(), refused.message(), now, events);
            }
        }
        return events;
    }

    @Test
    void a_request_beside_a_live_run_waits_five_minutes_without_another_write_and_is_then_refused_once() {
        Known known = new Known(stored(), List.of(run("r-1", null, RestoreProof.Proof.MEASURED)), null);
        runRequest = NOW.toString();
        look(known, BUSY, NOW);
        assertThat(condition("Requested")).isEqualTo("Unknown Waiting");
        assertThat(condition("Running")).isEqualTo("True Pending");
        CapacityTestStatus before = status;

        assertThat(look(known, BUSY, NOW.plusSeconds(2))).isEmpty();
        assertThat(status).isEqualTo(before);
        List<ObjectEvent> late = look(known, BUSY, NOW.plus(Duration.ofMinutes(6)));

        assertThat(condition("Requested")).isEqualTo("False Expired");
        assertThat(condition("Running")).isEqualTo("True Pending");
        assertThat(late).singleElement().satisfies(event -> {
            assertThat(event.reason()).isEqualTo("RunRefused");
            assertThat(event.message()).contains("last: service cart is being tested");
        });
        CapacityTestStatus refused = status;
        assertThat(look(known, BUSY, NOW.plus(Duration.ofMinutes(7)))).isEmpty();
        assertThat(status).isEqualTo(refused);
    }

    @Test
    void a_newer_request_has_its_own_five_minutes() {
        Known known = new Known(stored(), List.of(), null);
        runRequest = NOW.toString();
        look(known, BUSY, NOW);
        runRequest = NOW.plus(Duration.ofMinutes(4)).toString();

        look(known, BUSY, NOW.plus(Duration.ofMinutes(4)));
        look(known, BUSY, NOW.plus(Duration.ofMinutes(8)));

        assertThat(condition("Requested")).isEqualTo("Unknown Waiting");
    }

    @Test
    void a_request_that_comes_while_the_object_is_refused_is_answered_and_starts_nothing_later() {
        runRequest = NOW.toString();
        Decision refused = decider.decide(test(), Map.of(), NOTHING, NOW);
        Action.RefuseRun request = (Action.RefuseRun) refused.actions().getFirst();
        status = CapacityTestDecider.refused(test(), refused.status(), request.reason(), request.message(), NOW,
                new ArrayList<>());

        assertThat(condition("Requested")).isEqualTo("False NotOwner");
        assertThat(decide(NOTHING).actions()).extracting(Action::getClass).doesNotContain(Action.StartRun.class);
    }

    @Test
    void a_request_is_a_time_of_the_last_five_minutes_whatever_its_status_says() {
        Known known = new Known(stored(), List.of(), null);
        for (String request : List.of("now", "2026-11-30T08:55:00Z", "2026-11-30T09:01:01Z", "2026-10-20T09:00:00Z")) {
            runRequest = request;
            assertThat(decide(known).actions()).as(request).singleElement().isInstanceOf(Action.RefuseRun.class);
        }
        for (String request : List.of("2026-11-30T08:55:01Z", "2026-11-30T09:01:00Z", "2026-11-30T10:00:00+01:00")) {
            runRequest = request;
            assertThat(decide(known).actions()).as(request).singleElement().isInstanceOf(Action.StartRun.class);
        }
    }

    @Test
    void what_cannot_work_is_refused_at_once() {
        runRequest = NOW.toString();
        look(NOTHING, new RunStarter.Answer.Refused(RejectionReason.NO_PEERS.wireName(),
                "nobody could take its traffic", false), NOW);

        assertThat(condition("Requested")).startsWith("False");
        assertThat(status.runRequest()).isEqualTo(runRequest);
    }
}
