// SPDX-License-Identifier: Apache-2.0
package io.redliner.redirector.lease;

import static io.redliner.redirector.lease.Examples.START;
import static io.redliner.redirector.lease.Examples.lease;
import static io.redliner.redirector.lease.Examples.released;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.tuple;

import io.redliner.contract.lease.FleetChange;
import io.redliner.contract.lease.ReportedLeaseState;
import io.redliner.contract.redirect.RedirectMode;
import io.redliner.contract.redirect.Share;
import io.redliner.redirector.envoy.EnvoyIntegration;
import io.redliner.redirector.routing.Instance;
import io.redliner.redirector.routing.RouteLayout;
import io.redliner.redirector.routing.RoutedServices;
import io.redliner.redirector.routing.Service;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.junit.jupiter.api.Test;

/** What becomes of a lease when fleets, proxies and redirectors come and go. */
class FleetAndProxyChangesTest extends LeaseReconcilerFixture {

    @Test
    void restored_is_not_proven_while_a_proxy_that_left_may_still_have_the_share() {
        // given
        apply(1);

        // when
        redirector.closed(CONFIGURATION);
        redirector.closed(SHARES);
        receive(released(lease(1, 1, 0, START)));

        // then
        assertThat(journal.state()).isEqualTo(ReportedLeaseState.PENDING);
        assertThat(journal.statuses.getLast().reason()).contains("proxy p").contains("not connected here");
        pass(Duration.ofSeconds(5));
        assertThat(journal.state()).isEqualTo(ReportedLeaseState.NATURAL);
    }

    @Test
    void a_proxy_that_comes_back_answers_for_itself() {
        // given
        apply(1);
        redirector.closed(CONFIGURATION);
        redirector.closed(SHARES);
        receive(released(lease(1, 1, 0, START)));

        // when
        connect();
        acknowledge();

        // then
        assertThat(journal.state()).isEqualTo(ReportedLeaseState.NATURAL);
    }

    @Test
    void the_lease_ends_when_its_instance_is_gone() {
        // given
        apply(1);

        // when
        redirector.replaced(RoutedServices.of(List.of(
                Examples.SERVICE.with(Examples.SERVICE.instances().subList(0, 3)))));
        redirector.reconcile();

        // then
        ServiceLeaseStatus status = journal.statuses.getLast();
        assertThat(status.state()).isEqualTo(ReportedLeaseState.FAILED);
        assertThat(status.reason()).contains("127.0.0.1:9004 is not in the fleet any more");
        assertThat(status.changes()).extracting(FleetChange::kind, FleetChange::instance)
                .containsExactly(tuple(FleetChange.Kind.REMOVED, "127.0.0.1:9004"));
        assertThat(dataPlane.last().lease()).isEmpty();
    }

    @Test
    void a_change_among_the_peers_is_reported_and_the_lease_goes_on() {
        // given
        apply(1);
        List<Instance> more = new ArrayList<>(Examples.SERVICE.instances());
        more.add(Examples.instance(9005));

        // when
        redirector.replaced(RoutedServices.of(List.of(Examples.SERVICE.with(more))));
        redirector.ejected("p", "demo", "127.0.0.1:9001", true);
        redirector.reconcile();

        // then
        ServiceLeaseStatus status = journal.statuses.getLast();
        assertThat(status.state()).isEqualTo(ReportedLeaseState.APPLIED);
        assertThat(status.changes()).extracting(FleetChange::kind, FleetChange::instance).containsExactly(
                tuple(FleetChange.Kind.ADDED, "127.0.0.1:9005"), tuple(FleetChange.Kind.EJECTED, "127.0.0.1:9001"));
    }

    @Test
    void what_was_ejected_before_the_lease_is_reported_with_the_time_of_that() {
        start();
        connect();
        redirector.ejected("p", "demo", "127.0.0.1:9001", true);
        acknowledge();
        pass(Duration.ofSeconds(90));

        receive(lease(1, 1, 600_000, clock.instant()));
        acknowledge();

        assertThat(journal.statuses.getLast().changes())
                .extracting(FleetChange::kind, FleetChange::instance, FleetChange::at)
                .containsExactly(tuple(FleetChange.Kind.EJECTED, "127.0.0.1:9001", START));
    }

    @Test
    void on_an_owners_route_a_lease_on_what_was_natural_ends_with_it_and_a_raised_one_goes_on() {
        Service shop = new Service("demo", "edge", new EnvoyIntegration.EndpointsOnly("routing", "shop", "sut", "peers",
                Map.of(), RedirectMode.SPLIT), Examples.SERVICE.upstream(), Examples.SERVICE.instances());
        List<Instance> fleet = new ArrayList<>(shop.instances());
        fleet.add(Examples.instance(9005));
        Service grown = shop.with(fleet);

        assertThat(active(250_000).endedBy(shop, grown))
                .hasValueSatisfying(reason -> assertThat(reason).contains("was 250000 ppm and is 200000 ppm now"));
        assertThat(active(600_000).endedBy(shop, grown)).isEmpty();
        assertThat(active(250_000).endedBy(Examples.SERVICE, Examples.SERVICE.with(fleet))).isEmpty();
    }

