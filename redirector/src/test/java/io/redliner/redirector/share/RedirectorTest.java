// SPDX-License-Identifier: Apache-2.0
package io.redliner.redirector.share;

import static io.redliner.redirector.share.Examples.START;
import static io.redliner.redirector.share.Examples.lease;
import static io.redliner.redirector.share.Examples.released;
import static org.assertj.core.api.Assertions.assertThat;

import io.redliner.redirector.share.ProxyEvents.StreamId;
import io.redliner.redirector.share.ProxyStream.Refusal;
import io.redliner.redirector.share.ResourceKey.Channel;
import io.redliner.redirector.share.ResourceKey.Kind;
import io.redliner.redirector.share.ShareStatus.State;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Test;

class RedirectorTest {

    private static final StreamId CONFIGURATION = new StreamId(Channel.CONFIGURATION, 1);

    private static final StreamId SHARES = new StreamId(Channel.SHARES, 1);

    private static final ShareRules RULES = new ShareRules(Duration.ofMillis(300), Duration.ofSeconds(2),
            Duration.ofSeconds(10));

    private final MovableClock clock = new MovableClock();

    private final FakeDataPlane dataPlane = new FakeDataPlane();

    private final FakeJournal journal = new FakeJournal();

    private final Redirector redirector = new Redirector(Examples.CATALOG, RULES, dataPlane, journal, clock);

    /** Remembers what it was told; versions are the text of the arrangement without its time. */
    private static final class FakeDataPlane implements DataPlane {

        private final List<Arrangement> told = new ArrayList<>();

        private Map<ResourceKey, String> wanted = Map.of();

        @Override
        public Map<String, Map<ResourceKey, String>> arrange(List<Arrangement> arrangements) {
            Arrangement arrangement = arrangements.getFirst();
            told.add(arrangement);
            wanted = Map.of(
                    new ResourceKey(Kind.CLUSTER, "demo"), "c" + arrangement.layout().sut(),
                    new ResourceKey(Kind.ROUTE, "demo"), "r" + arrangement.layout().split(),
                    new ResourceKey(Kind.SHARE, "demo"),
                    "s" + arrangement.override().map(Arrangement.Weighting::share));
            return Map.of("demo", wanted);
        }

        Arrangement last() {
            return told.getLast();
        }
    }

    private static final class FakeJournal implements Journal {

        private final List<ShareStatus> statuses = new ArrayList<>();

        private final List<Rejection> rejections = new ArrayList<>();

        @Override
        public void report(ShareStatus status) {
            statuses.add(status);
        }

        @Override
        public void accepted(Lease lease) {
            // Told by the status as well.
        }

        @Override
        public void rejected(Lease lease, Rejection rejection) {
            rejections.add(rejection);
        }

        State state() {
            return statuses.getLast().state();
        }
    }

    private void connect() {
        redirector.opened(SHARES, "p");
        redirector.opened(CONFIGURATION, "p");
    }

    /** Takes everything until nothing new comes. */
    private void acknowledge() {
        Map<ResourceKey, String> taken = Map.of();
        while (!taken.equals(dataPlane.wanted)) {
            taken = dataPlane.wanted;
            for (Kind kind : List.of(Kind.CLUSTER, Kind.ROUTE, Kind.SHARE)) {
                Map<ResourceKey, String> own = new HashMap<>(taken);
                own.keySet().removeIf(key -> key.kind() != kind);
                redirector.acknowledged(kind == Kind.SHARE ? SHARES : CONFIGURATION, kind, own);
            }
        }
    }

    private void receive(Lease lease) {
        redirector.receive(lease, clock.instant());
    }

    private void pass(Duration duration) {
        clock.pass(duration);
        redirector.advance();
    }

    private void apply(long epoch) {
        redirector.start();
        connect();
        acknowledge();
        receive(lease(epoch, 1, 600_000, START));
        acknowledge();
    }

    @Test
    void says_nothing_to_the_proxies_before_the_old_leases_are_read() {
        // when
        connect();
        receive(lease(1, 1, 600_000, START));

        // then
        assertThat(dataPlane.told).isEmpty();
        redirector.start();
        assertThat(dataPlane.last().layout()).isEqualTo(new Layout.Preparing(Examples.SUT));
    }

    @Test
    void goes_through_two_phases_and_is_applied_only_when_all_is_acknowledged() {
        // given
        redirector.start();
        connect();
        acknowledge();
        assertThat(journal.state()).isEqualTo(State.NATURAL);

        // when
        receive(lease(1, 1, 600_000, START));

        // then
        assertThat(journal.state()).isEqualTo(State.PENDING);
        assertThat(dataPlane.last()).isEqualTo(
                new Arrangement(Examples.SERVICE, new Layout.Preparing(Examples.SUT), Optional.empty()));
        acknowledge();
        assertThat(dataPlane.last().layout()).isEqualTo(new Layout.Split(Examples.SUT));
        assertThat(journal.state()).isEqualTo(State.APPLIED);
        assertThat(journal.statuses.getLast().share()).isEqualTo(new Share(600_000));
    }

    @Test
    void never_applied_without_a_proxy() {
        // given
        redirector.start();

        // when
        receive(lease(1, 1, 600_000, START));
        for (int second = 1; second < 10; second++) {
            pass(Duration.ofSeconds(1));
            receive(lease(1, 1 + second, 600_000, clock.instant()));
        }

        // then
        assertThat(journal.statuses).extracting(ShareStatus::state).doesNotContain(State.APPLIED, State.FAILED);
        assertThat(journal.statuses.getLast().reason()).isEqualTo("no proxy is connected");
        assertThat(dataPlane.last().layout().split()).isFalse();
    }

