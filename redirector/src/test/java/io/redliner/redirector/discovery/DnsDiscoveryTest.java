// SPDX-License-Identifier: Apache-2.0
package io.redliner.redirector.discovery;

import static io.redliner.redirector.testing.Promptly.promptly;
import static io.redliner.redirector.testing.SmallDnsServer.record;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.redliner.redirector.discovery.EndpointSource.Dns;
import io.redliner.redirector.routing.HostPort;
import io.redliner.redirector.testing.RecordedEndpoints;
import io.redliner.redirector.testing.SmallDnsServer;
import java.io.IOException;
import java.time.Duration;
import java.util.Optional;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.xbill.DNS.CNAMERecord;
import org.xbill.DNS.DClass;
import org.xbill.DNS.Name;
import org.xbill.DNS.Rcode;
import org.xbill.DNS.Record;

class DnsDiscoveryTest {

    private static final long LONG_TTL_SECONDS = 3_600;

    private final RecordedEndpoints endpoints = new RecordedEndpoints();

    private final DnsDiscovery fleets = new DnsDiscovery();

    private final SmallDnsServer server;

    DnsDiscoveryTest() throws IOException {
        server = new SmallDnsServer();
    }

    @BeforeEach
    void begin() {
        // What it answers at the start is up to each test: the first question may come before.
        server.refuse(Rcode.SERVFAIL);
    }

    @AfterEach
    void end() {
        fleets.close();
        server.close();
    }

    private Dns source() {
        return new Dns("search.example.com", 8080, Duration.ofMillis(100),
                Optional.of(new HostPort("127.0.0.1", server.port())));
    }

    private void answer(String... addresses) {
        server.answer(Stream.of(addresses).map(address -> record("search.example.com", address))
                .toArray(Record[]::new));
    }

    @Test
    void finds_the_addresses_of_both_families() {
        // given
        answer("10.0.0.1", "10.0.0.2", "fd00:0:0:0::1");

        // when
        fleets.watch(source(), endpoints);

        // then
        promptly("the first answer",
                () -> assertThat(endpoints.last()).containsExactly("10.0.0.1:8080", "10.0.0.2:8080",
                        "[fd00::1]:8080"));
    }

    @Test
    void notices_a_change_long_before_the_ttl_is_over() {
        // given
        answer("10.0.0.1", "10.0.0.2");
        fleets.watch(source(), endpoints);
        await().until(() -> endpoints.last().size() == 2);

        // when
        answer("10.0.0.1", "10.0.0.2", "10.0.0.3");

        // then
        promptly("a new instance", () -> assertThat(endpoints.last()).hasSize(3).contains("10.0.0.3:8080"));
    }

    @Test
    void follows_an_alias() throws IOException {
        // given
        server.answer(new CNAMERecord(Name.fromString("search.example.com."), DClass.IN, LONG_TTL_SECONDS,
                Name.fromString("pool.example.com.")), record("pool.example.com", "10.0.0.7"));

        // when
        fleets.watch(source(), endpoints);

        // then: the IPv6 side of the alias has no address, and that is no failure
        await().untilAsserted(() -> assertThat(endpoints.last()).containsExactly("10.0.0.7:8080"));
    }

    @Test
    void says_that_there_is_no_address() {
        // given
        answer();

        // when
        fleets.watch(source(), endpoints);

        // then
        await().untilAsserted(() -> assertThat(endpoints.last()).isEmpty());
    }

    @Test
    void says_why_it_does_not_know_in_the_same_words_each_time() {
        // given
        server.refuse(Rcode.NXDOMAIN);

        // when
        fleets.watch(source(), endpoints);

        // then
        String where = " for search.example.com at 127.0.0.1:" + server.port();
        await().untilAsserted(() -> assertThat(endpoints.last())
                .containsExactly("!the DNS knows no such name (NXDOMAIN)" + where));

        // when
        server.refuse(Rcode.SERVFAIL);

        // then
        await().untilAsserted(() -> assertThat(endpoints.last())
                .containsExactly("!the DNS server failed (SERVFAIL)" + where));

        // when
        server.refuse(Rcode.REFUSED);

        // then
        await().untilAsserted(() -> assertThat(endpoints.last().getFirst()).contains("no usable answer" + where));

        // when
        server.keepSilent();

        // then
        await().untilAsserted(() -> assertThat(endpoints.last()).containsExactly("!no answer from the DNS" + where));
        long said = endpoints.all().stream().distinct().count();
        assertThat(said).as("kinds of failures in %s", endpoints.all()).isLessThanOrEqualTo(4);
    }

    @Test
    void recovers_when_the_server_does() {
        // given
        server.keepSilent();
        fleets.watch(source(), endpoints);
        await().until(() -> endpoints.last().getFirst().startsWith("!no answer"));

        // when
        answer("10.0.0.1");

        // then
        await().untilAsserted(() -> assertThat(endpoints.last()).containsExactly("10.0.0.1:8080"));
    }

    @Test
    void asks_no_more_when_the_watch_is_closed() {
        // given
        answer("10.0.0.1");
        var watch = fleets.watch(source(), endpoints);
        await().until(() -> endpoints.all().size() > 1);

        // when
        watch.close();
        int asked = server.questions();

        // then: two questions may be on their way
        await().pollDelay(Duration.ofMillis(400)).untilAsserted(
                () -> assertThat(server.questions()).isLessThanOrEqualTo(asked + 2));
    }
}
