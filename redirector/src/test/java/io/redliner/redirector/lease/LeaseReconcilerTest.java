// SPDX-License-Identifier: Apache-2.0
package io.redliner.redirector.lease;

import static io.redliner.redirector.lease.Examples.START;
import static io.redliner.redirector.lease.Examples.lease;
import static io.redliner.redirector.lease.Examples.released;
import static org.assertj.core.api.Assertions.assertThat;

import io.redliner.contract.lease.ReportedLeaseState;
import io.redliner.contract.redirect.Redirect;
import io.redliner.contract.redirect.Share;
import io.redliner.redirector.dataplane.ProxyEventHandler.Refusal;
import io.redliner.redirector.dataplane.ResourceKey;
import io.redliner.redirector.kafka.LeaseStatusEncoder;
import io.redliner.redirector.routing.RouteLayout;
import java.time.Duration;
import java.util.Map;
import org.junit.jupiter.api.Test;

class LeaseReconcilerTest extends LeaseReconcilerFixture {

    @Test
    void says_nothing_to_the_proxies_before_the_old_leases_are_read() {
        // when
        connect();
        receive(lease(1, 1, 600_000, START));

        // then
        assertThat(dataPlane.applied).isEmpty();
        start();
        assertThat(dataPlane.last().layout()).isInstanceOf(RouteLayout.SplitClusters.class);
    }

    @Test
    void a_share_goes_only_to_proxies_that_have_what_it_needs_and_is_applied_when_all_is_acknowledged() {
        // given
        start();
        connect();
        acknowledge();
        assertThat(journal.state()).isEqualTo(ReportedLeaseState.NATURAL);

        // when
        receive(lease(1, 1, 600_000, START));

        // then
        assertThat(journal.state()).isEqualTo(ReportedLeaseState.PENDING);
        assertThat(dataPlane.last().layout()).isEqualTo(
                new RouteLayout.SplitClusters(Examples.SUT.address(), Redirect.SPLIT, 0, new Share(0)));
        assertThat(dataPlane.admitted).isEmpty();
        acknowledge();
        assertThat(dataPlane.admitted).containsExactly(SHARES);
        assertThat(journal.state()).isEqualTo(ReportedLeaseState.APPLIED);
        assertThat(journal.statuses.getLast().share()).isEqualTo(new Share(600_000));
    }

    @Test
    void never_applied_without_a_proxy() {
        // given
        start();

        // when
        receive(lease(1, 1, 600_000, START));
        for (int second = 1; second < 10; second++) {
            pass(Duration.ofSeconds(1));
            receive(lease(1, 1 + second, 600_000, clock.instant()));
        }

        // then
        assertThat(journal.statuses).extracting(ServiceLeaseStatus::state).doesNotContain(ReportedLeaseState.APPLIED,
                ReportedLeaseState.FAILED);
        assertThat(journal.statuses.getLast().reason()).isEqualTo("no proxy is connected");
        assertThat(dataPlane.admitted).isEmpty();
    }

    @Test
    void a_lost_proxy_takes_the_proof_with_it() {
        // given
        apply(1);

        // when
        redirector.closed(CONFIGURATION);
        redirector.reconcile();

        // then
        assertThat(journal.state()).isEqualTo(ReportedLeaseState.PENDING);
        assertThat(journal.statuses.getLast().share()).isEqualTo(new Share(250_000));
    }

    @Test
    void renewal_moves_the_expiry_and_stays_applied() {
        // given
        apply(1);

        // when
        for (int second = 1; second < 10; second++) {
            pass(Duration.ofSeconds(1));
            receive(lease(1, 1 + second, 600_000, clock.instant()));
        }

        // then
        assertThat(journal.state()).isEqualTo(ReportedLeaseState.APPLIED);
        assertThat(dataPlane.last().lease().orElseThrow().expiry()).isEqualTo(clock.instant().plus(Examples.TTL));
    }

    @Test
    void a_natural_lease_moves_nothing_keeps_the_layout_and_lets_the_next_one_move_traffic_again() {
        // given
        apply(1);
        RouteLayout layout = dataPlane.last().layout();

        // when
        receive(natural(lease(1, 2, 250_000, clock.instant())));
        acknowledge();

        // then
        assertThat(dataPlane.last().lease()).isEmpty();
        assertThat(dataPlane.last().layout()).isEqualTo(layout);
        assertThat(journal.state()).isEqualTo(ReportedLeaseState.APPLIED);
        assertThat(journal.statuses.getLast().sequence()).isEqualTo(2);

        // when
        pass(Duration.ofSeconds(1));
        receive(natural(lease(1, 3, 250_000, clock.instant())));
        acknowledge();
        assertThat(journal.statuses.getLast().sequence()).isEqualTo(3);
        receive(lease(1, 4, 300_000, clock.instant()));
        acknowledge();

        // then
        assertThat(dataPlane.last().lease().orElseThrow().share()).isEqualTo(new Share(300_000));
        assertThat(dataPlane.last().layout()).isEqualTo(layout);
        assertThat(journal.state()).isEqualTo(ReportedLeaseState.APPLIED);
        assertThat(journal.rejections).isEmpty();
    }

