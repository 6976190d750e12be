// SPDX-License-Identifier: Apache-2.0
package io.redliner.redirector.lease;

import static io.redliner.redirector.lease.Examples.START;
import static org.assertj.core.api.Assertions.assertThat;

import io.redliner.redirector.dataplane.AcknowledgementStatus;
import io.redliner.redirector.dataplane.AcknowledgementStatus.Acknowledged;
import io.redliner.redirector.dataplane.AcknowledgementStatus.Failed;
import io.redliner.redirector.dataplane.AcknowledgementStatus.NoProxies;
import io.redliner.redirector.dataplane.AcknowledgementStatus.Pending;
import io.redliner.redirector.dataplane.Proxy;
import io.redliner.redirector.dataplane.ProxyEventHandler.Refusal;
import io.redliner.redirector.dataplane.ProxyEventHandler.StreamId;
import io.redliner.redirector.dataplane.ResourceKey;
import io.redliner.redirector.dataplane.ResourceKey.StreamKind;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.Set;
import java.util.function.BiConsumer;
import org.junit.jupiter.api.Test;

class AcknowledgementStatusTest {

    private static final ResourceKey ROUTE = new ResourceKey(StreamKind.CONFIGURATION, "ROUTE", "demo");

    private static final ResourceKey SHARE = ResourceKey.share("demo");

    private static final Map<ResourceKey, String> WANTED = Map.of(ROUTE, "r2", SHARE, "s2");

    private static final Duration TIMEOUT = Duration.ofSeconds(2);

    /** A stream of a proxy, and what the proxy does on it. */
    private record Stream(String node, StreamKind streamKind, Instant at, BiConsumer<Proxy, StreamId> events) {

        Stream then(BiConsumer<Proxy, StreamId> next) {
            return new Stream(node, streamKind, at, events.andThen(next));
        }
    }

    private static final Stream CONFIGURATION = opened("p", StreamKind.CONFIGURATION, START);

    private static final Stream SHARES = opened("p", StreamKind.SHARES, START);

    private static final Stream CONFIGURED = taking(StreamKind.CONFIGURATION, Map.of(ROUTE, "r2"));

    private static final Stream SHARED = taking(StreamKind.SHARES, Map.of(SHARE, "s2"));

    private static Stream opened(String node, StreamKind channel, Instant at) {
        return new Stream(node, channel, at, (proxy, id) -> {});
    }

    private static Stream taking(StreamKind channel, Map<ResourceKey, String> versions) {
        String type = versions.keySet().iterator().next().type();
        return opened("p", channel, START).then((proxy, id) -> proxy.acknowledge(id, type, versions));
    }

    private static Stream refusing(Stream stream, String version, String words) {
        return stream.then(
                (proxy, id) -> proxy.refuse(id, ResourceKey.SHARE, new Refusal(Map.of(SHARE, version), words)));
    }

    private static AcknowledgementStatus judge(Instant now, Proxy... proxies) {
        return AcknowledgementStatus.judge("demo", WANTED, START, List.of(proxies), TIMEOUT, 0.01, now);
    }

    private static Proxy proxy(Stream... streams) {
        return proxy(OptionalDouble.empty(), streams);
    }

    private static Proxy proxy(OptionalDouble requestsPerSecond, Stream... streams) {
        Proxy proxy = new Proxy(streams[0].node(), "g", service -> requestsPerSecond);
        for (int number = 0; number < streams.length; number++) {
            StreamId id = new StreamId(streams[number].streamKind(), number);
            proxy.open(id, Examples.SOFTWARE, streams[number].at());
            streams[number].events().accept(proxy, id);
        }
        return proxy;
    }

    /** One that has everything. */
    private static Proxy quick(OptionalDouble requestsPerSecond) {
        return proxy(requestsPerSecond, CONFIGURED, SHARED);
    }

    /** One that has nothing. */
    private static Proxy slow(OptionalDouble requestsPerSecond) {
        return proxy(requestsPerSecond, opened("q", StreamKind.CONFIGURATION, START),
                opened("q", StreamKind.SHARES, START));
    }

    @Test
    void without_a_proxy_nothing_is_ever_proven() {
        assertThat(judge(START)).isEqualTo(new NoProxies());
    }

    @Test
    void proven_when_every_proxy_acknowledged_everything() {
        assertThat(judge(START, proxy(CONFIGURED, SHARED))).isEqualTo(new Acknowledged(List.of()));
        assertThat(judge(START, proxy(CONFIGURED, SHARED), proxy(CONFIGURATION))).isInstanceOf(Pending.class);
    }

    @Test
    void an_old_version_proves_nothing() {
        Stream old = taking(StreamKind.CONFIGURATION, Map.of(ROUTE, "r1"));
        assertThat(judge(START, proxy(old, SHARED)))
                .isEqualTo(new Pending(List.of("p"), Optional.of(START.plus(TIMEOUT))));
    }

    @Test
    void a_proxy_without_a_share_stream_is_not_proven() {
        // It may come later, and is not silent as long as nobody asked it.
        assertThat(judge(START.plusSeconds(60), proxy(CONFIGURED)))
                .isEqualTo(new Pending(List.of("p to ask for its shares"), Optional.empty()));
    }

