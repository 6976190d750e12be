// SPDX-License-Identifier: Apache-2.0
package io.redliner.controller.service.kafka;

import static org.assertj.core.api.Assertions.assertThat;

import io.redliner.contract.lease.FleetChange;
import io.redliner.contract.redirect.Cohort;
import io.redliner.contract.redirect.PathMatch;
import io.redliner.contract.redirect.Redirect;
import io.redliner.contract.redirect.RedirectMode;
import io.redliner.contract.redirect.RoutingAttribute;
import io.redliner.contract.redirect.Share;
import io.redliner.contract.v1.AttributeSource;
import io.redliner.contract.v1.Figure;
import io.redliner.contract.v1.FleetChangeKind;
import io.redliner.contract.v1.HeaderMatch;
import io.redliner.contract.v1.IntegerRange;
import io.redliner.contract.v1.LeaseStatus;
import io.redliner.contract.v1.Traffic;
import io.redliner.contract.v1.Unit;
import io.redliner.contract.v1.Verdict;
import io.redliner.controller.core.capacity.KnownCapacity;
import io.redliner.controller.core.run.Lease;
import io.redliner.controller.core.run.RunBounds;
import io.redliner.controller.core.run.RunDecider;
import io.redliner.controller.core.run.RunEvent;
import io.redliner.controller.core.run.RunFacts;
import io.redliner.controller.core.run.RunPhase;
import io.redliner.controller.core.run.RunProgress;
import io.redliner.controller.core.run.RunRules;
import io.redliner.controller.core.run.RunState;
import io.redliner.controller.core.run.RunTimeouts;
import io.redliner.controller.core.run.StartConditions;
import io.redliner.controller.core.run.TrafficSample.GaugeSample;
import io.redliner.controller.core.run.WindowVerdict;
import io.redliner.controller.plan.PlanLimits;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import org.junit.jupiter.api.Test;

class CommandEncoderTest {

    private static final Instant START = Instant.parse("2026-01-01T00:00:00Z");

    private static final Redirect BY_USER = new Redirect(RedirectMode.HASH,
            new RoutingAttribute(RoutingAttribute.Source.COOKIE, "id"), null, List.of());

    @Test
    void only_the_lease_of_a_pause_moves_nothing_at_all() {
        Lease lease = new Lease(7, 3, new Share(250_000), START, START.plusSeconds(5), Duration.ofSeconds(5), false);
        RunFacts facts = facts(BY_USER);
        RunState.Pending before = new RunState.Pending(facts);
        RunProgress course = ((RunState.Leased) RunDecider.decide(before, new RunEvent.Submitted(List.of("r1")), START)
                .state()).course();

        assertThat(CommandEncoder.lease(new RunState.Paused(facts, course, RunPhase.RAMPING), lease))
                .isEqualTo(CommandEncoder.lease(facts, lease).toBuilder().setNatural(true).build());
        assertThat(CommandEncoder.lease(new RunState.Baseline(facts, course), lease).getNatural()).isFalse();
        assertThat(CommandEncoder.lease(new RunState.Paused(facts(Redirect.SPLIT), course, RunPhase.RAMPING), lease)
                .getNatural()).as("the natural share of all requests is natural").isFalse();
    }

    private static io.redliner.contract.v1.Lease lease(Redirect redirect, boolean released) {
        return CommandEncoder.lease(facts(redirect), new Lease(7, 3, new Share(300_000), START, START.plusSeconds(5),
                Duration.ofSeconds(5), released));
    }

    private static RunFacts facts(Redirect redirect) {
        return facts(redirect, StartConditions.NONE);
    }

    private static RunFacts facts(Redirect redirect, StartConditions conditions) {
        return new RunFacts("run", "shop", "10.0.0.1:80", 7, new Share(250_000),
                RunBounds.of(PlanLimits.DEFAULT), RunTimeouts.DEFAULT, START, redirect, conditions, null,
                null);
    }

    @Test
    void the_analyzer_is_sent_what_earlier_runs_found() {
        RunFacts facts = facts(Redirect.SPLIT);
        RunRules rules = new RunRules(List.of(), List.of(), null);

        assertThat(CommandEncoder.runSpec(facts, rules, "hash", RunPhase.BASELINE, List.of()).hasKnown()).isFalse();

        RunFacts known = facts(Redirect.SPLIT,
                new StartConditions(null, null, null, new KnownCapacity(100, 90, 111, 3)));
        assertThat(CommandEncoder.runSpec(known, rules, "hash", RunPhase.BASELINE, List.of()).getKnown())
                .isEqualTo(io.redliner.contract.v1.KnownCapacity.newBuilder().setCapacity(100).setLow(90).setHigh(111)
                        .setRuns(3).build());
    }

    @Test
    void a_lease_that_splits_all_traffic_needs_no_words() {
        assertThat(lease(Redirect.SPLIT, false).hasRedirect()).isFalse();
    }

