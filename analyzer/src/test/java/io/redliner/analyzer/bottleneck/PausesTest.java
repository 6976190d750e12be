// SPDX-License-Identifier: Apache-2.0
package io.redliner.analyzer.bottleneck;

import static io.redliner.analyzer.runstats.World.FULL;
import static org.assertj.core.api.Assertions.assertThat;

import io.redliner.analyzer.runstats.World;
import java.util.Map;
import org.junit.jupiter.api.Test;

class PausesTest {

    @Test
    void long_collections_are_blamed_on_the_collector_when_they_use_the_cpu() {
        var findings = BottleneckAnalyzer.of(new World(1).stalls(0.2)
                .gauges(load -> BottleneckAnalyzerTest.merged(Map.of("cpu", 0.5, "net.link", 0.1, "gc.pause.cpu",
                        load > 0.8 * FULL
                                ? 0.25
                                : 0.01)))
                .run(), true);

        assertThat(findings.getFirst().resource()).isEqualTo(BottleneckKind.GARBAGE_COLLECTION);
        assertThat(findings.getFirst().message()).contains("200 ms", "broken windows");
    }

    @Test
    void pauses_far_longer_than_the_cpu_time_they_use_are_blamed_on_the_operating_system() {
        var findings = BottleneckAnalyzer.of(new World(1).stalls(0.2)
                .gauges(load -> BottleneckAnalyzerTest
                        .merged(Map.of("cpu", 0.3, "net.link", 0.1, "gc.pause.cpu", 0.004, "disk.busy", 0.8)))
                .run(), true);

        assertThat(findings.getFirst().resource()).isEqualTo(BottleneckKind.OPERATING_SYSTEM_PAUSES);
        assertThat(findings.getFirst().message())
                .containsPattern(
                        "the operating system stopped the collector \\(swapping, disk or a busy host; meanwhile the disk was busy for (79|80)[.0-9]* % of the time\\)");
        assertThat(findings).extracting(BottleneckFinding::resource).doesNotContain(BottleneckKind.GARBAGE_COLLECTION);
    }

    @Test
    void a_heap_that_is_too_small_is_named_with_its_pauses_by_cause() {
        var findings = BottleneckAnalyzer.of(new World(1)
                .gauges(load -> BottleneckAnalyzerTest
                        .merged(Map.of("cpu", 0.5, "net.link", 0.1, "gc.time", 0.4 * load / FULL,
                                "pauses.rate[garbage-collection]", 8.0, "pauses.time[garbage-collection]", 0.35,
                                "pauses.rate[operating-system]", 0.25, "pauses.time[operating-system]", 0.02,
                                "pauses.rate[safepoint]", 0.0, "pauses.time[safepoint]", 0.0)))
                .run(), true);

        assertThat(findings.getFirst().resource()).isEqualTo(BottleneckKind.GARBAGE_COLLECTION);
        assertThat(findings.getFirst().message()).contains("collections stopped the instance")
                .containsPattern(
                        "pauses of 10 ms and more: (7.9|8)[.0-9]* per second by garbage-collection for (34|35)[.0-9]* %"
                                + " of the time and 0.2[0-9]+ per second by operating-system for (1.9|2)[.0-9]* % of the time")
                .doesNotContain("safepoint");
    }

    @Test
    void a_standstill_by_the_jvm_itself_is_not_blamed_on_the_machine() {
        var findings = BottleneckAnalyzer.of(new World(1).stalls(0.2)
                .gauges(load -> BottleneckAnalyzerTest.merged(Map.of("cpu", 0.5, "net.link", 0.1, "gc.pause", 0.0,
                        "process.pause", load > 0.8 * FULL ? 0.2 : 0.001, "pauses.rate[safepoint]", 1.0,
                        "pauses.time[safepoint]", 0.2)))
                .run(), true);

        var standstill = findings.stream()
                .filter(finding -> finding.resource() == BottleneckKind.OPERATING_SYSTEM_PAUSES).findFirst()
                .orElseThrow();
        assertThat(standstill.message()).containsPattern("stood still for up to 2[01]\\d ms without a collection")
                .containsPattern("(1|0[.]9|1[.]0)\\d* per second by safepoint for (19|20)[.\\d]* % of the time")
                .doesNotContain("busy host", "meanwhile");
        assertThat(standstill.figures()).extracting(NamedValue::name).contains("pauses.rate[safepoint]");
    }
}
