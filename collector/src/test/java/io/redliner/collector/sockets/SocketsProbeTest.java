// SPDX-License-Identifier: Apache-2.0
package io.redliner.collector.sockets;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.groups.Tuple.tuple;

import io.redliner.collector.source.ProbeFailedException;
import io.redliner.collector.source.ProbeLook;
import io.redliner.collector.source.Target;
import io.redliner.collector.windowing.GaugeMeasurement;
import io.redliner.collector.windowing.InstanceId;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.springframework.util.unit.DataSize;

class SocketsProbeTest {

    private static final Duration SECOND = Duration.ofSeconds(1);

    private static final String HERE = "0100000A:1F90";

    private static final String LISTENS = row(HERE, "00000000:0000", "0A", 0, 0, 0);

    @TempDir
    private Path folder;

    private SocketsProbe probe;

    private Instant now = Instant.parse("2026-11-21T12:00:00Z");

    private String reason = "";

    private long cpu;

    private long cost;

    @BeforeEach
    void start() throws IOException {
        write("net/tcp6", "header\n");
        write("net/fib_trie", "Local:\n  |-- 10.0.0.1\n     /32 host LOCAL\n");
        counts(0, 0, 0);
        probe = probe(target("10.0.0.1:8080", true));
    }

    @Test
    void queues_of_all_connections_of_the_port_are_added_up() throws IOException {
        write("net/tcp", "header\n" + row(HERE, "00000000:0000", "0A", 0, 2, 0)
                + row(HERE, "0200000A:0001", "01", 1_000, 10, 0) + row(HERE, "0200000A:0002", "08", 500, 1, 3)
                + row("0100000A:1F91", "0200000A:0003", "01", 9_999, 9_999, 9)
                + row(HERE, "0200000A:0004", "06", 7, 7, 7));

        assertThat(look(SECOND)).containsEntry("sockets.send.queue", 1_500.0)
                .containsEntry("sockets.receive.queue", 11.0).containsEntry("sockets.accept.queue", 2.0)
                .containsEntry("sockets.connections", 1.0).containsEntry("sockets.retransmitting", 1.0)
                .doesNotContainKey("client.receive.queue");
        assertThat(reason).isEmpty();
    }

    @Test
    void the_other_ends_are_the_clients_where_they_are_on_this_machine() throws IOException {
        write("net/tcp", "header\n" + LISTENS + row("0100000A:0001", HERE, "01", 0, 20_000, 0)
                + row(HERE, "0100000A:0001", "01", 90_000, 0, 0) + row(HERE, "0100000A:0002", "01", 80_000, 0, 0)
                + row("0100000A:0002", HERE, "01", 0, 0, 0) + row(HERE, "0100000A:0003", "01", 0, 300, 0)
                // A call to the same port of another machine, which is not read.
                + row("0100000A:0003", HERE, "01", 0, 0, 0)
                + row("0100000A:0009", "0900000A:1F90", "01", 0, 77_777, 0));

        assertThat(look(SECOND)).containsEntry("client.receive.queue", 20_000.0)
                .containsEntry("sockets.case[slow-client]", 1.0).containsEntry("sockets.case[slow-network]", 1.0)
                .containsEntry("sockets.case[slow-server]", 1.0);
    }

    @Test
    void a_few_clients_on_this_machine_do_not_speak_for_those_elsewhere() throws IOException {
        write("net/tcp", "header\n" + LISTENS + row("0100000A:0001", HERE, "01", 0, 0, 0)
                + row(HERE, "0100000A:0001", "01", 0, 0, 0) + row(HERE, "0200000A:0002", "01", 90_000, 0, 0));

        assertThat(look(SECOND)).doesNotContainKey("client.receive.queue");
    }

    @Test
    void a_client_elsewhere_that_takes_no_bytes_is_seen_by_the_probes_of_its_window() throws IOException {
        write("net/tcp", "header\n" + LISTENS
                + row(HERE, "0200000A:0002", "01", 90_000, 0, 0).replace(" 00:00000000 ", " 04:00000020 "));

        assertThat(look(SECOND)).containsEntry("sockets.case[slow-client]", 1.0)
                .containsEntry("sockets.case[slow-server]", 0.0);
    }