    @Test
    void a_proxy_that_gets_nothing_but_shares_is_not_proven_where_more_is_wanted() {
        assertThat(judge(START.plusSeconds(60), proxy(SHARED)))
                .isEqualTo(new Pending(List.of("p to ask for ROUTE demo"), Optional.empty()));
        assertThat(proxy(SHARED).owesAny(Map.of(ROUTE, "r2"))).isTrue();
        assertThat(proxy(SHARED).owesAny(Map.of(SHARE, "s2"))).isFalse();
    }

    @Test
    void two_proxies_under_one_node_id_must_each_acknowledge() {
        assertThat(judge(START, proxy(CONFIGURED, SHARED, CONFIGURATION, SHARED))).isInstanceOf(Pending.class);
        assertThat(judge(START, proxy(CONFIGURED, SHARED, CONFIGURED))).isInstanceOf(Pending.class);
        assertThat(judge(START, proxy(CONFIGURED, SHARED, CONFIGURED, SHARED))).isEqualTo(new Acknowledged(List.of()));
    }

    @Test
    void a_refusal_breaks_the_proof_and_is_quoted() {
        Stream refusing = refusing(opened("p", StreamKind.SHARES, START), "s2", "no such layer");
        assertThat(judge(START, proxy(CONFIGURED, refusing)))
                .isEqualTo(new Failed("proxy p refused: no such layer"));
    }

    @Test
    void a_refusal_of_something_else_does_not_break_it() {
        Stream refusing = refusing(taking(StreamKind.SHARES, Map.of(SHARE, "s2")), "s1", "no such layer");
        assertThat(judge(START, proxy(CONFIGURED, refusing))).isEqualTo(new Acknowledged(List.of()));
    }

    @Test
    void a_later_acknowledgement_makes_up_for_a_refusal() {
        Stream mended = refusing(opened("p", StreamKind.SHARES, START), "s2", "busy")
                .then((proxy, id) -> proxy.acknowledge(id, ResourceKey.SHARE, Map.of(SHARE, "s2")));
        assertThat(judge(START, proxy(CONFIGURED, mended))).isEqualTo(new Acknowledged(List.of()));
    }

    @Test
    void silence_past_the_deadline_breaks_it_and_names_the_proxy() {
        assertThat(judge(START.plusMillis(1_999), proxy(CONFIGURED, SHARES))).isInstanceOf(Pending.class);
        assertThat(judge(START.plusSeconds(2), proxy(CONFIGURED, SHARES))).isEqualTo(
                new Failed("proxy p did not acknowledge SHARE demo within 2000 ms"));
    }

    @Test
    void a_slow_proxy_holds_nothing_up_when_next_to_no_traffic_comes_through_it() {
        Instant late = START.plus(TIMEOUT);
        assertThat(judge(late, quick(OptionalDouble.of(99)), slow(OptionalDouble.of(1))))
                .isEqualTo(new Acknowledged(List.of("q")));
        assertThat(judge(late, quick(OptionalDouble.of(99)), slow(OptionalDouble.of(0))))
                .isEqualTo(new Acknowledged(List.of("q")));
        assertThat(judge(late, quick(OptionalDouble.of(98)), slow(OptionalDouble.of(1)))).isInstanceOf(Failed.class);
        assertThat(judge(late, quick(OptionalDouble.of(98)), slow(OptionalDouble.of(1)), slow(OptionalDouble.of(1))))
                .isInstanceOf(Failed.class);
    }

    @Test
    void traffic_that_is_not_known_is_not_taken_for_little() {
        Instant late = START.plus(TIMEOUT);
        assertThat(judge(late, quick(OptionalDouble.of(99)), slow(OptionalDouble.empty()))).isInstanceOf(Failed.class);
        assertThat(judge(late, quick(OptionalDouble.empty()), slow(OptionalDouble.of(0)))).isInstanceOf(Failed.class);
        // Nor is it when there is none.
        assertThat(judge(late, quick(OptionalDouble.of(0)), slow(OptionalDouble.of(0)))).isInstanceOf(Failed.class);
    }

    @Test
    void without_an_allowance_every_proxy_counts() {
        assertThat(AcknowledgementStatus.judge("demo", WANTED, START,
                List.of(quick(OptionalDouble.of(99)), slow(OptionalDouble.of(0))),
                TIMEOUT, 0, START.plus(TIMEOUT))).isInstanceOf(Failed.class);
    }

    @Test
    void a_proxy_that_just_came_has_its_own_deadline() {
        Stream newcomer = opened("q", StreamKind.CONFIGURATION, START.plusSeconds(9));
        assertThat(judge(START.plusSeconds(10), proxy(CONFIGURED, SHARED), proxy(newcomer)))
                .isEqualTo(new Pending(List.of("q to ask for its shares"),
                        Optional.of(START.plusSeconds(11))));
    }

    @Test
    void a_proxy_that_begins_to_carry_the_service_later_has_its_own_deadline() {
        Stream late = opened("p", StreamKind.CONFIGURATION, START).then((proxy, id) -> {
            proxy.carry(id, Set.of("demo"), START.plusSeconds(30));
            proxy.carry(id, Set.of("demo", "other"), START.plusSeconds(31));
        });
        assertThat(judge(START.plusMillis(31_999), proxy(late, SHARED))).isInstanceOf(Pending.class);
        assertThat(judge(START.plusSeconds(32), proxy(late, SHARED))).isInstanceOf(Failed.class);
    }
}
