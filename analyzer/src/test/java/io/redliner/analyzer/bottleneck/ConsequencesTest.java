// SPDX-License-Identifier: Apache-2.0
package io.redliner.analyzer.bottleneck;

import static io.redliner.analyzer.runstats.World.FULL;
import static org.assertj.core.api.Assertions.assertThat;

import io.redliner.analyzer.runstats.World;
import java.util.Map;
import org.junit.jupiter.api.Test;

/** Two resources that are full together: the one that fills the other is named first. */
class ConsequencesTest {

    @Test
    void a_cpu_whose_quota_is_used_up_is_no_limit_of_its_own() {
        var findings = BottleneckAnalyzer
                .of(new World(1).gauges(BottleneckAnalyzerTest.with(load -> Map.of("cpu", 0.99 * load / FULL,
                        "cpu.quota", 0.99 * load / FULL, "cpu.throttled", 0.9 * load / FULL))).run(), true);

        assertThat(findings.getFirst().resource()).isEqualTo(BottleneckKind.CPU_QUOTA);
        assertThat(findings.getFirst().message()).contains("; with twice the quota: ");
        assertThat(findings).filteredOn(finding -> finding.resource() == BottleneckKind.CPU)
                .allSatisfy(finding -> assertThat(finding.message()).contains("its quota is used up"));
    }

    @Test
    void a_link_that_is_full_makes_the_network_slow() {
        var findings = BottleneckAnalyzer.of(new World(1).gauges(BottleneckAnalyzerTest.with(load -> Map.of("net.link",
                0.99 * load / FULL, "sockets.send.queue", 2_000 + 4e6 * Math.max(0, load / FULL - 0.6),
                "sockets.case[slow-client]", 1.0, "sockets.case[slow-network]", 9.0))).run(), true);

        assertThat(findings).extracting(BottleneckFinding::resource).containsSubsequence(
                BottleneckKind.NETWORK_BANDWIDTH, BottleneckKind.SLOW_NETWORK);
        assertThat(findings.get(1).message()).contains("against it: its own link is full");
    }

    @Test
    void a_cpu_that_the_garbage_collector_uses_is_no_limit_of_its_own() {
        var findings = BottleneckAnalyzer
                .of(new World(1).gauges(BottleneckAnalyzerTest.with(load -> Map.of("cpu", 0.98 * load / FULL,
                        "gc.time", 0.6 * load / FULL))).run(), true);

        assertThat(findings.getFirst().resource()).isEqualTo(BottleneckKind.GARBAGE_COLLECTION);
        assertThat(findings.get(1).resource()).isEqualTo(BottleneckKind.CPU);
        assertThat(findings.get(1).message()).contains("against it: the garbage collector uses it");
    }
}
