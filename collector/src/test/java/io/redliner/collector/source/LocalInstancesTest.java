// SPDX-License-Identifier: Apache-2.0
package io.redliner.collector.source;

import static org.assertj.core.api.Assertions.assertThat;

import io.redliner.collector.source.MetricSource.SourceHealth;
import io.redliner.collector.windowing.InstanceId;
import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class LocalInstancesTest {

    private static final Instant NOON = Instant.parse("2026-11-26T12:00:00Z");

    private static final String ROW = "   0: %s:%04X 00000000:0000 0A 00000000:00000000 00:00000000 00000000 %5d 0 %d 1\n";

    private final InstanceRegistry registry = new InstanceRegistry(List.of());

    @TempDir
    private Path proc;

    private LocalInstances instances = new LocalInstances(registry, Path.of("/proc"));

    @BeforeEach
    void ownNamespace() throws IOException {
        link("self/ns/net", "net:[1]");
        addresses("net", "127.0.0.1", "10.0.0.1");
    }

    @Test
    void an_instance_that_a_redirector_lists_and_that_listens_here_is_found_without_a_setting() throws IOException {
        try (ServerSocket socket = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
            String address = "127.0.0.1:" + socket.getLocalPort();
            list(address, "203.0.113.7:8080");

            assertThat(instances.at(NOON)).singleElement().satisfies(target -> {
                assertThat(target.instanceId()).isEqualTo(new InstanceId("shop", address));
                assertThat(target.local()).isTrue();
                assertThat(target.process(Path.of("/proc")).pid(NOON)).hasValue(ProcessHandle.current().pid());
            });
            assertThat(instances.services()).containsExactly("shop");
            assertThat(instances.health().state()).isEqualTo(SourceHealth.State.WORKING);
            assertThat(instances.health().details()).containsEntry("known", 2).containsEntry("onThisMachine", 1);
        }
    }

    @Test
    void one_that_ends_is_gone_at_the_next_look_and_one_that_begins_is_there() throws IOException {
        look();
        list("10.0.0.1:8080");
        assertThat(here(NOON)).isEmpty();

        listens("net", "0100000A", 8_080, 0, 77);
        holds(7, 77);
        assertThat(here(NOON.plusSeconds(5))).isEmpty();
        assertThat(here(NOON.plusSeconds(10))).containsExactly("10.0.0.1:8080");

        Files.delete(proc.resolve("net/tcp"));
        assertThat(here(NOON.plusSeconds(20))).isEmpty();
    }

    @Test
    void instances_in_network_namespaces_are_found_by_their_addresses_of_both_families() throws IOException {
        look();
        link("9/ns/net", "net:[2]");
        addresses("9/net", "127.0.0.1", "10.1.0.5");
        Files.writeString(proc.resolve("9/net/if_inet6"), "fd000000000000000000000000000005 02 40 00 80     eth0\n");
        listens("9/net", "00000000", 8_080, 0, 91);
        write("9/net/tcp6", " sl\n" + ROW.formatted("000000FD000000000000000005000000", 9_090, 0, 92));
        holds(9, 91);
        Files.createSymbolicLink(proc.resolve("9/fd/4"), Path.of("socket:[92]"));
        list("10.1.0.5:8080", "[fd00::5]:9090", "10.1.0.6:8080");

        assertThat(here(NOON)).containsExactlyInAnyOrder("10.1.0.5:8080", "[fd00::5]:9090");
        assertThat(instances.at(NOON).getFirst().process(proc).network(NOON)).isEqualTo(proc.resolve("9/net"));
    }

    @Test
    void the_instances_of_this_machine_have_a_host_and_others_none() throws IOException {
        write("sys/kernel/random/boot_id", "5f0c9b1e-7d7e-4f0a-9c37-3f5f4ad8b1aa\n");
        look();
        write("net/tcp", "  sl\n" + ROW.formatted("0100000A", 8_080, 0, 77) + ROW.formatted("0100007F", 8_081, 0, 78));
        holds(7, 77);
        holds(8, 78);
        list("10.0.0.1:8080", "127.0.0.1:8081", "10.0.0.2:8080");

        assertThat(here(NOON)).containsExactlyInAnyOrder("10.0.0.1:8080", "127.0.0.1:8081");

        assertThat(instances.hosts(new InstanceId("shop", "10.0.0.1:8080"), NOON))
                .containsExactly("5f0c9b1e-7d7e-4f0a-9c37-3f5f4ad8b1aa");
        assertThat(instances.hosts(new InstanceId("shop", "127.0.0.1:8081"), NOON)).as("it is of each machine")
                .isEmpty();
        assertThat(instances.hosts(new InstanceId("shop", "10.0.0.2:8080"), NOON)).isEmpty();
    }

    @Test
    void an_instance_has_the_names_that_redirectors_have_for_its_machine_beside_the_machines_own() throws IOException {
        write("sys/kernel/random/boot_id", "5f0c9b1e-7d7e-4f0a-9c37-3f5f4ad8b1aa\n");
        look();
        write("net/tcp", "  sl\n" + ROW.formatted("0100000A", 8_080, 0, 77));
        holds(7, 77);
        registry.list("r1", "shop", Map.of("10.0.0.1:8080", "node-1", "10.0.0.2:8080", "node-2", "10.0.0.3:8080", ""),
                NOON);
        registry.list("r2", "shop", Map.of("10.0.0.2:8080", "node-2", "10.0.0.3:8080", "x".repeat(254)), NOON);
        registry.list("r1", "other", Map.of("10.0.0.3:8080", "node-3"), NOON);

        assertThat(here(NOON)).containsExactly("10.0.0.1:8080");

        assertThat(instances.hosts(new InstanceId("shop", "10.0.0.1:8080"), NOON))
                .containsExactly("5f0c9b1e-7d7e-4f0a-9c37-3f5f4ad8b1aa", "node-1");
        assertThat(instances.hosts(new InstanceId("shop", "10.0.0.2:8080"), NOON)).containsExactly("node-2");
        assertThat(instances.hosts(new InstanceId("shop", "10.0.0.3:8080"), NOON)).isEmpty();
    }

    @Test
    void the_names_of_a_machine_are_those_of_the_newest_lists() {
        InstanceId instanceId = new InstanceId("shop", "10.0.0.1:8080");
        registry.list("r1", "shop", Map.of("10.0.0.1:8080", "node-1"), NOON);
        registry.list("r1", "other", Map.of("10.0.0.1:8080", "node-7"), NOON);
        assertThat(instances.hosts(instanceId, NOON)).containsExactly("node-1");

        registry.list("r1", "shop", Map.of("10.0.0.1:8080", "node-2"), NOON.plusSeconds(1));
        assertThat(instances.hosts(instanceId, NOON)).containsExactly("node-2");

        registry.list("r1", "shop", Map.of("10.0.0.2:8080", "node-2"), NOON.plusSeconds(2));
        assertThat(instances.hosts(instanceId, NOON)).isEmpty();
    }

    @Test
    void an_instance_has_no_host_while_redirectors_differ_about_it() {
        InstanceId instanceId = new InstanceId("shop", "10.0.0.1:8080");
        registry.list("gone", "shop", Map.of("10.0.0.1:8080", "node-1", "10.0.0.2:8080", "node-2"), NOON);
        registry.list("r2", "shop", Map.of("10.0.0.1:8080", "node-3", "10.0.0.2:8080", "node-2"), NOON);
        registry.list("r3", "shop", Map.of("10.0.0.1:8080", "node-1"), NOON.plusSeconds(200));
        assertThat(instances.hosts(instanceId, NOON.plusSeconds(200))).isEmpty();
        assertThat(instances.hosts(new InstanceId("shop", "10.0.0.2:8080"), NOON.plusSeconds(200)))
                .containsExactly("node-2");

        assertThat(instances.hosts(instanceId, NOON.plusSeconds(302))).as("nobody else reads the lists")
                .containsExactly("node-1");
    }

    @Test
    void a_machine_without_an_id_has_no_host() throws IOException {
        look();
        listens("net", "0100000A", 8_080, 0, 77);
        holds(7, 77);
        list("10.0.0.1:8080");

        assertThat(here(NOON)).hasSize(1);
        assertThat(instances.hosts(new InstanceId("shop", "10.0.0.1:8080"), NOON)).isEmpty();
    }

    @Test
    void the_port_that_docker_publishes_leads_to_the_process_in_the_container() throws IOException {
        look();
        listens("net", "0100000A", 8_080, 0, 77);
        holds(7, 77);
        write("7/comm", "docker-proxy\n");
        write("7/cmdline",
                String.join("\0", "/usr/bin/docker-proxy", "-proto", "tcp", "-host-ip", "0.0.0.0", "-host-port",
                        "8080", "-container-ip", "172.17.0.2", "-container-port", "80", ""));
        link("9/ns/net", "net:[2]");
        addresses("9/net", "172.17.0.2");
        listens("9/net", "00000000", 80, 0, 91);
        holds(9, 91);
        list("10.0.0.1:8080");

        assertThat(here(NOON)).containsExactly("10.0.0.1:8080");
        var process = instances.at(NOON).getFirst().process(proc);
        assertThat(process.pid(NOON)).hasValue(9);
        assertThat(process.port(NOON)).isEqualTo(80);
        assertThat(process.network(NOON)).isEqualTo(proc.resolve("9/net"));
    }

    @Test
    void an_address_of_this_machine_where_nobody_can_be_seen_to_listen_is_said_with_what_is_missing()
            throws IOException {
        look();
        list("10.0.0.1:8080", "127.0.0.1:8081", "203.0.113.7:8080");

        assertThat(here(NOON)).isEmpty();
        assertThat(instances.health().state()).isEqualTo(SourceHealth.State.IMPAIRED);
        assertThat(reason()).contains("10.0.0.1:8080", "pid: host", "redliner.collector.root")
                .doesNotContain("127.0.0.1:8081", "203.0.113.7");
    }

    @Test
    void the_process_of_another_user_is_said_with_the_user_and_what_is_missing() throws IOException {
        look();
        listens("net", "00000000", 8_080, 1_001, 77);
        list("10.0.0.1:8080");

        assertThat(here(NOON)).isEmpty();
        assertThat(reason()).contains("10.0.0.1:8080", "user 1001", "SYS_PTRACE");

        holds(7, 77);
        assertThat(here(NOON.plusSeconds(10))).containsExactly("10.0.0.1:8080");
        assertThat(instances.health().state()).isEqualTo(SourceHealth.State.WORKING);
    }

    @Test
    void who_listens_on_the_port_of_an_address_that_is_elsewhere_is_not_taken_for_the_instance() throws IOException {
        look();
        listens("net", "00000000", 8_080, 0, 77);
        holds(7, 77);
        list("203.0.113.7:8080", "shop.example:8080");

        assertThat(here(NOON)).isEmpty();
        assertThat(instances.health().state()).isEqualTo(SourceHealth.State.WORKING);
    }

    @Test
    void what_the_settings_say_of_an_instance_goes_above_what_a_redirector_says() throws IOException {
        Target set = new Target(new InstanceId("shop", "10.0.0.1:8080"), 8_080, false, Optional.empty(),
                Optional.of("service:jmx:rmi:///jndi/rmi://10.0.0.1:9999/jmxrmi"));
        InstanceRegistry both = new InstanceRegistry(List.of(set));
        instances = new LocalInstances(both, proc);
        both.list("r1", "shop", Map.of("10.0.0.1:8080", ""), NOON);
        assertThat(instances.at(NOON)).containsExactly(set);

        listens("net", "00000000", 8_080, 0, 77);
        holds(7, 77);

        assertThat(instances.at(NOON.plusSeconds(10))).singleElement().satisfies(target -> {
            assertThat(target.local()).isTrue();
            assertThat(target.jmx()).isEqualTo(set.jmx());
        });
    }

    @Test
    void redirectors_each_have_a_list_and_one_that_says_nothing_for_minutes_has_none() {
        registry.list("r1", "shop", Map.of("10.0.0.1:80", ""), NOON);
        registry.list("r2", "shop", Map.of("10.0.0.2:80", "", "nonsense", ""), NOON.plusSeconds(200));
        assertThat(registry.known(NOON.plusSeconds(200))).hasSize(2);

        registry.list("r2", "shop", Map.of("10.0.0.3:80", ""), NOON.plusSeconds(300));

        assertThat(registry.known(NOON.plusSeconds(301))).extracting(target -> target.instanceId().instance())
                .containsExactly("10.0.0.3:80");
    }

    private void look() {
        instances = new LocalInstances(registry, proc);
    }

    private void list(String... addresses) {
        registry.list("r1", "shop", Stream.of(addresses).collect(Collectors.toMap(it -> it, it -> "")), NOON);
    }

    private List<String> here(Instant now) {
        return instances.at(now).stream().map(target -> target.instanceId().instance()).toList();
    }

    private String reason() {
        return String.valueOf(instances.health().details().get("reason"));
    }

    private void addresses(String net, String... addresses) throws IOException {
        StringBuilder tree = new StringBuilder("Main:\n  +-- 0.0.0.0/0 3 0 5\n");
        for (String address : addresses) {
            tree.append("     |-- ").append(address).append("\n        /32 host LOCAL\n");
        }
        write(net + "/fib_trie", tree.append("     |-- 203.0.113.7\n        /0 universe UNICAST\n").toString());
    }

    private void listens(String net, String address, int port, int user, int inode) throws IOException {
        write(net + "/tcp", "  sl  local_address\n" + ROW.formatted(address, port, user, inode));
    }

    private void holds(int pid, int inode) throws IOException {
        link(pid + "/fd/3", "socket:[" + inode + "]");
        write(pid + "/stat", pid + " (shop) S" + " 1".repeat(30));
    }

    private void write(String file, String text) throws IOException {
        Path path = proc.resolve(file);
        Files.createDirectories(path.getParent());
        Files.writeString(path, text);
    }

    private void link(String file, String target) throws IOException {
        Path path = proc.resolve(file);
        Files.createDirectories(path.getParent());
        Files.createSymbolicLink(path, Path.of(target));
    }
}