    private static ActiveLease active(int ppm) {
        return new ActiveLease(lease(1, 1, ppm, START), Examples.SUT, new Share(ppm), START, START);
    }

    @Test
    void a_service_that_is_not_listed_any_more_says_so_and_is_withdrawn() {
        // given
        apply(1);

        // when
        redirector.replaced(RoutedServices.of(List.of()));
        redirector.reconcile();

        // then
        assertThat(journal.state()).isEqualTo(ReportedLeaseState.FAILED);
        assertThat(journal.statuses.getLast().reason()).contains("not listed any more");
        assertThat(journal.ended).containsExactly("demo");
        assertThat(dataPlane.withdrawn).containsExactly("demo");
    }

    @Test
    void begins_as_every_other_redirector_would_with_the_layout_of_the_newest_lease() {
        // given a lease that ran out a moment ago
        receive(lease(1, 1, 600_000, START.minusSeconds(6)));

        // when
        start();

        // then
        assertThat(dataPlane.last().layout()).isInstanceOf(RouteLayout.SplitClusters.class);
        assertThat(dataPlane.last().lease()).isEmpty();
        assertThat(journal.statuses).extracting(ServiceLeaseStatus::state).doesNotContain(ReportedLeaseState.REJECTED);
        pass(Duration.ofSeconds(9));
        assertThat(dataPlane.last().layout()).isEqualTo(new RouteLayout.SingleCluster());
    }

    @Test
    void does_not_claim_restored_for_proxies_of_a_former_process() {
        // given a lease that a process before this one may have obeyed
        receive(released(lease(1, 1, 600_000, START.minusSeconds(1))));

        // when
        start();
        connect();
        acknowledge();

        // then
        assertThat(journal.state()).isEqualTo(ReportedLeaseState.PENDING);
        assertThat(journal.statuses.getLast().reason())
                .endsWith("may have the share in force until its own timer ends it");
        pass(Duration.ofSeconds(4));
        assertThat(journal.state()).isEqualTo(ReportedLeaseState.NATURAL);
    }

    @Test
    void a_process_that_reads_old_leases_slowly_does_not_miss_the_renewals_behind_them() {
        // given a lease that was in force when it was read, and runs out before the next record is
        receive(lease(1, 1, 600_000, START));
        pass(Duration.ofSeconds(6));
        receive(lease(1, 2, 600_000, clock.instant()));

        // when
        start();
        connect();
        acknowledge();

        // then
        assertThat(journal.state()).isEqualTo(ReportedLeaseState.APPLIED);
        assertThat(journal.statuses).extracting(ServiceLeaseStatus::state).doesNotContain(ReportedLeaseState.EXPIRED,
                ReportedLeaseState.REJECTED);
    }

    @Test
    void a_lease_that_ran_out_before_the_last_old_record_was_read_is_obeyed_only_when_a_renewal_comes() {
        receive(lease(1, 1, 600_000, START));
        pass(Duration.ofSeconds(6));

        start();
        connect();
        acknowledge();

        assertThat(dataPlane.last().lease()).isEmpty();

        // when the controller, and another redirector with it, have gone on all the while
        receive(lease(1, 7, 600_000, clock.instant()));
        redirector.reconcile();
        acknowledge();

        assertThat(journal.state()).isEqualTo(ReportedLeaseState.APPLIED);
        assertThat(journal.statuses).extracting(ServiceLeaseStatus::state).doesNotContain(ReportedLeaseState.EXPIRED,
                ReportedLeaseState.REJECTED);
    }

    @Test
    void what_is_past_wakes_nobody() {
        // given a proxy that left while the share was in force, and leases that go on beyond what it may still have
        apply(1);
        redirector.closed(CONFIGURATION);
        redirector.closed(SHARES);
        for (int second = 1; second < 12; second++) {
            pass(Duration.ofSeconds(1));
            receive(lease(1, 1 + second, 600_000, clock.instant()));

            // then
            assertThat(redirector.nextChange()).hasValueSatisfying(
                    next -> assertThat(next).isAfter(clock.instant()));
        }
    }

    @Test
    void a_lease_of_a_service_whose_fleet_is_yet_to_be_found_is_remembered_and_not_refused_aloud() {
        // given
        LeaseReconciler young = new LeaseReconciler(RoutedServices.of(List.of(), Set.of(Service.DEFAULT_PROXIES)),
                RULES,
                dataPlane, journal, journal, traffic, clock);
        young.start();
        young.receive(lease(7, 1, 600_000, START), START);
        young.reconcile();
        assertThat(journal.statuses).isEmpty();

        // when the fleet is found
        young.replaced(Examples.CATALOG);
        young.reconcile();

        // then the layout is that of the lease, and a controller with a lower epoch has lost its run
        assertThat(dataPlane.last().layout()).isInstanceOf(RouteLayout.SplitClusters.class);
        young.receive(lease(6, 9, 600_000, START), START);
        assertThat(journal.statuses.getLast().reason()).startsWith("LOWER_EPOCH: ");
        young.receive(lease(7, 2, 600_000, START), START);
        young.reconcile();
        assertThat(dataPlane.last().lease()).isPresent();
    }
}
