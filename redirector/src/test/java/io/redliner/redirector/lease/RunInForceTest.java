// SPDX-License-Identifier: Apache-2.0
package io.redliner.redirector.lease;

import static io.redliner.redirector.lease.Examples.TTL;
import static org.assertj.core.api.Assertions.assertThat;

import io.redliner.contract.lease.ReportedLeaseState;
import io.redliner.contract.redirect.Redirect;
import io.redliner.contract.redirect.RedirectMode;
import io.redliner.contract.redirect.Share;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** While a run's lease is in force, its bounds hold whatever epoch a record has, and a release of the run ends it. */
class RunInForceTest extends LeaseReconcilerFixture {

    private static final String RUN = "run-7";

    private static final long MAX_PPM = 700_000;

    private static final String SUT = Examples.SUT.address().toString();

    @BeforeEach
    void begin() {
        start();
        connect();
        acknowledge();
        receive(of(RUN, 7, 1, 600_000, MAX_PPM));
        acknowledge();
    }

    private Lease of(String run, long epoch, long sequence, long ppm, long maxPpm) {
        return of(run, epoch, sequence, ppm, maxPpm, SUT, Redirect.SPLIT);
    }

    private Lease of(String run, long epoch, long sequence, long ppm, long maxPpm, String sut, Redirect redirect) {
        return new Lease("demo", run, epoch, sequence, new RequestedTraffic(sut, ppm, maxPpm, redirect),
                new Validity(clock.instant(), clock.instant().plus(TTL), TTL), false);
    }

    private Lease release(String run, long epoch, long sequence) {
        return Examples.released(of(run, epoch, sequence, 0, MAX_PPM));
    }

    private void assertRejected(LeaseRejectionReason reason) {
        assertThat(journal.rejections).last().isEqualTo(reason);
        assertThat(journal.statuses).anySatisfy(status -> {
            assertThat(status.state()).isEqualTo(ReportedLeaseState.REJECTED);
            assertThat(status.reason()).startsWith(reason + ": ").hasSizeLessThan(500);
        });
    }

    private void assertShare(int ppm) {
        assertThat(dataPlane.last().lease()).hasValueSatisfying(
                override -> assertThat(override.share()).isEqualTo(new Share(ppm)));
    }

    @ParameterizedTest
    @ValueSource(longs = {8, 9, 1_000_007})
    void a_lease_of_another_run_is_refused_and_the_run_goes_on(long epoch) {
        receive(of("other-run", epoch, 1, 1_000_000, 1_000_000));

        assertRejected(LeaseRejectionReason.OTHER_RUN);
        assertShare(600_000);
        receive(of(RUN, 7, 2, 650_000, MAX_PPM));
        assertShare(650_000);
    }

    @Test
    void a_release_of_another_run_changes_nothing() {
        receive(release("other-run", 8, 1));

        assertRejected(LeaseRejectionReason.OTHER_RUN);
        assertShare(600_000);
    }

    @Test
    void the_epoch_of_the_refused_lease_counts_for_how_far_the_next_run_s_may_jump() {
        // given a controller that learned the epoch from the refusal, as ServiceCatalog does
        receive(of("other-run", 1_000_007, 1, 1_000_000, 1_000_000));
        receive(release(RUN, 7, 2));

        receive(of("next-run", 1_000_008, 1, 500_000, MAX_PPM));

        assertShare(500_000);
    }

    @Test
    void a_next_run_begins_at_once_after_the_release_or_when_the_lease_has_run_out() {
        receive(release(RUN, 7, 2));
        receive(of("next-run", 8, 1, 500_000, MAX_PPM));
        assertShare(500_000);

        pass(TTL);
        receive(of("run-after-that", 9, 1, 400_000, MAX_PPM));
        assertShare(400_000);
    }

