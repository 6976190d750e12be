// SPDX-License-Identifier: Apache-2.0
package io.redliner.collector.host;

import io.redliner.collector.linux.ProcessTree;
import io.redliner.collector.source.LocalTargets;
import io.redliner.collector.source.ProbeFailedException;
import io.redliner.collector.source.SampleSet;
import io.redliner.collector.source.ScheduledProbe.Probe;
import io.redliner.collector.source.Target;
import io.redliner.collector.windowing.GaugeMeasurement;
import java.nio.file.Path;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;

/**
 * Measures this machine and the processes of the instances that run on it. Values of the machine are reported for each instance:
 * {@code cpu.machine}, {@code cpu[core]}, {@code cpu.system}, {@code cpu.steal}, {@code cpu.hyperthreads}, {@code load}, {@code context.switches}, {@code memory.machine},
 * {@code swap}, {@code disk.*}, {@code net.*}. Values of the instance are {@code cpu}, {@code cpu.quota}, {@code cpu.throttled},
 * {@code cpu.thread}, {@code cpu.waiting}, {@code cpu.others}, {@code memory}, {@code process.program[name]}, and, where the settings know the speed of its
 * link, {@code net.*}. {@code *.stalled} is the instance's with control groups of version 2, and else the machine's.
 */
final class HostProbe implements Probe {

    /** Begins the names of the gauges that an instance with a link of its own has instead of the machine's. */
    private static final String NETWORK = "net.";

    private final HostSampler hostSampler;

    private final Path root;

    private final DeviceInventory devices;

    private final LocalTargets targets;

    private final Map<Target, ProcessSampler> instances = new HashMap<>();

    private final ProcessTree.Reader processTrees;

    /**
     * Creates a probe.
     *
     * @param targets the instances, of which the local ones are measured
     * @param root where {@code proc} and {@code sys} are
     */
    HostProbe(LocalTargets targets, Path root, DeviceInventory devices) {
        this.targets = targets;
        this.root = root;
        this.devices = devices;
        hostSampler = new HostSampler(root, devices);
        processTrees = new ProcessTree.Reader(root.resolve("proc"));
    }

    @Override
    public String name() {
        return "host";
    }

    @Override
    public List<GaugeMeasurement> measure(Instant now, Instant next) throws ProbeFailedException {
        List<Target> local = targets.at(now).stream().filter(Target::local).toList();
        instances.keySet().retainAll(local);
        if (local.isEmpty()) {
            return List.of();
        }
        SampleSet common = new SampleSet(now, next);
        hostSampler.sample(common);
        Set<String> missing = new LinkedHashSet<>(common.missing());
        List<GaugeMeasurement> measured = new ArrayList<>();
        for (Target target : local) {
            ProcessSampler instance = instances.computeIfAbsent(target,
                    it -> new ProcessSampler(it, root, devices, processTrees));
            SampleSet own = new SampleSet(now, next);
            instance.sample(own, hostSampler);
            missing.addAll(own.missing());
            common.measurements(instance.instanceId()).stream()
                    .filter(gauge -> target.linkSpeed().isEmpty() || !gauge.name().startsWith(NETWORK))
                    .forEach(measured::add);
            measured.addAll(own.measurements(instance.instanceId()));
        }
        if (!missing.isEmpty()) {
            throw new ProbeFailedException(ProbeFailedException.join(missing), measured);
        }
        return measured;
    }
}
