// SPDX-License-Identifier: Apache-2.0
package io.redliner.collector.sockets;

import io.redliner.collector.linux.InstanceProcessLocator;
import io.redliner.collector.source.LocalTargets;
import io.redliner.collector.source.ProbeFailedException;
import io.redliner.collector.source.SampleSet;
import io.redliner.collector.source.ScheduledProbe.Probe;
import io.redliner.collector.source.Target;
import io.redliner.collector.windowing.GaugeMeasurement;
import io.redliner.collector.windowing.InstanceId;
import java.lang.management.ManagementFactory;
import java.nio.file.Path;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.LongSupplier;

/**
 * Measures the sockets of the ports on which this machine's instances listen, each in the network namespace of the instance's
 * process. The gauges are named {@code sockets.*}; clients in the same namespace add {@code client.receive.queue}. The kernel's
 * counts for all ports together are named {@code machine.*}.
 */
final class SocketsProbe implements Probe {

    private final Path proc;

    private final SocketsProperties properties;

    private final LongSupplier threadCpuNanos;

    private final LocalTargets targets;

    private final Map<Target, Instance> instances = new HashMap<>();

    private final Map<Path, NetworkNamespace> namespaces = new HashMap<>();

    private final Map<Path, Set<String>> missing = new LinkedHashMap<>();

    /**
     * Creates a probe.
     *
     * @param targets the instances; only the local ones are measured
     * @param proc folder of the kernel's tables, usually {@code /proc}
     */
    SocketsProbe(LocalTargets targets, Path proc, SocketsProperties properties) {
        this(targets, proc, properties, ManagementFactory.getThreadMXBean()::getCurrentThreadCpuTime);
    }

    /**
     * Creates a probe with another clock of CPU time.
     *
     * @param threadCpuNanos the CPU time of the probe's thread, in nanoseconds
     */
    SocketsProbe(LocalTargets targets, Path proc, SocketsProperties properties, LongSupplier threadCpuNanos) {
        this.threadCpuNanos = threadCpuNanos;
        this.properties = properties;
        this.proc = proc;
        this.targets = targets;
    }

    @Override
    public String name() {
        return "sockets";
    }

    @Override
    public List<GaugeMeasurement> measure(Instant now, Instant next) throws ProbeFailedException {
        List<Target> local = targets.at(now).stream().filter(Target::local).toList();
        instances.keySet().retainAll(local);
        Map<Path, List<Instance>> byNamespace = new LinkedHashMap<>();
        local.forEach(target -> {
            Instance instance = instances.computeIfAbsent(target, this::instance);
            byNamespace.computeIfAbsent(instance.process.network(now), net -> new ArrayList<>()).add(instance);
        });
        namespaces.keySet().retainAll(byNamespace.keySet());
        missing.keySet().retainAll(byNamespace.keySet());
        List<GaugeMeasurement> measured = new ArrayList<>();
        byNamespace.forEach((net, all) -> sample(new SampleSet(now, next), net, all, measured));
        Set<String> reasons = new LinkedHashSet<>();
        missing.values().forEach(reasons::addAll);
        if (!reasons.isEmpty()) {
            throw new ProbeFailedException(ProbeFailedException.join(reasons), measured);
        }
        return measured;
    }

    private void sample(SampleSet common, Path net, List<Instance> all, List<GaugeMeasurement> measured) {
        NetworkNamespace namespace = namespaces.computeIfAbsent(net,
                folder -> new NetworkNamespace(folder, properties, threadCpuNanos));
        all.forEach(instance -> instance.stats.on(instance.process.address(common.now()),
                instance.process.port(common.now())));
        if (!namespace.sample(common, all.stream().map(Instance::stats).toList())) {
            return;
        }
        Set<String> reasons = new LinkedHashSet<>(common.missing());
        for (Instance instance : all) {
            SampleSet own = common.part();
            ListenPortStats stats = instance.stats;
            if (!namespace.isWhole()) {
                // The table was not read completely, as the namespace reports. Part of the counts would look like all of them.
                continue;
            }
            if (stats.isListening()) {
                stats.report(own, namespace.pace());
            } else {
                own.missing("nobody listens on port " + stats.port() + " for " + instance.instanceId
                        + ": is it on this machine?");
            }
            reasons.addAll(own.missing());
            measured.addAll(common.measurements(instance.instanceId));
            measured.addAll(own.measurements(instance.instanceId));
        }
        missing.put(net, reasons);
    }

    private Instance instance(Target target) {
        return new Instance(target.instanceId(), target.process(proc),
                new ListenPortStats(target.port(), properties.fullQueue().toBytes()));
    }

    private record Instance(InstanceId instanceId, InstanceProcessLocator process, ListenPortStats stats) {}
}