    @Test
    void what_the_kernel_counts_for_all_ports_is_said_to_be_the_machines() throws IOException {
        write("net/tcp", "header\n" + LISTENS);
        assertThat(look(SECOND)).doesNotContainKey("machine.retransmits");
        counts(50, 7, 9);

        assertThat(look(SECOND)).containsEntry("machine.retransmits", 50.0)
                .containsEntry("machine.accept.overflows", 7.0).containsEntry("machine.accept.drops", 9.0);
    }

    @Test
    void tables_that_are_dear_are_read_the_more_seldom_and_what_they_say_is_held()
            throws IOException, ProbeFailedException {
        cost = 15_000_000;
        write("net/tcp", "header\n" + LISTENS + row(HERE, "0200000A:0002", "01", 1, 0, 0));

        List<GaugeMeasurement> first = probe.measure(now, now.plusMillis(100));
        assertThat(first).isNotEmpty().allSatisfy(it -> assertThat(it.hold()).isGreaterThan(Duration.ofMillis(1_500)));
        assertThat(look(Duration.ofMillis(100))).isEmpty();
        assertThat(look(Duration.ofMillis(1_400))).containsEntry("sockets.send.queue", 1.0);
    }

    @Test
    void of_a_table_that_is_too_long_nothing_is_reported() throws IOException {
        probe = new SocketsProbe(now -> List.of(target("10.0.0.1:8080", true)), folder.resolve("proc"),
                new SocketsProperties(true, DataSize.ofKilobytes(16), 0.01, 1_000));
        write("net/tcp", "header\n" + LISTENS + row(HERE, "0200000A:0002", "01", 1, 0, 0).repeat(2_000));

        assertThat(look(SECOND)).doesNotContainKey("sockets.send.queue");
        assertThat(reason).contains("max-sockets=1000");
    }

    @Test
    void a_port_where_nobody_listens_is_said_until_somebody_does() throws IOException {
        write("net/tcp", "header\n");
        assertThat(look(SECOND)).doesNotContainKey("sockets.send.queue");
        assertThat(reason).contains("nobody listens on port 8080 for 10.0.0.1:8080 of shop");

        write("net/tcp", "header\n" + LISTENS);

        assertThat(look(SECOND)).containsEntry("sockets.send.queue", 0.0);
        assertThat(reason).isEmpty();
    }

    @Test
    void tables_that_are_missing_or_make_no_sense_are_named() throws IOException {
        assertThat(look(SECOND)).isEmpty();
        assertThat(reason).contains("net/tcp cannot be read");

        write("net/tcp", "header\n" + LISTENS + "no row\n");
        write("net/snmp", "Tcp: RtoAlgorithm\n");

        assertThat(look(SECOND)).containsKey("sockets.send.queue").doesNotContainKey("machine.retransmits");
        assertThat(reason).contains("1 rows of", "RetransSegs");
    }

    @Test
    void a_process_in_a_network_namespace_of_its_own_is_looked_at_there() throws IOException {
        probe = probe(target("10.0.9.9:8080", true), target("10.0.0.1:8080", true));
        write("net/tcp",
                ("header\n" + LISTENS + row(HERE, "0200000A:0002", "01", 111, 0, 0)).replace(" 1528 ", " 1600 "));
        write("77/net/tcp", "header\n" + row("0909000A:1F90", "00000000:0000", "0A", 0, 0, 0)
                + row("0909000A:1F90", "0200000A:0002", "01", 222, 0, 0));
        write("77/net/fib_trie", "Local:\n  |-- 10.0.9.9\n     /32 host LOCAL\n");
        write("77/net/snmp", "");
        write("77/net/netstat", "");
        write("77/stat", "77 (java) S 1 4711 4711 0 -1 4194560 1 2 3 4 0 0 0 0 20 0 30 0 777 123 456\n");
        link("77/fd/3", "socket:[1528]");
        link("77/ns/net", "net:[2]");
        link("self/ns/net", "net:[1]");

        now = now.plus(SECOND);
        List<GaugeMeasurement> seen;
        try {
            seen = probe.measure(now, now.plus(SECOND));
        } catch (ProbeFailedException e) {
            seen = e.measured();
        }

        assertThat(seen).filteredOn(it -> it.name().equals("sockets.send.queue"))
                .extracting(it -> it.instanceId().instance(), GaugeMeasurement::value)
                .containsExactlyInAnyOrder(tuple("10.0.9.9:8080", 222.0),
                        tuple("10.0.0.1:8080", 111.0));
    }

