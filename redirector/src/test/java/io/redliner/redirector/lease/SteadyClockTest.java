// SPDX-License-Identifier: Apache-2.0
package io.redliner.redirector.lease;

import static io.redliner.redirector.lease.Examples.START;
import static io.redliner.redirector.lease.Examples.TTL;
import static io.redliner.redirector.lease.Examples.lease;
import static org.assertj.core.api.Assertions.assertThat;

import io.redliner.redirector.testing.MovableClock;
import java.time.Duration;
import java.time.Instant;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class SteadyClockTest {

    private static final Duration MARGIN = Duration.ofMillis(300);

    private final MovableClock system = new MovableClock();

    private final AtomicLong timer = new AtomicLong(Long.MAX_VALUE);

    private final SteadyClock clock = new SteadyClock(system, timer::get);

    private void pass(Duration duration) {
        timer.addAndGet(duration.toNanos());
        system.pass(duration);
    }

    private LeaseDecision accept(LeaseRegistry leases, Lease lease) {
        Instant now = clock.instant();
        return leases.accept(lease.received(clock.lead(), now), now);
    }

    @Test
    void goes_on_when_the_system_clock_is_set() {
        pass(Duration.ofSeconds(3));
        system.pass(Duration.ofHours(-1));

        assertThat(clock.instant()).isEqualTo(START.plusSeconds(3));
        assertThat(clock.lead()).isEqualTo(Duration.ofHours(-1));
    }

    /** Promise 1: natural within the lease's time to live, also when the clock was set while it was in force. */
    @ParameterizedTest
    @ValueSource(ints = {-60, 60})
    void a_lease_ends_in_time_when_the_clock_is_set_by_a_minute(int seconds) {
        LeaseRegistry leases = accept(LeaseRegistry.empty(Examples.CATALOG, MARGIN), lease(7, 1, 600_000, START))
                .leases();
        system.pass(Duration.ofSeconds(seconds));
        // The controller's clock was set as well: its renewals go on.
        LeaseRegistry renewed = accept(leases, lease(7, 2, 600_000, system.instant())).leases();

        assertThat(renewed.active("demo")).map(ActiveLease::expiry).hasValue(clock.instant().plus(TTL));
        pass(TTL.minus(MARGIN));
        assertThat(renewed.expire(clock.instant(), service -> false).leases().active("demo")).isEmpty();
    }

    @Test
    void a_sender_whose_clock_is_ahead_holds_nobody_longer_than_the_time_to_live() {
        Lease received = lease(7, 1, 600_000, START.plusSeconds(60)).received(clock.lead(), clock.instant());

        assertThat(received.validity().droppedAt()).isEqualTo(START.plus(TTL));
    }

    @Test
    void no_lease_lives_for_longer_than_half_a_minute() {
        Lease given = lease(7, 1, 600_000, START);
        Lease day = new Lease(given.service(), given.runId(), given.epoch(), given.sequence(),
                new RequestedTraffic(given.sut(), given.traffic().sharePpm(), given.traffic().maxSharePpm(),
                        given.redirect()),
                new Validity(given.validity().issuedAt(), START.plus(Duration.ofDays(1)), Duration.ofDays(1)), false);

        assertThat(accept(LeaseRegistry.empty(Examples.CATALOG, MARGIN), day).leases().active("demo"))
                .map(ActiveLease::expiry).hasValue(START.plus(Lease.MAX_TTL));
    }

    /** A record stays in the topic for longer than any lease lives, and a redirector may begin at any time. */
    @ParameterizedTest
    @ValueSource(longs = {1, 24, 24 * 365})
    void a_lease_of_former_times_that_ends_later_than_any_controller_says_is_over(long hours) {
        Lease given = lease(7, 1, 600_000, START);
        Lease forged = new Lease(given.service(), given.runId(), given.epoch(), given.sequence(),
                new RequestedTraffic(given.sut(), given.traffic().sharePpm(), given.traffic().maxSharePpm(),
                        given.redirect()),
                new Validity(given.validity().issuedAt(), START.plus(Duration.ofHours(hours)), Lease.MAX_TTL), false);
        Instant now = clock.instant();
        LeaseRegistry empty = LeaseRegistry.empty(Examples.CATALOG, MARGIN);

        LeaseRegistry restarted = empty.accept(forged.receivedLate(clock.lead(), now), now).leases();

        assertThat(restarted.active("demo")).isEmpty();
        assertThat(restarted.newest("demo")).as("it fences all the same").map(Lease::epoch).hasValue(7L);
        assertThat(empty.accept(given.receivedLate(clock.lead(), now), now).leases().active("demo")).isPresent();
    }

    @Test
    void a_lease_of_former_times_by_a_clock_that_is_little_ahead_is_obeyed_for_what_is_left_of_it() {
        Lease ahead = lease(7, 1, 600_000, START.plusSeconds(2));
        pass(Duration.ofSeconds(1));
        Instant now = clock.instant();

        assertThat(LeaseRegistry.empty(Examples.CATALOG, MARGIN).accept(ahead.receivedLate(clock.lead(), now), now)
                .leases().active("demo")).map(ActiveLease::expiry).hasValue(now.plus(TTL));
    }
}
