// SPDX-License-Identifier: Apache-2.0
package io.redliner.collector.host;

import io.redliner.collector.linux.ProcFiles;
import io.redliner.collector.source.SampleSet;
import io.redliner.collector.source.SelfGauges;
import io.redliner.collector.windowing.GaugeMeasurement;
import io.redliner.collector.windowing.InstanceId;
import java.nio.file.Path;
import java.time.Instant;
import java.util.HashMap;
import java.util.Map;

/** The CPU time that the hypervisor and the collector's own quota take from it. For one thread. */
final class CollectorHost implements SelfGauges {

    private static final InstanceId SELF = new InstanceId("redliner", "collector");

    private final Path root;

    private final CpuUtilizationSampler cpuSampler = new CpuUtilizationSampler();

    private final CpuQuotas cpuQuotas;

    /** @param root where {@code proc} and {@code sys} are */
    CollectorHost(Path root) {
        this.root = root;
        cpuQuotas = new CpuQuotas(root, "the collector");
    }

    /**
     * Returns the values since the last call, 0 to 1. {@code collector.steal} is the part of the machine's time that the
     * hypervisor gave to others. {@code collector.throttled} is the part of the periods in which the quota was used up. A value
     * that cannot be read is missing, and so is throttling without a quota.
     */
    @Override
    public Map<String, Double> sample(Instant now) {
        Map<String, Double> taken = new HashMap<>();
        ProcFiles.text(root.resolve("proc/stat")).flatMap(ProcStat::parse)
                .flatMap(stat -> cpuSampler.ofAll(stat, now))
                .ifPresent(use -> taken.put("collector.steal", use.steal()));
        SampleSet samples = new SampleSet(now, now);
        cpuQuotas.find(samples, CgroupMembership.parse(ProcFiles.text(root.resolve("proc/self/cgroup")).orElse("")));
        cpuQuotas.sample(samples);
        samples.of(SELF).stream().filter(reading -> reading.name().equals("cpu.throttled"))
                .mapToDouble(GaugeMeasurement::value).max()
                .ifPresent(part -> taken.put("collector.throttled", part));
        return taken;
    }
}