    @ParameterizedTest
    @ValueSource(longs = {700_001, 1_000_000})
    void another_epoch_of_the_run_keeps_its_bound(long ppm) {
        receive(of(RUN, 8, 1, ppm, MAX_PPM));
        assertRejected(LeaseRejectionReason.SHARE_OUT_OF_BOUNDS);
        receive(of(RUN, 9, 1, ppm, Share.WHOLE_PPM));
        assertRejected(LeaseRejectionReason.OTHER_RUN);
        assertShare(600_000);
    }

    @Test
    void a_takeover_goes_on_under_a_higher_epoch_and_may_name_a_lower_bound() {
        receive(of(RUN, 8, 1, 620_000, MAX_PPM));
        assertShare(620_000);
        receive(of(RUN, 7, 2, 600_000, MAX_PPM));
        assertRejected(LeaseRejectionReason.LOWER_EPOCH);
        receive(of(RUN, 9, 1, 630_000, 650_000));
        assertShare(630_000);
        receive(of(RUN, 10, 1, 650_001, MAX_PPM));
        assertRejected(LeaseRejectionReason.OTHER_RUN);
        assertShare(630_000);
    }

    @Test
    void another_epoch_of_the_run_keeps_its_instance_and_how_traffic_is_moved() {
        receive(of(RUN, 8, 1, 600_000, MAX_PPM, Examples.PEER.address().toString(), Redirect.SPLIT));
        assertRejected(LeaseRejectionReason.OTHER_RUN);
        receive(of(RUN, 8, 1, 600_000, MAX_PPM, SUT,
                new Redirect(RedirectMode.ENDPOINT_WEIGHT, null, null, List.of())));

        assertThat(journal.rejections).containsExactly(LeaseRejectionReason.OTHER_RUN,
                LeaseRejectionReason.OTHER_RUN);
        assertShare(600_000);
    }

    @Test
    void the_bound_holds_after_the_lease_has_run_out() {
        pass(TTL);
        receive(of(RUN, 8, 1, 1_000_000, Share.WHOLE_PPM));
        assertRejected(LeaseRejectionReason.OTHER_RUN);
        assertThat(dataPlane.last().lease()).isEmpty();
    }

    @ParameterizedTest
    @ValueSource(longs = {1, 6, 7, 8, 1_000_008, -1})
    void a_release_of_the_run_is_obeyed_whatever_its_epoch_and_closes_the_run(long epoch) {
        receive(release(RUN, epoch, -1));
        acknowledge();

        assertThat(dataPlane.last().lease()).isEmpty();
        assertThat(journal.state()).isEqualTo(ReportedLeaseState.NATURAL);
        assertThat(Long.compareUnsigned(journal.statuses.getLast().epoch(), 1_000_007)).isNegative();
        for (long next = 7; next < 12; next++) {
            receive(of(RUN, next, 3, 600_000, MAX_PPM));
            assertThat(dataPlane.last().lease()).as("epoch %d", next).isEmpty();
        }
        assertThat(journal.rejections).last().isEqualTo(LeaseRejectionReason.EPOCH_ENDED);
        receive(of("next-run", 20, 1, 500_000, MAX_PPM));
        assertShare(500_000);
    }

    @Test
    void the_controller_that_was_overtaken_gets_the_proof_of_its_release() {
        receive(of(RUN, 8, 1, 700_000, MAX_PPM));
        receive(release(RUN, 8, 1));
        receive(release(RUN, 7, 5));
        acknowledge();

        assertThat(journal.state()).isEqualTo(ReportedLeaseState.NATURAL);
        assertThat(journal.statuses.getLast().epoch()).isEqualTo(7);
        assertThat(journal.statuses.getLast().sequence()).isEqualTo(6);
    }

    @Test
    void the_run_goes_on_beside_a_hundred_forged_records() {
        for (int i = 1; i <= 100; i++) {
            receive(of("other-run-" + i, 7 + i, 1, 1_000_000, 1_000_000));
            receive(of(RUN, 7, 1 + i, 600_000 + i, MAX_PPM));
            assertShare(600_000 + i);
            pass(Duration.ofMillis(500));
        }
    }
}
