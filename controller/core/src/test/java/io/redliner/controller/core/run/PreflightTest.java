// SPDX-License-Identifier: Apache-2.0
package io.redliner.controller.core.run;

import static org.assertj.core.api.Assertions.assertThat;

import io.redliner.contract.lease.ReportedLeaseState;
import io.redliner.contract.redirect.Share;
import io.redliner.sla.Judgement;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.Test;

class PreflightTest {

    private final RunScenario scenario = new RunScenario();

    private void prepareFor(int seconds, Judgement judgement) {
        for (int second = 0; second < seconds && scenario.phase() == RunPhase.PREPARING; second++) {
            scenario.after(Duration.ofSeconds(1));
            scenario.status(ReportedLeaseState.APPLIED);
            scenario.judged(judgement, SearchAdvice.Action.HOLD, 250);
            scenario.decide(new RunEvent.Tick());
        }
    }

    @Test
    void a_service_that_is_ill_without_us_is_not_tested() {
        scenario.decide(new RunEvent.Submitted(List.of("r1")));

        prepareFor(30, Judgement.BREACHED);

        assertThat(scenario.ending().outcome()).isEqualTo(RunOutcome.INCONCLUSIVE);
        assertThat(scenario.ending().reason().code()).isEqualTo(StopCode.PREFLIGHT);
        assertThat(scenario.ending().reason().detail()).contains("not healthy at its natural share");
    }

    @Test
    void a_service_that_cannot_be_judged_is_not_called_ill() {
        scenario.decide(new RunEvent.Submitted(List.of("r1")));

        prepareFor(30, Judgement.INCONCLUSIVE);

        assertThat(scenario.ending().reason().code()).isEqualTo(StopCode.PREFLIGHT);
        assertThat(scenario.ending().reason().detail())
                .contains("whether the service is healthy at its natural share is not known")
                .doesNotContain("is not healthy");
    }

    @Test
    void windows_without_an_answer_are_not_healthy() {
        scenario.decide(new RunEvent.Submitted(List.of("r1")));

        prepareFor(5, Judgement.INCONCLUSIVE);
        assertThat(scenario.phase()).isEqualTo(RunPhase.PREPARING);
        prepareFor(1, Judgement.HOLDS);

        assertThat(scenario.phase()).isEqualTo(RunPhase.BASELINE);
    }

    @Test
    void peers_without_requests_cannot_be_compared_with() {
        scenario.decide(new RunEvent.Submitted(List.of("r1")));
        scenario.status(ReportedLeaseState.APPLIED);

        scenario.withoutPeers();

        assertThat(scenario.phase()).isEqualTo(RunPhase.PREPARING);
    }

    @Test
    void traffic_that_cannot_reach_the_last_known_capacity_is_said_before_anything_is_moved() {
        RunScenario required = new RunScenario(new StartConditions(null, null, 700.0, null));
        required.decide(new RunEvent.Submitted(List.of("r1")));
        for (int second = 0; second < 30 && required.phase() == RunPhase.PREPARING; second++) {
            required.healthy(250);
            required.decide(new RunEvent.Tick());
        }

        assertThat(required.ending().reason().code()).isEqualTo(StopCode.PREFLIGHT);
        assertThat(required.ending().reason().detail()).contains("600", "60%", "700");
    }

    @Test
    void traffic_that_suffices_lets_the_run_begin() {
        RunScenario enough = new RunScenario(new StartConditions(null, null, 600.0, null));
        enough.decide(new RunEvent.Submitted(List.of("r1")));
        enough.healthy(250);

        assertThat(enough.phase()).isEqualTo(RunPhase.BASELINE);
    }

    private static void natural(RunScenario scenario, long service, long sut, long elsewhere) {
        scenario.decide(new RunEvent.Submitted(List.of("r1")));
        for (int second = 0; second < 30 && scenario.phase() == RunPhase.PREPARING; second++) {
            scenario.natural(service, sut, elsewhere);
        }
    }

    @Test
    void an_address_that_gets_nothing_is_distinguished_from_a_service_without_requests() {
        natural(scenario, 1000, 0, 0);
        assertThat(scenario.ending().reason().code()).isEqualTo(StopCode.PREPARATION_TIMEOUT);
        assertThat(scenario.ending().reason().detail()).contains("requests of the service went to 10.0.0.1:80",
                "natural share is 25%", "does an instance listen at this address");

        RunScenario idle = new RunScenario();
        natural(idle, 0, 0, 0);
        assertThat(idle.ending().reason().detail()).contains("no verdict shows requests at 10.0.0.1:80")
                .doesNotContain("does an instance listen");
    }

    private static void assertRefused(RunScenario scenario, String... words) {
        assertThat(scenario.ending().outcome()).isEqualTo(RunOutcome.INCONCLUSIVE);
        assertThat(scenario.ending().reason().code()).isEqualTo(StopCode.PREFLIGHT);
        assertThat(scenario.ending().reason().detail()).contains(words).contains("no traffic was moved");
        assertThat(scenario.course().milestones().trafficShiftedAt()).isNull();
    }

    @Test
    void a_variant_that_nobody_declared_is_named_and_nothing_is_moved() {
        natural(scenario, 800, 200, 200);
        assertRefused(scenario, "20% of the route's requests go to 10.0.0.8:80, 10.0.0.9:80", "runtime.weights");

        RunScenario owners = RunScenario.throughOwnersRoute(Share.NONE);
        natural(owners, 800, 200, 1);
        assertRefused(owners, "10.0.0.8:80, 10.0.0.9:80");
    }

    @Test
    void a_variant_that_was_declared_with_its_weight_is_no_reason() {
        RunScenario owners = RunScenario.throughOwnersRoute(new Share(200_000));
        natural(owners, 800, 200, 200);
        assertThat(owners.phase()).isEqualTo(RunPhase.BASELINE);

        RunScenario wrong = RunScenario.throughOwnersRoute(new Share(100_000));
        natural(wrong, 800, 200, 200);
        assertRefused(wrong, "20% of the route's requests go to clusters that are no part", "it is 10%");
    }

    @Test
    void the_message_of_a_natural_share_that_differs_from_the_services_file_names_both() {
        RunScenario owners = RunScenario.throughOwnersRoute(Share.NONE);
        natural(owners, 350, 17, 0);
        assertRefused(owners, "10.0.0.1:80 gets 4.8571% of the service's requests when nobody tests", "it is 25%");
    }

    @Test
    void on_an_owners_route_the_natural_share_has_to_be_known_well() {
        RunScenario quiet = RunScenario.throughOwnersRoute(Share.NONE);
        natural(quiet, 8, 2, 0);
        assertRefused(quiet, "too few requests to tell the natural share: 40 to 10.0.0.1:80 so far, 100 are needed");

        RunScenario slow = RunScenario.throughOwnersRoute(Share.NONE);
        slow.decide(new RunEvent.Submitted(List.of("r1")));
        for (int second = 0; second < 9; second++) {
            slow.natural(40, 10, 0);
            assertThat(slow.phase()).isEqualTo(RunPhase.PREPARING);
        }
        slow.natural(40, 10, 0);
        assertThat(slow.phase()).isEqualTo(RunPhase.BASELINE);
    }

    @Test
    void a_service_of_few_requests_begins_at_once_where_the_route_is_our_own() {
        scenario.decide(new RunEvent.Submitted(List.of("r1")));
        scenario.natural(8, 2, 0);
        assertThat(scenario.phase()).isEqualTo(RunPhase.BASELINE);
    }
}
