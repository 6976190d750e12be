// SPDX-License-Identifier: Apache-2.0
package io.redliner.redirector.lease;

import static io.redliner.redirector.lease.Examples.START;
import static io.redliner.redirector.lease.Examples.TTL;
import static io.redliner.redirector.lease.Examples.lease;
import static io.redliner.redirector.lease.Examples.released;
import static org.assertj.core.api.Assertions.assertThat;

import io.redliner.contract.redirect.Cohort;
import io.redliner.contract.redirect.Redirect;
import io.redliner.contract.redirect.RedirectMode;
import io.redliner.contract.redirect.Share;
import io.redliner.redirector.envoy.EnvoyIntegration;
import io.redliner.redirector.lease.LeaseDecision.Accepted;
import io.redliner.redirector.lease.LeaseDecision.Rejected;
import io.redliner.redirector.lease.LeaseState.End;
import io.redliner.redirector.lease.LeaseState.Ended;
import io.redliner.redirector.routing.RouteLayout;
import io.redliner.redirector.routing.RoutedServices;
import io.redliner.redirector.routing.Service;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import org.assertj.core.api.InstanceOfAssertFactories;
import org.junit.jupiter.api.Test;

class LeaseRegistryTest {

    private static final Duration MARGIN = Duration.ofMillis(300);

    private final LeaseRegistry empty = LeaseRegistry.empty(Examples.CATALOG, MARGIN);

    private final LeaseRegistry holding = accept(empty, lease(7, 3, 400_000, START), START);

    private static LeaseRegistry accept(LeaseRegistry leases, Lease lease, Instant now) {
        LeaseDecision acceptance = leases.accept(lease, now);
        assertThat(acceptance).isInstanceOf(Accepted.class);
        return acceptance.leases();
    }

    private static void assertRejected(LeaseRegistry leases, Lease lease, Instant now, LeaseRejectionReason rejection) {
        LeaseDecision acceptance = leases.accept(lease, now);
        assertThat(acceptance).asInstanceOf(InstanceOfAssertFactories.type(Rejected.class)).satisfies(rejected -> {
            assertThat(rejected.rejection()).isEqualTo(rejection);
            assertThat(rejected.message()).isNotBlank();
        });
        assertThat(acceptance.leases().state("demo")).isEqualTo(leases.state("demo"));
    }

    @Test
    void obeys_a_first_lease() {
        assertThat(holding.active("demo")).hasValueSatisfying(held -> {
            assertThat(held.share()).isEqualTo(new Share(400_000));
            assertThat(held.sut()).isEqualTo(Examples.SUT);
            assertThat(held.expiry()).isEqualTo(START.plus(TTL));
            assertThat(held.endsAt()).isEqualTo(START.plus(TTL).minus(MARGIN));
        });
    }

    @Test
    void a_lease_ends_by_whichever_clock_is_stricter() {
        // given a lease that was issued two seconds ago, and one from a clock that is an hour ahead
        LeaseRegistry late = accept(empty, lease(1, 1, 1, START.minusSeconds(2)), START);
        LeaseRegistry ahead = accept(empty, lease(1, 1, 1, START.plusSeconds(3600)), START);

        // then
        assertThat(late.active("demo").orElseThrow().expiry()).isEqualTo(START.plusSeconds(3));
        assertThat(ahead.active("demo").orElseThrow().expiry()).isEqualTo(START.plus(TTL));
    }

    @Test
    void a_renewal_carries_on_and_a_higher_epoch_takes_over() {
        // when
        LeaseRegistry renewed = accept(holding, lease(7, 4, 500_000, START.plusSeconds(1)), START.plusSeconds(1));
        LeaseRegistry taken = accept(renewed, takenOver(8, 1_000, START.plusSeconds(2)), START.plusSeconds(2));

        // then
        assertThat(renewed.active("demo").orElseThrow().expiry()).isEqualTo(START.plusSeconds(6));
        assertThat(taken.active("demo").orElseThrow().share()).isEqualTo(new Share(1_000));
        assertRejected(taken, lease(7, 5, 500_000, START), START.plusSeconds(2), LeaseRejectionReason.LOWER_EPOCH);
    }

    @Test
    void epochs_are_unsigned() {
        // -1 is the highest there is
        assertRejected(holding, lease(-1, 1, 1, START), START, LeaseRejectionReason.EPOCH_JUMP);
        assertRejected(holding, lease(Long.MIN_VALUE, 1, 1, START), START, LeaseRejectionReason.EPOCH_JUMP);
    }