    @Test
    void two_instances_with_one_port_on_two_addresses_are_distinguished() throws Exception {
        probe = probe(target("127.0.0.2:8080", true), target("127.0.0.3:8080", true));
        String second = "0200007F:1F90";
        String third = "0300007F:1F90";
        write("net/tcp", "header\n" + row(second, "00000000:0000", "0A", 0, 5, 0)
                + row(third, "00000000:0000", "0A", 0, 7, 0) + row(second, "0100007F:0001", "01", 111, 0, 0)
                + row(third, "0100007F:0002", "01", 222, 0, 0) + row("0100007F:0001", second, "01", 0, 11, 0)
                + row("0100007F:0002", third, "01", 0, 22, 0));

        List<GaugeMeasurement> seen = probe.measure(now, now.plus(SECOND));

        assertThat(seen).filteredOn(it -> it.name().matches(".*(send|accept|client.receive).queue"))
                .extracting(it -> it.instanceId().instance(), GaugeMeasurement::name, GaugeMeasurement::value)
                .containsExactlyInAnyOrder(tuple("127.0.0.2:8080", "sockets.send.queue", 111.0),
                        tuple("127.0.0.2:8080", "sockets.accept.queue", 5.0),
                        tuple("127.0.0.2:8080", "client.receive.queue", 11.0),
                        tuple("127.0.0.3:8080", "sockets.send.queue", 222.0),
                        tuple("127.0.0.3:8080", "sockets.accept.queue", 7.0),
                        tuple("127.0.0.3:8080", "client.receive.queue", 22.0));
    }

    @Test
    void who_listens_on_all_addresses_has_the_connections_to_each_but_those_of_others() throws IOException {
        write("net/tcp", "header\n" + row("00000000:1F90", "00000000:0000", "0A", 0, 0, 0)
                + row("0500000A:1F90", "00000000:0000", "0A", 0, 3, 0)
                + row("0700000A:1F90", "0200000A:0001", "01", 10, 0, 0)
                + row("0500000A:1F90", "0200000A:0002", "01", 1_000, 0, 0)
                + row(HERE, "0200000A:0003", "01", 100, 0, 0));

        assertThat(look(SECOND)).containsEntry("sockets.send.queue", 110.0)
                .containsEntry("sockets.accept.queue", 0.0);
    }

    private Map<String, Double> look(Duration later) {
        now = now.plus(later);
        ProbeLook look = ProbeLook.of(probe, now, now.plus(later));
        reason = look.reason();
        return look.values();
    }

    private SocketsProbe probe(Target... targets) {
        return new SocketsProbe(now -> List.of(targets), folder.resolve("proc"),
                new SocketsProperties(true, DataSize.ofKilobytes(16), 0.01, 200_000),
                () -> cpu += cost);
    }

    private void counts(long retransmits, long overflows, long drops) throws IOException {
        write("net/snmp", "Ip: Forwarding\nIp: 1\nTcp: RtoAlgorithm OutSegs RetransSegs InErrs\nTcp: 1 7 " + retransmits
                + " 0\n");
        write("net/netstat", "TcpExt: SyncookiesSent ListenOverflows ListenDrops\nTcpExt: 0 " + overflows + " " + drops
                + "\nIpExt: InNoRoutes\nIpExt: 0\n");
    }

    private void write(String file, String text) throws IOException {
        Path path = folder.resolve("proc").resolve(file);
        Files.createDirectories(path.getParent());
        Files.writeString(path, text);
    }

    private void link(String file, String target) throws IOException {
        Path path = folder.resolve("proc").resolve(file);
        Files.createDirectories(path.getParent());
        Files.createSymbolicLink(path, Path.of(target));
    }

    private static Target target(String instance, boolean local) {
        return new Target(new InstanceId("shop", instance), 8_080, local, Optional.empty(), Optional.empty());
    }

    private static String row(String local, String remote, String state, long send, long receive, long again) {
        return "   1: %s %s %s %08X:%08X 00:00000000 %08X     0        0 1528 1 0 100 0 0 10 0\n".formatted(local,
                remote, state, send, receive, again);
    }
}
