// SPDX-License-Identifier: Apache-2.0
package io.redliner.collector.host;

import static org.assertj.core.api.Assertions.assertThat;

import io.redliner.collector.host.DeviceInventory.NetworkLink;
import io.redliner.collector.source.ProbeLook;
import io.redliner.collector.source.Target;
import io.redliner.collector.windowing.InstanceId;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalDouble;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class HostNetworkTest {

    @TempDir
    private Path folder;

    private final Devices devices = new Devices();

    private MachineFolder machine;

    private HostProbe probe;

    private Instant now = Instant.parse("2026-11-21T12:00:00Z");

    private String reason = "";

    @BeforeEach
    void start() {
        machine = new MachineFolder(folder);
        probe = probe(OptionalDouble.empty());
    }

    @Test
    void traffic_is_that_of_the_links_that_lead_out_of_the_machine() {
        look();
        machine.traffic(25_000_000, 100_000_000);

        assertThat(look()).containsEntry("net.tx", 100e6).containsEntry("net.rx", 25e6)
                .containsEntry("net.link", 0.8).containsEntry("net.link[eth0]", 0.8)
                .containsEntry("net.speed", 125e6).doesNotContainKeys("net.link[lo]", "net.link[veth12]");
    }

    @Test
    void a_link_of_unknown_speed_is_not_said_to_be_used_to_any_part() {
        devices.links(new NetworkLink("eth0", false, OptionalDouble.empty()),
                new NetworkLink("docker0", false, OptionalDouble.of(1e9)));
        look();
        machine.traffic(25_000_000, 100_000_000);

        assertThat(look()).containsEntry("net.tx", 100e6).doesNotContainKeys("net.link", "net.speed",
                "net.link[eth0]");
    }

    @Test
    void an_instance_whose_link_has_a_speed_of_its_own_has_the_traffic_of_its_container() throws IOException {
        probe = probe(OptionalDouble.of(10e6));
        inContainer();
        machine.traffic("proc/4711/net/dev", 0, 0);
        look();
        machine.traffic(25_000_000, 100_000_000);
        machine.traffic("proc/4711/net/dev", 1_000_000, 9_000_000);

        assertThat(look()).containsEntry("net.tx", 9e6).containsEntry("net.rx", 1e6).containsEntry("net.link", 0.9)
                .containsEntry("net.link[eth0]", 0.9).containsEntry("net.speed", 10e6).containsKey("load");
        machine.delete("proc/4711/net/dev");

        assertThat(look()).doesNotContainKeys("net.tx", "net.link", "net.speed");
        assertThat(reason).contains("the links of 127.0.0.1:8080 of shop cannot be read: no net.tx and net.rx");
    }

    @Test
    void a_speed_of_its_own_is_that_of_the_machines_links_without_a_container() {
        devices.links(new NetworkLink("eth0", true, OptionalDouble.empty()),
                new NetworkLink("eni12", false, OptionalDouble.empty()));
        probe = probe(OptionalDouble.of(10e6));
        look();
        machine.traffic(1_000_000, 9_000_000);

        assertThat(look()).containsEntry("net.link", 0.9).containsEntry("net.speed", 10e6).containsEntry("net.tx", 9e6)
                .doesNotContainKey("net.link[eni12]");
    }

    private void inContainer() throws IOException {
        for (String process : List.of("self", "4711")) {
            Path namespaces = Files.createDirectories(folder.resolve("proc/" + process + "/ns"));
            Files.createSymbolicLink(namespaces.resolve("net"), Path.of("net:[" + process + "]"));
        }
    }

    private HostProbe probe(OptionalDouble linkSpeed) {
        Target instance = new Target(new InstanceId("shop", "127.0.0.1:8080"), 8_080, true, Optional.empty(),
                Optional.empty(), linkSpeed, false);
        return new HostProbe(now -> List.of(instance), folder, devices);
    }

    /** Returns what is measured a second later. */
    private Map<String, Double> look() {
        now = now.plusSeconds(1);
        ProbeLook look = ProbeLook.of(probe, now, now.plusSeconds(1));
        reason = look.reason();
        return look.values();
    }
}