    @Test
    void an_epoch_grows_by_a_million_at_most() {
        assertThat(accept(holding, takenOver(1_000_007, 1, START), START).active("demo")).isPresent();
        assertRejected(holding, lease(1_000_008, 1, 1, START), START, LeaseRejectionReason.EPOCH_JUMP);
        assertRejected(empty, lease(1_000_001, 1, 1, START), START, LeaseRejectionReason.EPOCH_JUMP);
    }

    @Test
    void rejects_what_is_fenced_off_or_old() {
        assertRejected(holding, lease(6, 99, 1, START), START, LeaseRejectionReason.LOWER_EPOCH);
        assertRejected(holding, lease(7, 3, 1, START), START, LeaseRejectionReason.STALE_SEQUENCE);
        assertRejected(holding, lease(7, 2, 1, START), START, LeaseRejectionReason.STALE_SEQUENCE);
        assertRejected(holding, released(lease(6, 99, 1, START)), START, LeaseRejectionReason.LOWER_EPOCH);
    }

    @Test
    void a_sequence_grows_by_ten_thousand_at_most() {
        assertThat(accept(holding, lease(7, 10_003, 1, START), START).active("demo")).isPresent();
        assertRejected(holding, lease(7, 10_004, 1, START), START, LeaseRejectionReason.SEQUENCE_JUMP);
        assertRejected(holding, lease(7, -1, 1, START), START, LeaseRejectionReason.SEQUENCE_JUMP);
        // Nothing is known of the sequences before a process began.
        assertThat(accept(empty, lease(7, 1_000_000, 1, START), START).active("demo")).isPresent();
    }

    @Test
    void a_release_of_the_run_ends_its_epoch_whatever_its_sequence() {
        // given a lease that overtook those of the controller
        LeaseRegistry overtaken = accept(holding, lease(7, 9_000, 900_000, START), START);

        // when
        LeaseRegistry released = accept(overtaken, released(lease(7, 3, 0, START)), START);

        // then
        assertThat(released.state("demo")).isInstanceOf(Ended.class);
        assertRejected(released, lease(7, 9_001, 900_000, START), START, LeaseRejectionReason.EPOCH_ENDED);
        assertRejected(overtaken, released(lease(6, 9_002, 0, START)), START, LeaseRejectionReason.LOWER_EPOCH);
        assertRejected(overtaken, released(bounded("run-9", 9_002, 0, Share.WHOLE_PPM)), START,
                LeaseRejectionReason.OTHER_RUN);
    }

    @Test
    void a_share_stays_below_the_bound_that_its_epoch_began_with() {
        LeaseRegistry bounded = accept(empty, bounded("run-7", 1, 300_000, 500_000), START);

        assertThat(accept(bounded, bounded("run-7", 2, 500_000, 500_000), START).active("demo")).isPresent();
        assertRejected(bounded, bounded("run-7", 2, 500_001, 500_000), START,
                LeaseRejectionReason.SHARE_OUT_OF_BOUNDS);
        assertRejected(bounded, bounded("run-7", 2, 900_000, 1_000_000), START, LeaseRejectionReason.OTHER_RUN);
    }

    /** The run in force under the epoch of a controller that took it over. */
    private static Lease takenOver(long epoch, int ppm, Instant issuedAt) {
        return new Lease("demo", "run-7", epoch, 1,
                new RequestedTraffic(Examples.SUT.address().toString(), ppm, Share.WHOLE_PPM, Redirect.SPLIT),
                new Validity(issuedAt, issuedAt.plus(TTL), TTL), false);
    }

    private LeaseRegistry afterRelease() {
        return accept(holding, released(lease(7, 3, 0, START)), START);
    }

    private static Lease bounded(String run, long sequence, long ppm, long maxPpm) {
        return new Lease("demo", run, 7, sequence,
                new RequestedTraffic(Examples.SUT.address().toString(), ppm, maxPpm, Redirect.SPLIT),
                new Validity(START, START.plus(TTL), TTL), false);
    }

