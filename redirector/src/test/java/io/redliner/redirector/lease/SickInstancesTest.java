// SPDX-License-Identifier: Apache-2.0
package io.redliner.redirector.lease;

import static io.redliner.redirector.lease.Examples.START;
import static io.redliner.redirector.lease.Examples.lease;
import static io.redliner.redirector.lease.Examples.released;
import static org.assertj.core.api.Assertions.assertThat;

import io.redliner.contract.lease.ReportedLeaseState;
import org.junit.jupiter.api.Test;

/** A lease whose clusters have too few healthy instances: traffic is natural at once, and stays so. */
class SickInstancesTest extends LeaseReconcilerFixture {

    private void out(String node, int port, boolean isOut) {
        redirector.ejected(node, "demo", "127.0.0.1:" + port, isOut);
        redirector.reconcile();
    }

    private void assertFailed(String... words) {
        assertThat(journal.state()).isEqualTo(ReportedLeaseState.FAILED);
        assertThat(journal.statuses.getLast().reason()).contains(words);
        assertThat(dataPlane.last().lease()).isEmpty();
    }

    @Test
    void no_share_is_sent_while_a_proxy_finds_the_instance_under_test_sick() {
        // given
        start();
        connect();
        acknowledge();
        out("p", 9004, true);

        // when
        receive(lease(1, 1, 600_000, START));
        acknowledge();

        // then
        assertFailed("proxy p", "127.0.0.1:9004", "the instance under test", "Start a run when");
        assertThat(dataPlane.admitted).isEmpty();
        assertThat(journal.statuses).extracting(ServiceLeaseStatus::state).doesNotContain(ReportedLeaseState.APPLIED);
    }

    @Test
    void the_lease_ends_at_once_when_the_instance_under_test_falls_sick() {
        apply(1);
        out("p", 9004, true);
        assertFailed("proxy p", "127.0.0.1:9004");
    }

    @Test
    void the_lease_ends_when_less_than_half_of_the_peers_are_healthy_at_one_proxy() {
        // given one of three is sick at each of two proxies
        apply(1);
        out("p", 9001, true);
        out("q", 9002, true);
        assertThat(journal.state()).isEqualTo(ReportedLeaseState.APPLIED);

        // when
        out("q", 9003, true);

        // then
        assertFailed("proxy q has 1 healthy of 3 instances", "the peers of 127.0.0.1:9004");
    }

    @Test
    void an_instance_that_is_not_in_the_fleet_matters_to_no_lease() {
        apply(1);
        out("p", 9005, true);
        out("p", 9006, true);
        assertThat(journal.state()).isEqualTo(ReportedLeaseState.APPLIED);
    }

    @Test
    void the_next_run_begins_when_the_instance_is_healthy_again_and_the_failed_one_stays_over() {
        // given
        apply(1);
        out("p", 9004, true);
        out("p", 9004, false);

        // when
        receive(lease(1, 2, 600_000, START));
        assertThat(dataPlane.last().lease()).isEmpty();
        receive(released(lease(1, 2, 600_000, START)));
        receive(lease(2, 1, 600_000, START));
        acknowledge();

        // then
        assertThat(journal.state()).isEqualTo(ReportedLeaseState.APPLIED);
    }
}