    @Test
    void a_lost_proxy_takes_the_proof_with_it() {
        // given
        apply(1);

        // when
        redirector.closed(CONFIGURATION);

        // then
        assertThat(journal.state()).isEqualTo(State.PENDING);
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
        assertThat(journal.state()).isEqualTo(State.APPLIED);
        assertThat(dataPlane.last().override().orElseThrow().expiry()).isEqualTo(clock.instant().plus(Examples.TTL));
    }

    @Test
    void without_renewal_traffic_is_natural_before_the_lease_runs_out() {
        // given
        apply(1);
        assertThat(redirector.nextChange()).contains(START.plusMillis(4_700));

        // when
        pass(Duration.ofMillis(4_700));

        // then
        assertThat(dataPlane.last().override()).isEmpty();
        assertThat(dataPlane.last().layout().split()).isFalse();
        assertThat(journal.state()).isEqualTo(State.EXPIRED);
        receive(lease(1, 2, 600_000, clock.instant()));
        assertThat(journal.rejections).containsExactly(Rejection.EPOCH_ENDED);
        assertThat(dataPlane.last().override()).isEmpty();
    }

    @Test
    void a_renewal_that_waited_too_long_in_the_queue_does_not_revive_the_lease() {
        // given a loop that stood still past the expiry
        apply(1);
        clock.pass(Duration.ofSeconds(6));

        // when
        redirector.receive(lease(1, 2, 600_000, clock.instant()), clock.instant());

        // then
        assertThat(journal.rejections).containsExactly(Rejection.EPOCH_ENDED);
        assertThat(dataPlane.last().override()).isEmpty();
    }

    @Test
    void release_restores_the_plain_route_then_removes_the_clusters() {
        // given
        apply(1);

        // when
        receive(released(lease(1, 1, 0, START)));
        assertThat(journal.state()).isEqualTo(State.PENDING);
        acknowledge();

        // then
        assertThat(journal.state()).isEqualTo(State.NATURAL);
        assertThat(dataPlane.last().layout()).isEqualTo(new Layout.Returning(Examples.SUT, START));
        pass(Duration.ofSeconds(10));
        assertThat(dataPlane.last().layout()).isEqualTo(new Layout.Plain());
    }

    @Test
    void a_refusal_ends_the_lease_at_once() {
        // given
        apply(1);
        receive(lease(1, 2, 700_000, START));

        // when
        redirector.refused(SHARES, Kind.SHARE, new Refusal(Map.of(new ResourceKey(Kind.SHARE, "demo"),
                "s" + Optional.of(new Share(700_000))), "bad weight"));

        // then
        assertThat(journal.state()).isEqualTo(State.FAILED);
        assertThat(journal.statuses.getLast().reason()).isEqualTo("proxy p refused: bad weight");
        assertThat(dataPlane.last().override()).isEmpty();
        assertThat(dataPlane.last().layout().split()).isFalse();
    }

    @Test
    void a_silent_proxy_ends_the_lease_after_its_deadline() {
        // given
        redirector.start();
        connect();
        acknowledge();
        receive(lease(1, 1, 600_000, START));
        assertThat(redirector.nextChange()).contains(START.plusSeconds(2));

        // when
        pass(Duration.ofSeconds(2));

        // then
        assertThat(journal.state()).isEqualTo(State.FAILED);
        assertThat(journal.statuses.getLast().reason()).contains("proxy p did not acknowledge CLUSTER demo");
        assertThat(dataPlane.last().layout()).isInstanceOf(Layout.Returning.class);
    }

    @Test
    void a_fenced_lease_is_reported_and_changes_nothing() {
        // given
        apply(2);
        int told = dataPlane.told.size();

        // when
        receive(lease(1, 9, 900_000, START));

        // then
        assertThat(dataPlane.told).hasSize(told);
        ShareStatus status = journal.statuses.getLast();
        assertThat(status.state()).isEqualTo(State.REJECTED);
        assertThat(status.epoch()).isEqualTo(1);
        assertThat(status.reason()).startsWith("LOWER_EPOCH: ");
        redirector.signOfLife();
        assertThat(journal.state()).isEqualTo(State.APPLIED);
    }

    @Test
    void begins_with_the_clusters_of_the_last_test_because_the_proxies_may_still_use_them() {
        // given
        receive(lease(1, 1, 600_000, START.minusSeconds(60)));

        // when
        redirector.start();

        // then
        assertThat(dataPlane.last().layout()).isEqualTo(new Layout.Returning(Examples.SUT, START));
        assertThat(journal.statuses).extracting(ShareStatus::state).doesNotContain(State.REJECTED);
    }

    @Test
    void tells_the_natural_share_of_each_instance_as_a_sign_of_life() {
        // given
        redirector.start();
        int before = journal.statuses.size();

        // when
        redirector.signOfLife();

        // then
        assertThat(journal.statuses).hasSize(before + 1);
        assertThat(journal.statuses.getLast().instances()).hasSize(4)
                .allSatisfy(instance -> assertThat(instance.natural()).isEqualTo(new Share(250_000)));
    }
}