    @Test
    void rejects_what_it_does_not_know() {
        String sut = Examples.SUT.address().toString();
        assertRejected(holding, of("other", "r", 8, sut, Redirect.SPLIT), START, LeaseRejectionReason.UNKNOWN_SERVICE);
        assertRejected(empty, of("demo", "r", 8, "127.0.0.1:1", Redirect.SPLIT), START,
                LeaseRejectionReason.UNKNOWN_INSTANCE);
        assertRejected(holding, of("demo", "r", 7, sut, Redirect.SPLIT), START, LeaseRejectionReason.OTHER_RUN);
        assertRejected(holding, of("demo", "run-7", 7, Examples.PEER.address().toString(), Redirect.SPLIT), START,
                LeaseRejectionReason.OTHER_RUN);
    }

    private static Lease of(String service, String run, long epoch, String sut, Redirect redirect) {
        return new Lease(service, run, epoch, 9, new RequestedTraffic(sut, 1, Share.WHOLE_PPM, redirect),
                new Validity(START, START.plus(TTL), TTL), false);
    }

    @Test
    void how_traffic_is_moved_does_not_change_within_an_epoch() {
        String sut = Examples.SUT.address().toString();
        Redirect other = new Redirect(RedirectMode.ENDPOINT_WEIGHT, null, null, List.of());
        assertRejected(holding, of("demo", "run-7", 7, sut, other), START, LeaseRejectionReason.OTHER_RUN);
        assertThat(afterRelease().accept(of("demo", "run-8", 8, sut, other), START)).isInstanceOf(Accepted.class);
    }

    @Test
    void rejects_a_redirect_that_makes_no_sense() {
        Lease sound = of("demo", "r", 8, Examples.SUT.address().toString(), Redirect.SPLIT);
        Lease faulty = new Lease(sound.service(), sound.runId(), sound.epoch(), sound.sequence(),
                new RequestedTraffic(sound.sut(), sound.traffic().sharePpm(), sound.traffic().maxSharePpm(),
                        Redirect.SPLIT, "mode hash needs an attribute", false),
                sound.validity(), false);
        assertRejected(empty, faulty, START, LeaseRejectionReason.BAD_REDIRECT);
        assertThat(ServiceRoutingState.layout(Examples.SERVICE, empty.accept(faulty, START).leases(),
                Duration.ofSeconds(1), START)).isEqualTo(new RouteLayout.SingleCluster());
        assertThat(faulty.belongsTo(sound)).as("goes on with another redirect").isFalse();
    }

    @Test
    void rejects_a_test_without_peers() {
        LeaseRegistry alone = LeaseRegistry.empty(
                RoutedServices.of(List.of(Examples.SERVICE.with(List.of(Examples.SUT)))), MARGIN);
        assertRejected(alone, lease(1, 1, 1, START), START, LeaseRejectionReason.FLEET_TOO_SMALL);
    }

    @Test
    void an_owners_route_can_do_only_what_it_does() {
        // given
        Service owned = new Service("demo", Service.DEFAULT_PROXIES, new EnvoyIntegration.RuntimeOnly("key",
                Examples.SUT.address(), "one", "others", Map.of(), RedirectMode.SPLIT),
                Examples.SERVICE.upstream(),
                Examples.SERVICE.instances());
        LeaseRegistry leases = LeaseRegistry.empty(RoutedServices.of(List.of(owned)), MARGIN);
        String sut = Examples.SUT.address().toString();
        Redirect weights = new Redirect(RedirectMode.ENDPOINT_WEIGHT, null, null, List.of());
        Redirect cohorts = new Redirect(RedirectMode.SPLIT, null, null,
                List.of(new Cohort("get", List.of(), null, List.of("GET"))));

        // then
        assertThat(leases.accept(of("demo", "r", 1, sut, Redirect.SPLIT), START)).isInstanceOf(Accepted.class);
        assertRejected(leases, of("demo", "r", 1, sut, weights), START, LeaseRejectionReason.MODE_NOT_AVAILABLE);
        assertRejected(leases, of("demo", "r", 1, sut, cohorts), START, LeaseRejectionReason.MODE_NOT_AVAILABLE);
        assertRejected(leases, of("demo", "r", 1, Examples.PEER.address().toString(), Redirect.SPLIT), START,
                LeaseRejectionReason.MODE_NOT_AVAILABLE);
    }

    @Test
    void rejects_a_share_out_of_bounds() {
        assertThat(empty.accept(lease(1, 1, 1_000_000, START), START)).isInstanceOf(Accepted.class);
        assertThat(empty.accept(lease(1, 1, 0, START), START)).isInstanceOf(Accepted.class);
        assertRejected(empty, lease(1, 1, 1_000_001, START), START, LeaseRejectionReason.SHARE_OUT_OF_BOUNDS);
        assertRejected(empty, lease(1, 1, -1, START), START, LeaseRejectionReason.SHARE_OUT_OF_BOUNDS);
    }

