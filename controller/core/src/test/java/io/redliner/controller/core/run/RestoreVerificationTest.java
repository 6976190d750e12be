// SPDX-License-Identifier: Apache-2.0
package io.redliner.controller.core.run;

import static org.assertj.core.api.Assertions.assertThat;

import io.redliner.contract.lease.FleetChange;
import io.redliner.contract.lease.ReportedLeaseState;
import io.redliner.contract.redirect.Share;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class RestoreVerificationTest {

    private final RunScenario scenario = new RunScenario();

    private void acknowledged() {
        scenario.ramping(400);
        scenario.decide(new RunEvent.AbortRequested("stop"));
        scenario.after(Duration.ofMillis(40));
        scenario.status(ReportedLeaseState.NATURAL);
        assertThat(scenario.phase()).as("an acknowledgement alone is not believed").isEqualTo(RunPhase.RESTORING);
    }

    private RestoreProof restored() {
        return ((RunState.Finished) scenario.state()).restored();
    }

    @Test
    void a_run_is_over_when_the_natural_share_was_measured() {
        acknowledged();

        scenario.after(Duration.ofSeconds(2));
        scenario.measured(RunScenario.NATURAL);

        assertThat(restored().proof()).isEqualTo(RestoreProof.Proof.MEASURED);
        assertThat(restored().took()).isEqualTo(Duration.ofMillis(40));
    }

    @Test
    void a_restore_during_which_the_clock_was_set_back_took_no_time_and_never_less() {
        scenario.ramping(400);
        scenario.decide(new RunEvent.AbortRequested("stop"));
        scenario.after(Duration.ofMillis(-700));
        scenario.status(ReportedLeaseState.NATURAL);
        scenario.after(Duration.ofSeconds(3));
        scenario.measured(RunScenario.NATURAL);

        assertThat(restored().took()).isEqualTo(Duration.ZERO);
    }

    @Test
    void a_window_that_began_before_the_acknowledgement_says_nothing() {
        acknowledged();

        scenario.after(Duration.ofMillis(500));
        scenario.measured(RunScenario.NATURAL);

        assertThat(scenario.phase()).isEqualTo(RunPhase.RESTORING);
    }

    @Test
    void a_share_that_stays_another_is_a_contradiction() {
        acknowledged();

        for (int second = 0; second < 4 && scenario.phase() == RunPhase.RESTORING; second++) {
            scenario.after(Duration.ofSeconds(1));
            scenario.decide(new RunEvent.Tick());
            if (scenario.phase() == RunPhase.RESTORING) {
                scenario.measured(new Share(400_123));
            }
        }

        assertThat(restored().proof()).isEqualTo(RestoreProof.Proof.CONTRADICTED);
        assertThat(restored().detail()).contains("and yet 40% of", "natural is 25%");
    }

    /** An instance is out, and the share is another one for that reason alone, as far as anybody can tell. */
    @ParameterizedTest
    @CsvSource({"10.0.0.1:80, EJECTED, 0, ACKNOWLEDGED", "10.0.0.2:80, EJECTED, 500000, ACKNOWLEDGED",
        "10.0.0.2:80, REMOVED, 333333, ACKNOWLEDGED", "10.0.0.9:80, ADDED, 100000, ACKNOWLEDGED",
        "10.0.0.2:80, REWEIGHTED, 400000, ACKNOWLEDGED", "10.0.0.1:80, EJECTED, 600000, CONTRADICTED",
        "10.0.0.2:80, EJECTED, 60000, CONTRADICTED", "10.0.0.2:80, EJECTED, 250000, MEASURED"})
    void a_share_of_the_instances_that_are_healthy_is_no_contradiction(String instance, FleetChange.Kind kind,
            int measured, RestoreProof.Proof proof) {
        scenario.ramping(400);
        scenario.decide(new RunEvent.AbortRequested("stop"));
        scenario.after(Duration.ofMillis(40));
        changed(new FleetChange(kind, instance, scenario.now(), "says node-1"));
        measureUntilFinished(new Share(measured));

        assertThat(restored().proof()).isEqualTo(proof);
        if (proof == RestoreProof.Proof.ACKNOWLEDGED) {
            assertThat(restored().detail()).contains("cannot be known: " + instance, "says node-1", "natural is 25%");
        }
    }

    @Test
    void an_instance_that_has_returned_explains_nothing() {
        scenario.ramping(400);
        scenario.decide(new RunEvent.AbortRequested("stop"));
        scenario.after(Duration.ofMillis(40));
        changed(new FleetChange(FleetChange.Kind.EJECTED, "10.0.0.1:80", scenario.now(), ""),
                new FleetChange(FleetChange.Kind.RETURNED, "10.0.0.1:80", scenario.now(), ""));
        measureUntilFinished(Share.NONE);

        assertThat(restored().proof()).isEqualTo(RestoreProof.Proof.CONTRADICTED);
    }

    private void changed(FleetChange... changes) {
        scenario.decide(new RunEvent.LeaseStatusArrived(new RedirectorReport("r1", "run",
                scenario.state().facts().epoch(), scenario.lease().sequence(), ReportedLeaseState.NATURAL, "",
                List.of(new RedirectorReport.ProxyReport("node-1", true, "1", "1", "")), List.of(changes))));
    }

    private void measureUntilFinished(Share measured) {
        for (int second = 0; second < 6 && scenario.phase() == RunPhase.RESTORING; second++) {
            scenario.after(Duration.ofSeconds(1));
            scenario.decide(new RunEvent.Tick());
            if (scenario.phase() == RunPhase.RESTORING) {
                scenario.measured(measured);
            }
        }
    }

    /** The proxies' word does not come, and the lease runs out. */
    private void expired(Share measured) {
        scenario.ramping(400);
        scenario.decide(new RunEvent.AbortRequested("stop"));
        for (int half = 0; half < 20 && scenario.phase() == RunPhase.RESTORING; half++) {
            scenario.after(Duration.ofMillis(500));
            scenario.decide(new RunEvent.Tick());
            if (scenario.phase() == RunPhase.RESTORING) {
                scenario.measured(measured);
            }
        }
    }

    @Test
    void a_share_that_stays_another_outranks_the_lease_that_ran_out() {
        expired(new Share(621_777));

        assertThat(restored().proof()).isEqualTo(RestoreProof.Proof.CONTRADICTED_AFTER_EXPIRY);
        assertThat(restored().traffic()).isEqualTo(RestoreProof.Traffic.NOT_NATURAL);
        assertThat(restored().detail()).contains("62.2% of", "natural is 25%");
    }

    @Test
    void the_natural_share_after_the_lease_ran_out_is_a_proof() {
        expired(RunScenario.NATURAL);

        assertThat(restored().proof()).isEqualTo(RestoreProof.Proof.MEASURED_AFTER_EXPIRY);
        assertThat(restored().proven()).isTrue();
    }

    @Test
    void a_proxy_that_refuses_is_named_once_as_the_reason_and_as_what_keeps_the_proof_away() {
        scenario.decide(new RunEvent.Submitted(List.of("r1")));
        String words = "Error adding/updating listener(s) shop: cannot bind '127.0.0.1:80': Address already in use";
        scenario.decide(new RunEvent.LeaseStatusArrived(new RedirectorReport("r1", "run",
                scenario.state().facts().epoch(), scenario.lease().sequence(), ReportedLeaseState.FAILED,
                "proxy node-1 did not acknowledge ROUTE shop within 2000 ms; its last refusal: " + words,
                List.of(new RedirectorReport.ProxyReport("node-1", true, "", "2",
                        "listener shop on 127.0.0.1:80: " + words)))));
        String named = "redirector r1 says FAILED, proxy node-1 refused: listener shop on 127.0.0.1:80: " + words;
        assertThat(scenario.ending().reason().detail()).isEqualTo(named);

        for (int half = 0; half < 30 && scenario.phase() == RunPhase.RESTORING; half++) {
            scenario.after(Duration.ofMillis(500));
            scenario.decide(new RunEvent.Tick());
        }
        assertThat(restored().traffic()).isEqualTo(RestoreProof.Traffic.UNKNOWN);
        assertThat(restored().detail()).contains("not every proxy acknowledged", named);
    }

    @Test
    void without_any_window_it_ends_and_says_that_nothing_was_measured() {
        acknowledged();

        scenario.after(Duration.ofMillis(3_500));
        scenario.decide(new RunEvent.Tick());

        assertThat(restored().proof()).isEqualTo(RestoreProof.Proof.ACKNOWLEDGED);
        assertThat(restored().detail()).contains("no window has measured");
    }
}
