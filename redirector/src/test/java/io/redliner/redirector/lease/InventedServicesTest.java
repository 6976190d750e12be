// SPDX-License-Identifier: Apache-2.0
package io.redliner.redirector.lease;

import static io.redliner.redirector.lease.Examples.START;
import static io.redliner.redirector.lease.Examples.TTL;
import static io.redliner.redirector.lease.Examples.lease;
import static org.assertj.core.api.Assertions.assertThat;

import io.redliner.contract.redirect.Cohort;
import io.redliner.contract.redirect.PathMatch;
import io.redliner.contract.redirect.Redirect;
import io.redliner.contract.redirect.RedirectMode;
import io.redliner.redirector.lease.LeaseDecision.Accepted;
import io.redliner.redirector.lease.LeaseDecision.Rejected;
import io.redliner.redirector.routing.RoutedServices;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

/** Anybody who may write to the topic can invent services: what is kept of them is bounded in number and size. */
class InventedServicesTest {

    private static final int INVENTED = 2_000;

    private static final Redirect FAT = new Redirect(RedirectMode.SPLIT, null, null,
            IntStream.range(0, 60).mapToObj(cohort -> new Cohort("cohort-" + cohort, List.of(),
                    new PathMatch(PathMatch.Kind.WHOLE, "/" + cohort + "y".repeat(900)), List.of())).toList());

    private final LeaseRegistry empty = LeaseRegistry.empty(Examples.CATALOG, Duration.ofMillis(300));

    private static Lease of(String service, long epoch, Redirect redirect) {
        return new Lease(service, "run-" + epoch, epoch, 1,
                new RequestedTraffic(Examples.SUT.address().toString(), 600_000, 600_000, redirect),
                new Validity(START, START.plus(TTL), TTL), false);
    }

    private static LeaseRegistry flooded(LeaseRegistry leases, int services, Redirect redirect) {
        return flooded(leases, 0, services, redirect);
    }

    private static LeaseRegistry flooded(LeaseRegistry leases, int from, int to, Redirect redirect) {
        LeaseRegistry next = leases;
        for (int i = from; i < to; i++) {
            LeaseDecision decision = next.accept(of("invented-" + i, 1, redirect), START);
            assertThat(decision).isInstanceOf(Rejected.class);
            next = decision.leases();
        }
        return next;
    }

    private static List<Lease> kept(LeaseRegistry leases, int services) {
        return IntStream.range(0, services).mapToObj(i -> leases.newest("invented-" + i)).flatMap(Optional::stream)
                .toList();
    }

    @Test
    void two_thousand_of_them_with_large_leases_leave_few_of_those() {
        LeaseRegistry leases = flooded(empty, INVENTED, FAT);

        assertThat(kept(leases, INVENTED)).filteredOn(lease -> !lease.redirect().cohorts().isEmpty())
                .hasSize(KnownLeases.MAX_UNKNOWN);
        assertThat(kept(leases, INVENTED)).hasSize(INVENTED);
    }

    @Test
    void of_more_than_that_the_oldest_are_forgotten() {
        int services = KnownLeases.MAX_EPOCHS + KnownLeases.MAX_UNKNOWN + 500;

        LeaseRegistry leases = flooded(empty, services, Redirect.SPLIT);

        assertThat(kept(leases, services)).hasSize(services - 500);
        assertThat(leases.newest("invented-499")).isEmpty();
        assertThat(leases.newest("invented-500")).isPresent();
        assertThat(flooded(leases, 10, FAT).newest("invented-520")).as("ten more were forgotten for").isPresent();
    }

    @Test
    void the_epoch_of_a_known_service_is_never_forgotten() {
        LeaseRegistry leases = empty.accept(lease(7, 1, 600_000, START), START).leases();

        LeaseRegistry after = flooded(leases, INVENTED, FAT);

        assertThat(after.active("demo")).isPresent();
        assertThat(after.newest("demo")).contains(lease(7, 1, 600_000, START));
        LeaseRegistry gone = flooded(after.fail("demo", "not listed any more").with(RoutedServices.of(List.of())),
                INVENTED, FAT);
        assertThat(gone.newest("demo")).as("of a service that was known").isPresent();
    }

    @Test
    void a_service_that_becomes_known_has_the_lease_that_came_before() {
        LeaseRegistry nothing = LeaseRegistry.empty(RoutedServices.of(List.of()), Duration.ofMillis(300));
        LeaseRegistry before = nothing.accept(of("demo", 7, Redirect.SPLIT), START).leases();

        LeaseRegistry known = before.with(Examples.CATALOG);
        assertThat(known.newest("demo")).contains(of("demo", 7, Redirect.SPLIT));
        assertThat(known.accept(lease(7, 2, 600_000, START), START)).isInstanceOf(Accepted.class);

        LeaseRegistry later = flooded(before, INVENTED, FAT).with(Examples.CATALOG);
        assertThat(later.accept(lease(6, 1, 600_000, START), START)).isInstanceOfSatisfying(Rejected.class,
                rejected -> assertThat(rejected.rejection()).isEqualTo(LeaseRejectionReason.LOWER_EPOCH));
        assertThat(later.accept(lease(7, 2, 600_000, START), START)).isInstanceOf(Accepted.class);
    }

    @Test
    void a_lease_that_is_renewed_stays_whole_beside_a_flood() {
        LeaseRegistry leases = LeaseRegistry.empty(RoutedServices.of(List.of()), Duration.ofMillis(300));
        for (int second = 1; second < 30; second++) {
            leases = leases.accept(lease(7, second, 600_000, START), START).leases();
            leases = flooded(leases, 50 * second, 50 * second + 50, FAT);
        }

        assertThat(leases.newest("demo").orElseThrow().sut()).isEqualTo(Examples.SUT.address().toString());
    }
}