    private static Lease natural(Lease lease) {
        return new Lease(lease.service(), lease.runId(), lease.epoch(), lease.sequence(),
                new RequestedTraffic(lease.sut(), lease.traffic().sharePpm(), lease.traffic().maxSharePpm(),
                        lease.redirect(), null, true),
                lease.validity(), false);
    }

    @Test
    void without_renewal_traffic_is_natural_before_the_lease_runs_out() {
        // given
        apply(1);
        assertThat(redirector.nextChange()).contains(START.plusMillis(4_700));

        // when
        pass(Duration.ofMillis(4_700));

        // then
        assertThat(dataPlane.last().lease()).isEmpty();
        assertThat(journal.state()).isEqualTo(ReportedLeaseState.EXPIRED);
        receive(lease(1, 2, 600_000, clock.instant()));
        assertThat(journal.rejections).containsExactly(LeaseRejectionReason.EPOCH_ENDED);
        assertThat(dataPlane.last().lease()).isEmpty();
    }

    @Test
    void a_renewal_that_waited_too_long_in_the_queue_does_not_revive_the_lease() {
        // given a loop that stood still past the expiry
        apply(1);
        clock.pass(Duration.ofSeconds(6));

        // when
        receive(lease(1, 2, 600_000, clock.instant()));

        // then
        assertThat(journal.rejections).containsExactly(LeaseRejectionReason.EPOCH_ENDED);
        assertThat(dataPlane.last().lease()).isEmpty();
    }

    @Test
    void release_takes_the_share_away_at_once_and_the_clusters_when_the_lease_is_long_over() {
        // given
        apply(1);

        // when
        receive(released(lease(1, 1, 0, START)));
        assertThat(journal.state()).isEqualTo(ReportedLeaseState.PENDING);
        assertThat(dataPlane.last().lease()).isEmpty();
        acknowledge();

        // then
        assertThat(journal.state()).isEqualTo(ReportedLeaseState.NATURAL);
        assertThat(dataPlane.last().layout()).isInstanceOf(RouteLayout.SplitClusters.class);
        assertThat(redirector.nextChange()).contains(START.plusSeconds(15));
        pass(Duration.ofSeconds(15));
        assertThat(dataPlane.last().layout()).isEqualTo(new RouteLayout.SingleCluster());
    }

    @Test
    void a_lease_for_an_unknown_service_is_refused_aloud() {
        // given
        start();
        Lease lease = lease(1, 1, 600_000, START);

        // when
        receive(new Lease("other", lease.runId(), 1, 1, new RequestedTraffic(lease.sut(), 1, 1, Redirect.SPLIT),
                new Validity(START, lease.validity().expiresAt(), lease.validity().ttl()), false));

        // then
        assertThat(journal.statuses.getLast().service()).isEqualTo("other");
        assertThat(journal.state()).isEqualTo(ReportedLeaseState.REJECTED);
        assertThat(journal.statuses.getLast().reason()).startsWith("UNKNOWN_SERVICE: ");
    }

    @Test
    void a_refusal_ends_the_lease_at_once() {
        // given
        apply(1);
        receive(lease(1, 2, 700_000, START));

        // when
        redirector.refused(SHARES, ResourceKey.SHARE, new Refusal(Map.of(ResourceKey.share("demo"),
                "s" + new Share(700_000)), "bad weight"));
        redirector.reconcile();

        // then
        assertThat(journal.state()).isEqualTo(ReportedLeaseState.FAILED);
        assertThat(journal.statuses.getLast().reason()).isEqualTo("proxy p refused: bad weight");
        assertThat(dataPlane.last().lease()).isEmpty();
    }

    @Test
    void a_silent_proxy_ends_the_lease_after_its_deadline() {
        // given
        start();
        connect();
        acknowledge();
        receive(lease(1, 1, 600_000, START));
        assertThat(redirector.nextChange()).contains(START.plusSeconds(2));

        // when
        pass(Duration.ofSeconds(2));

        // then
        assertThat(journal.state()).isEqualTo(ReportedLeaseState.FAILED);
        assertThat(journal.statuses.getLast().reason()).contains("proxy p did not acknowledge CLUSTER demo");
        assertThat(dataPlane.last().lease()).isEmpty();
    }

    @Test
    void a_fenced_lease_is_reported_and_changes_nothing() {
        // given
        apply(2);
        int applied = dataPlane.applied.size();

        // when
        receive(lease(1, 9, 900_000, START));

        // then
        assertThat(dataPlane.applied).hasSize(applied);
        ServiceLeaseStatus status = journal.statuses.getLast();
        assertThat(status.state()).isEqualTo(ReportedLeaseState.REJECTED);
        assertThat(status.epoch()).isEqualTo(1);
        assertThat(status.reason()).startsWith("LOWER_EPOCH: ");
        redirector.reportAll();
        assertThat(journal.state()).isEqualTo(ReportedLeaseState.APPLIED);
    }

    @Test
    void tells_the_natural_share_of_each_instance_as_a_sign_of_life() {
        // given
        start();
        int before = journal.statuses.size();

        // when
        redirector.reportAll();

        // then
        assertThat(journal.statuses).hasSize(before + 1);
        assertThat(LeaseStatusEncoder.message("r", journal.statuses.getLast(), Duration.ZERO, false).getInstancesList())
                .hasSize(4)
                .allSatisfy(instance -> assertThat(instance.getNaturalSharePpm()).isEqualTo(250_000));
    }
}