    @Test
    void a_lease_says_which_traffic_it_moves_and_how_up_to_its_release() {
        Redirect redirect = new Redirect(RedirectMode.MODULO,
                new RoutingAttribute(RoutingAttribute.Source.HEADER, "x-user-id"),
                100, List.of(
                        new Cohort("germans",
                                List.of(io.redliner.contract.redirect.HeaderMatch.exactly("x-country", "de"),
                                        io.redliner.contract.redirect.HeaderMatch.between("since", 1, 9)),
                                new PathMatch(PathMatch.Kind.PREFIX, "/shop"), List.of("POST", "GET")),
                        new Cohort("cart",
                                List.of(io.redliner.contract.redirect.HeaderMatch.exactly("x-country", "fr")),
                                new PathMatch(PathMatch.Kind.GRPC_METHOD, "shop.Cart/Add"), List.of())));

        io.redliner.contract.v1.Redirect sent = lease(redirect, false).getRedirect();

        assertThat(sent.getMode()).isEqualTo(io.redliner.contract.v1.RedirectMode.REDIRECT_MODE_MODULO);
        assertThat(sent.getAttribute().getSource()).isEqualTo(AttributeSource.ATTRIBUTE_SOURCE_HEADER);
        assertThat(sent.getAttribute().getName()).isEqualTo("x-user-id");
        assertThat(sent.getModulus()).isEqualTo(100);
        assertThat(sent.getCohorts(0)).isEqualTo(io.redliner.contract.v1.Cohort.newBuilder().setName("germans")
                .addHeaders(HeaderMatch.newBuilder().setName("x-country").setExact("de"))
                .addHeaders(HeaderMatch.newBuilder().setName("since")
                        .setRange(IntegerRange.newBuilder().setFrom(1).setTo(9)))
                .setPathPrefix("/shop").addMethods("GET").addMethods("POST").build());
        assertThat(sent.getCohorts(1).getGrpcMethod()).isEqualTo("shop.Cart/Add");
        assertThat(lease(redirect, true).getRedirect()).isEqualTo(sent);
    }

    @Test
    void a_fleet_change_is_read_whatever_its_kind() {
        LeaseStatus.Builder status = LeaseStatus.newBuilder().setService("shop").setRedirector("r1");
        for (FleetChangeKind kind : FleetChangeKind.values()) {
            if (kind != FleetChangeKind.UNRECOGNIZED) {
                status.addChanges(io.redliner.contract.v1.FleetChange.newBuilder().setKind(kind)
                        .setInstance("10.0.0.2:80").setAtMs(START.toEpochMilli()).setDetail("because\0"));
            }
        }
        status.addChanges(io.redliner.contract.v1.FleetChange.newBuilder().setKindValue(99));

        List<FleetChange> changes = LeaseStatusDecoder.read(status.build()).lease().changes();

        assertThat(changes).extracting(FleetChange::kind).containsExactly(FleetChange.Kind.UNKNOWN,
                FleetChange.Kind.ADDED, FleetChange.Kind.REMOVED, FleetChange.Kind.EJECTED, FleetChange.Kind.RETURNED,
                FleetChange.Kind.REWEIGHTED, FleetChange.Kind.UNKNOWN);
        assertThat(changes.get(1)).isEqualTo(
                new FleetChange(FleetChange.Kind.ADDED, "10.0.0.2:80", START, "because"));
    }

    @Test
    void an_analyzer_that_does_not_tell_what_it_measured_shares_on_is_understood() {
        assertThat(verdict(400_000, 600_000, 900).sut().shareRequests()).isEqualTo(900);
        assertThat(verdict(0, 1_000_000, 900).sut().shareRequests()).isEqualTo(900);
        assertThat(verdict(0, 0, 0).sut().shareRequests()).as("nobody sent anything").isZero();
        assertThat(verdict(0, 1_000_000, 0).sut().shareRequests()).as("an older one").isNull();
    }

    @Test
    void gauges_are_read_with_their_units_and_nonsense_is_left_out() {
        Traffic.Builder sut = Traffic.newBuilder()
                .addGauges(Figure.newBuilder().setName("cpu").setValue(0.5).setUnit(Unit.UNIT_RATIO))
                .addGauges(Figure.newBuilder().setName("memory").setValue(Double.NaN))
                .addGauges(Figure.newBuilder().setName("x".repeat(1000)).setValue(1))
                .addGauges(Figure.newBuilder().setName("or\0ders").setValue(7));

        assertThat(VerdictDecoder.read(Verdict.newBuilder().setWindowLengthMs(100).setSut(sut).build()).sut().gauges())
                .containsExactly(new GaugeSample("cpu", 0.5, "ratio"), new GaugeSample("orders", 7, ""));
        for (int number = 0; number < 1000; number++) {
            sut.addGauges(Figure.newBuilder().setName("g" + number).setValue(1));
        }
        assertThat(VerdictDecoder.read(Verdict.newBuilder().setWindowLengthMs(100).setSut(sut).build()).sut().gauges())
                .hasSizeLessThan(50);
    }

    private static WindowVerdict verdict(int sut, int peers, long requests) {
        return VerdictDecoder.read(Verdict.newBuilder().setWindowLengthMs(100)
                .setSut(Traffic.newBuilder().setSharePpm(sut).setShareRequests(requests))
                .setPeers(Traffic.newBuilder().setSharePpm(peers).setShareRequests(requests)).build());
    }
}