    @Test
    void rejects_what_has_run_out_and_remembers_its_epoch() {
        // given
        Lease old = lease(9, 1, 1, START.minusSeconds(60));

        // when
        assertRejected(empty, old, START, LeaseRejectionReason.EXPIRED);
        LeaseRegistry leases = empty.accept(old, START).leases();

        // then
        assertRejected(leases, lease(8, 1, 1, START), START, LeaseRejectionReason.LOWER_EPOCH);
        assertThat(leases.accept(lease(9, 2, 1, START), START)).isInstanceOf(Accepted.class);
        assertThat(leases.newest("demo")).contains(old);
    }

    @Test
    void says_which_settings_do_not_fit_when_a_lease_is_not_longer_than_the_margin() {
        Lease brief = new Lease("demo", "run-1", 1, 1,
                new RequestedTraffic(Examples.SUT.address().toString(), 1, Share.WHOLE_PPM, Redirect.SPLIT),
                new Validity(START, START.plus(MARGIN), MARGIN), false);
        assertRejected(empty, brief, START, LeaseRejectionReason.EXPIRED);
        assertThat(empty.accept(brief, START)).asInstanceOf(InstanceOfAssertFactories.type(Rejected.class))
                .satisfies(rejected -> assertThat(rejected.message())
                        .contains("its time to live of " + MARGIN.toMillis() + " ms")
                        .contains("longer leases").contains("redliner.redirector.loop.lease-margin has to be lower"));
    }

    @Test
    void a_takeover_that_had_run_out_still_fences_the_lease_in_force() {
        // given
        LeaseRegistry leases = holding.accept(takenOver(9, 1, START.minusSeconds(60)), START).leases();

        // then the lease in force stays until it runs out, and cannot be renewed
        assertThat(leases.active("demo")).isPresent();
        assertRejected(leases, lease(7, 4, 1, START), START, LeaseRejectionReason.LOWER_EPOCH);
        LeaseRegistry lapsed = leases.expire(START.plus(TTL), service -> false).leases();
        assertRejected(lapsed, lease(7, 5, 1, START.plus(TTL)), START.plus(TTL), LeaseRejectionReason.LOWER_EPOCH);
        assertThat(lapsed.accept(lease(9, 2, 1, START.plus(TTL)), START.plus(TTL))).isInstanceOf(Accepted.class);
    }

    @Test
    void a_lease_that_nobody_renews_is_given_up_before_it_runs_out() {
        assertThat(holding.nextExpiry()).contains(START.plusMillis(4_700));
        assertThat(holding.expire(START.plusMillis(4_699), service -> false).leases().active("demo")).isPresent();

        LeaseRegistry lapsed = holding.expire(START.plusMillis(4_700), service -> false).leases();
        assertThat(lapsed.state("demo")).asInstanceOf(InstanceOfAssertFactories.type(Ended.class))
                .extracting(Ended::end).isEqualTo(End.LAPSED);
        assertThat(lapsed.nextExpiry()).isEmpty();
    }

    @Test
    void an_ended_epoch_moves_no_traffic_any_more() {
        // given
        Instant later = START.plusMillis(4_700);
        LeaseRegistry lapsed = holding.expire(later, service -> false).leases();
        LeaseRegistry failed = holding.fail("demo", "proxy p refused");
        LeaseRegistry released = accept(holding, released(lease(7, 3, 0, START)), START);

        // then
        assertRejected(lapsed, lease(7, 4, 1, later), later, LeaseRejectionReason.EPOCH_ENDED);
        assertRejected(failed, lease(7, 4, 1, later), later, LeaseRejectionReason.EPOCH_ENDED);
        assertRejected(released, lease(7, 5, 1, later), later, LeaseRejectionReason.EPOCH_ENDED);
        assertThat(lapsed.accept(lease(8, 1, 1, later), later)).isInstanceOf(Accepted.class);
    }

    @Test
    void an_ended_lease_can_still_be_released() {
        LeaseRegistry failed = holding.fail("demo", "proxy p refused");
        LeaseRegistry released = accept(failed, released(lease(7, 3, 0, START)), START.plusSeconds(60));
        assertThat(released.state("demo")).asInstanceOf(InstanceOfAssertFactories.type(Ended.class))
                .extracting(Ended::end).isEqualTo(End.RELEASED);
    }
}
