// SPDX-License-Identifier: Apache-2.0
package io.redliner.controller.core.run;

import static org.assertj.core.api.Assertions.assertThat;

import io.redliner.contract.lease.FleetChange;
import io.redliner.contract.lease.ReportedLeaseState;
import io.redliner.contract.redirect.Share;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

class FleetChangeTest {

    private static final Instant NOW = Instant.parse("2026-01-01T00:00:00Z");

    private static final String SUT = "10.0.0.1:80";

    private static final RunFacts FACTS = new RunFacts("run", "shop", SUT, 7, new Share(250_000),
            new RunBounds(new Share(600_000), 2, Duration.ofMinutes(30), 0.01, Duration.ofSeconds(1)),
            RunTimeouts.DEFAULT,
            NOW);

    private final RunState preparing = RunDecider
            .decide(new RunState.Pending(FACTS), new RunEvent.Submitted(List.of("r1")), NOW).state();

    private static RunState after(RunState state, long epoch, ReportedLeaseState leaseState, FleetChange... changes) {
        RedirectorReport report = new RedirectorReport("r1", "run", epoch, 1, leaseState, "",
                List.of(new RedirectorReport.ProxyReport("node-1", true, "1", "1", "")), List.of(changes));
        return RunDecider.decide(state, new RunEvent.LeaseStatusArrived(report), NOW).state();
    }

    private static FleetChange change(FleetChange.Kind kind, String instance) {
        return new FleetChange(kind, instance, NOW.minusSeconds(1), "says the registry");
    }

    private static RunEnd ending(RunState state) {
        return ((RunState.Restoring) state).ending();
    }

    @ParameterizedTest
    @EnumSource(value = FleetChange.Kind.class, names = "RETURNED", mode = EnumSource.Mode.EXCLUDE)
    void ends_a_live_run_inconclusive_and_says_which_instance_what_and_when(FleetChange.Kind kind) {
        RunProgress course = ((RunState.Leased) preparing).course();
        for (RunState live : List.of(preparing, new RunState.Baseline(FACTS, course),
                new RunState.Ramping(FACTS, course), new RunState.Confirming(FACTS, course))) {
            RunEnd ending = ending(after(live, 7, ReportedLeaseState.APPLIED, change(kind, "10.0.0.2:80")));

            assertThat(ending.outcome()).isEqualTo(RunOutcome.INCONCLUSIVE);
            assertThat(ending.reason().code()).isEqualTo(StopCode.FLEET_CHANGED);
            assertThat(ending.reason().detail()).contains("10.0.0.2:80", "2025-12-31T23:59:59Z", "says the registry",
                    "redirector r1");
        }
    }

    @Test
    void says_more_than_the_lease_that_failed_over_it() {
        RunEnd ending = ending(after(preparing, 7, ReportedLeaseState.FAILED, change(FleetChange.Kind.REMOVED, SUT),
                change(FleetChange.Kind.ADDED, "10.0.0.9:80")));

        assertThat(ending.reason().code()).isEqualTo(StopCode.FLEET_CHANGED);
        assertThat(ending.reason().detail()).contains(SUT + ", the instance under test, was removed",
                "and 1 more");
    }

    @Test
    void a_return_or_a_change_of_another_epoch_ends_nothing() {
        assertThat(after(preparing, 7, ReportedLeaseState.APPLIED, change(FleetChange.Kind.RETURNED, SUT)))
                .isInstanceOf(RunState.Preparing.class);
        assertThat(after(preparing, 6, ReportedLeaseState.APPLIED, change(FleetChange.Kind.REMOVED, SUT)))
                .isInstanceOf(RunState.Preparing.class);
    }

    @Test
    void an_end_once_decided_stays() {
        RunState restoring = RunDecider.decide(preparing, new RunEvent.AbortRequested("stop"), NOW).state();

        assertThat(
                ending(after(restoring, 7, ReportedLeaseState.APPLIED, change(FleetChange.Kind.REMOVED, SUT))).reason()
                        .code())
                .isEqualTo(StopCode.ABORT_REQUESTED);
    }
}
