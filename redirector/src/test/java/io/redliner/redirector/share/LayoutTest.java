// SPDX-License-Identifier: Apache-2.0
package io.redliner.redirector.share;

import static org.assertj.core.api.Assertions.assertThat;

import io.redliner.redirector.service.Instance;
import io.redliner.redirector.share.Layout.Plain;
import io.redliner.redirector.share.Layout.Preparing;
import io.redliner.redirector.share.Layout.Returning;
import io.redliner.redirector.share.Layout.Split;
import java.time.Duration;
import java.time.Instant;
import java.util.Optional;
import org.junit.jupiter.api.Test;

class LayoutTest {

    private static final Duration LINGER = Duration.ofSeconds(10);

    private static final Instant NOW = Examples.START;

    private static final Instance A = Examples.SUT;

    private static final Instance B = Examples.PEER;

    private static Layout next(Layout layout, Optional<Instance> wanted, boolean proven, Instant now) {
        return layout.next(wanted, proven, LINGER, now);
    }

    @Test
    void the_route_is_split_only_once_the_clusters_are_proven() {
        assertThat(next(new Plain(), Optional.of(A), true, NOW)).isEqualTo(new Preparing(A));
        assertThat(next(new Preparing(A), Optional.of(A), false, NOW)).isEqualTo(new Preparing(A));
        assertThat(next(new Preparing(A), Optional.of(A), true, NOW)).isEqualTo(new Split(A));
        assertThat(next(new Split(A), Optional.of(A), false, NOW)).isEqualTo(new Split(A));
    }

    @Test
    void the_clusters_go_only_once_the_plain_route_is_proven_and_their_requests_have_ended() {
        Layout returning = next(new Split(A), Optional.empty(), true, NOW);
        assertThat(returning).isEqualTo(new Returning(A, NOW));
        assertThat(next(returning, Optional.empty(), true, NOW.plusSeconds(9))).isEqualTo(returning);
        assertThat(next(returning, Optional.empty(), false, NOW.plusSeconds(99))).isEqualTo(returning);
        assertThat(next(returning, Optional.empty(), true, NOW.plusSeconds(10))).isEqualTo(new Plain());
    }

    @Test
    void another_instance_waits_for_the_plain_route() {
        Layout returning = next(new Split(A), Optional.of(B), true, NOW);
        assertThat(returning).isEqualTo(new Returning(A, NOW));
        assertThat(next(returning, Optional.of(B), false, NOW)).isEqualTo(returning);
        assertThat(next(returning, Optional.of(B), true, NOW)).isEqualTo(new Preparing(B));
        assertThat(next(returning, Optional.of(A), false, NOW)).isEqualTo(new Preparing(A));
        assertThat(next(new Preparing(A), Optional.empty(), true, NOW)).isEqualTo(returning);
    }
}
