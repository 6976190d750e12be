// SPDX-License-Identifier: Apache-2.0
package io.redliner.redirector.share;

import static io.redliner.redirector.share.Examples.START;
import static io.redliner.redirector.share.Examples.lease;
import static io.redliner.redirector.share.Examples.released;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.tuple;

import io.redliner.redirector.service.Instance;
import io.redliner.redirector.service.Service;
import io.redliner.redirector.service.ServiceCatalog;
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
import java.util.Set;
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

        private final List<StreamId> admitted = new ArrayList<>();

        private final List<String> withdrawn = new ArrayList<>();

        private Map<ResourceKey, String> wanted = Map.of();

        @Override
        public Map<String, Map<ResourceKey, String>> arrange(List<Arrangement> arrangements) {
            Arrangement arrangement = arrangements.getFirst();
            told.add(arrangement);
            wanted = Map.of(
                    new ResourceKey(Kind.CLUSTER, "demo"), "c" + (arrangement.layout() instanceof Layout.Tested),
                    new ResourceKey(Kind.ROUTE, "demo"), "r" + (arrangement.layout() instanceof Layout.Tested),
                    new ResourceKey(Kind.SHARE, "demo"), arrangement.override()
                            .map(weighting -> "s" + weighting.share()).orElse(ResourceKey.NATURAL_SHARE));
            return Map.of("demo", wanted);
        }

        @Override
        public void withdraw(Service service) {
            withdrawn.add(service.name());
        }

        @Override
        public void withhold(Set<String> groups) {
            // Nothing is unknown here.
        }

        @Override
        public void admit(StreamId shares, String service) {
            admitted.add(shares);
        }

        @Override
        public void send() {
            // Told at once.
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

    private void start() {
        redirector.start();
        redirector.settle();
    }

    private void connect() {
        redirector.opened(SHARES, "p", Service.DEFAULT_PROXIES);
        redirector.opened(CONFIGURATION, "p", Service.DEFAULT_PROXIES);
        redirector.carries(CONFIGURATION, Set.of("demo"));
        redirector.settle();
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
                redirector.settle();
            }
        }
    }

    private void receive(Lease lease) {
        redirector.receive(lease, clock.instant());
        redirector.settle();
    }

    private void pass(Duration duration) {
        clock.pass(duration);
        redirector.settle();
    }

    private void apply(long epoch) {
        start();
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
        start();
        assertThat(dataPlane.last().layout()).isInstanceOf(Layout.Tested.class);
    }

    @Test
    void a_share_goes_only_to_proxies_that_have_what_it_needs_and_is_applied_when_all_is_acknowledged() {
        // given
        start();
        connect();
        acknowledge();
        assertThat(journal.state()).isEqualTo(State.NATURAL);

        // when
        receive(lease(1, 1, 600_000, START));

        // then
        assertThat(journal.state()).isEqualTo(State.PENDING);
        assertThat(dataPlane.last().layout()).isEqualTo(
                new Layout.Tested(Examples.SUT.address(), Redirect.SPLIT, 0, new Share(0)));
        assertThat(dataPlane.admitted).isEmpty();
        acknowledge();
        assertThat(dataPlane.admitted).containsExactly(SHARES);
        assertThat(journal.state()).isEqualTo(State.APPLIED);
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
        assertThat(journal.statuses).extracting(ShareStatus::state).doesNotContain(State.APPLIED, State.FAILED);
        assertThat(journal.statuses.getLast().reason()).isEqualTo("no proxy is connected");
        assertThat(dataPlane.admitted).isEmpty();
    }

    @Test
    void a_lost_proxy_takes_the_proof_with_it() {
        // given
        apply(1);

        // when
        redirector.closed(CONFIGURATION);
        redirector.settle();

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
        receive(lease(1, 2, 600_000, clock.instant()));

        // then
        assertThat(journal.rejections).containsExactly(Rejection.EPOCH_ENDED);
        assertThat(dataPlane.last().override()).isEmpty();
    }

    @Test
    void release_takes_the_share_away_at_once_and_the_clusters_when_the_lease_is_long_over() {
        // given
        apply(1);

        // when
        receive(released(lease(1, 1, 0, START)));
        assertThat(journal.state()).isEqualTo(State.PENDING);
        assertThat(dataPlane.last().override()).isEmpty();
        acknowledge();

        // then
        assertThat(journal.state()).isEqualTo(State.NATURAL);
        assertThat(dataPlane.last().layout()).isInstanceOf(Layout.Tested.class);
        assertThat(redirector.nextChange()).contains(START.plusSeconds(15));
        pass(Duration.ofSeconds(15));
        assertThat(dataPlane.last().layout()).isEqualTo(new Layout.Plain());
    }

    @Test
    void restored_is_not_proven_while_a_proxy_that_left_may_still_have_the_share() {
        // given
        apply(1);

        // when
        redirector.closed(CONFIGURATION);
        redirector.closed(SHARES);
        receive(released(lease(1, 1, 0, START)));

        // then
        assertThat(journal.state()).isEqualTo(State.PENDING);
        assertThat(journal.statuses.getLast().reason()).contains("proxy p").contains("not connected here");
        pass(Duration.ofSeconds(5));
        assertThat(journal.state()).isEqualTo(State.NATURAL);
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
        assertThat(journal.state()).isEqualTo(State.NATURAL);
    }

    @Test
    void the_lease_ends_when_its_instance_is_gone() {
        // given
        apply(1);

        // when
        redirector.replaced(ServiceCatalog.of(List.of(
                Examples.SERVICE.with(Examples.SERVICE.instances().subList(0, 3)))));
        redirector.settle();

        // then
        ShareStatus status = journal.statuses.getLast();
        assertThat(status.state()).isEqualTo(State.FAILED);
        assertThat(status.reason()).contains("127.0.0.1:9004 is not in the fleet any more");
        assertThat(status.changes()).extracting(FleetChange::kind, FleetChange::instance)
                .containsExactly(tuple(FleetChange.Kind.REMOVED, "127.0.0.1:9004"));
        assertThat(dataPlane.last().override()).isEmpty();
    }

    @Test
    void a_change_among_the_peers_is_told_and_the_lease_goes_on() {
        // given
        apply(1);
        List<Instance> more = new ArrayList<>(Examples.SERVICE.instances());
        more.add(Examples.instance(9005));

        // when
        redirector.replaced(ServiceCatalog.of(List.of(Examples.SERVICE.with(more))));
        redirector.ejected("p", "demo", "127.0.0.1:9001", true);
        redirector.settle();

        // then
        ShareStatus status = journal.statuses.getLast();
        assertThat(status.state()).isEqualTo(State.APPLIED);
        assertThat(status.changes()).extracting(FleetChange::kind, FleetChange::instance).containsExactly(
                tuple(FleetChange.Kind.ADDED, "127.0.0.1:9005"), tuple(FleetChange.Kind.EJECTED, "127.0.0.1:9001"));
    }

    @Test
    void a_service_that_is_not_listed_any_more_says_so_and_is_withdrawn() {
        // given
        apply(1);

        // when
        redirector.replaced(ServiceCatalog.of(List.of()));
        redirector.settle();

        // then
        assertThat(journal.state()).isEqualTo(State.FAILED);
        assertThat(journal.statuses.getLast().reason()).contains("not listed any more");
        assertThat(dataPlane.withdrawn).containsExactly("demo");
    }

    @Test
    void a_lease_for_an_unknown_service_is_refused_aloud() {
        // given
        start();
        Lease lease = lease(1, 1, 600_000, START);

        // when
        receive(new Lease("other", lease.runId(), 1, 1, lease.sut(), 1, START, lease.expiresAt(), lease.ttl(), false,
                Redirect.SPLIT));

        // then
        assertThat(journal.statuses.getLast().service()).isEqualTo("other");
        assertThat(journal.state()).isEqualTo(State.REJECTED);
        assertThat(journal.statuses.getLast().reason()).startsWith("UNKNOWN_SERVICE: ");
    }

    @Test
    void a_refusal_ends_the_lease_at_once() {
        // given
        apply(1);
        receive(lease(1, 2, 700_000, START));

        // when
        redirector.refused(SHARES, Kind.SHARE, new Refusal(Map.of(new ResourceKey(Kind.SHARE, "demo"),
                "s" + new Share(700_000)), "bad weight"));
        redirector.settle();

        // then
        assertThat(journal.state()).isEqualTo(State.FAILED);
        assertThat(journal.statuses.getLast().reason()).isEqualTo("proxy p refused: bad weight");
        assertThat(dataPlane.last().override()).isEmpty();
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
        assertThat(journal.state()).isEqualTo(State.FAILED);
        assertThat(journal.statuses.getLast().reason()).contains("proxy p did not acknowledge CLUSTER demo");
        assertThat(dataPlane.last().override()).isEmpty();
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
    void begins_as_every_other_redirector_would_with_the_layout_of_the_newest_lease() {
        // given a lease that ran out a moment ago
        receive(lease(1, 1, 600_000, START.minusSeconds(6)));

        // when
        start();

        // then
        assertThat(dataPlane.last().layout()).isInstanceOf(Layout.Tested.class);
        assertThat(dataPlane.last().override()).isEmpty();
        assertThat(journal.statuses).extracting(ShareStatus::state).doesNotContain(State.REJECTED);
        pass(Duration.ofSeconds(9));
        assertThat(dataPlane.last().layout()).isEqualTo(new Layout.Plain());
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
        assertThat(journal.state()).isEqualTo(State.PENDING);
        pass(Duration.ofSeconds(4));
        assertThat(journal.state()).isEqualTo(State.NATURAL);
    }

    @Test
    void tells_the_natural_share_of_each_instance_as_a_sign_of_life() {
        // given
        start();
        int before = journal.statuses.size();

        // when
        redirector.signOfLife();

        // then
        assertThat(journal.statuses).hasSize(before + 1);
        assertThat(journal.statuses.getLast().instances()).hasSize(4)
                .allSatisfy(instance -> assertThat(instance.natural()).isEqualTo(new Share(250_000)));
    }
}
