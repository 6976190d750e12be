// SPDX-License-Identifier: Apache-2.0
package io.redliner.controller.core.run;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import io.redliner.contract.redirect.Share;
import io.redliner.controller.core.run.TrafficSample.ShareInterval;
import io.redliner.sla.Judgement;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

class ShareNotFollowedTest {

    private static final Instant START = Instant.parse("2026-01-01T00:00:00Z");

    private static final List<LeaseHistory.RequestedShare> ASKED = List
            .of(new LeaseHistory.RequestedShare(new Share(400_000), START, 1L));

    /** After so many windows, at each of which 30 % arrived. */
    private static ShareDeviationCheck after(int windows, long completed, @Nullable Long shareRequests) {
        return after(windows, completed, shareRequests, 0);
    }

    private static ShareDeviationCheck after(int windows, long completed, @Nullable Long shareRequests, double grain) {
        TrafficSample sut = new TrafficSample(100, completed, 0, 1, 0.01, 0.1, new Share(300_000), shareRequests);
        TrafficSample peers = new TrafficSample(100, completed, 0, 1, 0.01, 0.1, new Share(700_000), shareRequests);
        ShareDeviationCheck audit = ShareDeviationCheck.CLEAN;
        for (int window = 1; window <= windows; window++) {
            audit = audit.after(new WindowVerdict("run", 7, window, START.plusSeconds(10 + window),
                    Duration.ofSeconds(1), Judgement.HOLDS, List.of(), List.of(),
                    new SearchAdvice(SearchAdvice.Action.HOLD, 400, SearchAdvice.Phase.RAMPING, "hold", 1), sut, peers,
                    1000, 0,
                    null),
                    ASKED, grain);
        }
        return audit;
    }

    @Test
    void is_found_by_the_requests_that_the_lease_speaks_of() {
        assertThat(after(5, 10_000, 1000L).lasting()).isTrue();
        assertThat(after(4, 10_000, 1000L).lasting()).isFalse();
        assertThat(after(5, 10_000, 50L).lasting()).as("few of them are noise, however many completed").isFalse();
        assertThat(after(5, 10, 1000L).lasting()).as("nor does it matter how few completed").isTrue();
        assertThat(after(5, 10_000, 0L).lasting()).as("without any there is nothing to say").isFalse();
    }

    @Test
    void is_found_by_completed_requests_where_nothing_else_is_reported() {
        assertThat(after(5, 500, null).lasting()).isTrue();
        assertThat(after(5, 25, null).lasting()).isFalse();
    }

    @Test
    void is_not_what_shares_are_rounded_to() {
        assertThat(after(5, 10_000, 1_000_000L, 0.1).lasting()).isFalse();
        assertThat(after(5, 10_000, 1_000_000L, 0.01).lasting()).isTrue();
    }

    @Test
    void is_reported_with_both_shares_and_the_interval() {
        RunFacts facts = new RunFacts("run", "shop", "10.0.0.1:80", 7, new Share(250_000),
                new RunBounds(new Share(600_000), 2, Duration.ofMinutes(30), 0.01, Duration.ofSeconds(1)),
                RunTimeouts.DEFAULT, START);

        RunEnd ending = StopConditions.shareNotFollowed(facts, new Share(400_000),
                new TrafficSample(250, 250, 0, 1, 0.01, 0.1, new Share(250_000), 1000L));

        assertThat(ending.reason().code()).isEqualTo(StopCode.SHARE_NOT_FOLLOWED);
        assertThat(ending.reason().detail())
                .isEqualTo("10.0.0.1:80 receives 25% of the traffic (95% interval 22.42% to "
                        + "27.78%, on 1000 requests), asked for was 40%, for five windows");
    }

    /** Known values; those at the ends are z^2 / (n + z^2). */
    @Test
    void the_interval_is_wilsons() {
        ShareInterval half = ShareInterval.of(new Share(500_000), 100);
        assertThat(half.low()).isCloseTo(0.40383, within(1e-5));
        assertThat(half.high()).isCloseTo(0.59617, within(1e-5));
        ShareInterval none = ShareInterval.of(Share.NONE, 10);
        assertThat(none.low()).isZero();
        assertThat(none.high()).isCloseTo(0.27753, within(1e-5));
        ShareInterval all = ShareInterval.of(new Share(Share.WHOLE_PPM), 10);
        assertThat(all.low()).isCloseTo(0.72247, within(1e-5));
        assertThat(all.high()).isCloseTo(1, within(1e-9)).isLessThanOrEqualTo(1);
    }

    @Test
    void without_requests_there_is_no_interval() {
        assertThat(TrafficSample.NONE.shareInterval()).isEmpty();
        assertThat(new TrafficSample(0, 0, 0, 0, null, null, Share.NONE, 0L).shareInterval()).isEmpty();
    }
}
