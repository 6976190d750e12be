// SPDX-License-Identifier: Apache-2.0
package io.redliner.collector.source;

import io.redliner.collector.linux.InstanceProcessLocator;
import io.redliner.collector.linux.InstanceSocket;
import io.redliner.collector.linux.IpAddress;
import io.redliner.collector.linux.NetworkTables;
import io.redliner.collector.linux.ProcFiles;
import io.redliner.collector.source.MetricSource.SourceHealth;
import io.redliner.collector.windowing.InstanceId;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * Finds the known instances that run on this machine. Their address is one of the machine's, or of a network namespace on it, and a
 * process that the collector may read listens on their port. Health names the missing permissions and how to grant them. Safe for
 * use by several threads.
 */
public final class LocalInstances implements MetricSource, LocalTargets {

    /** Interval of the search, because reading all processes takes some milliseconds. */
    private static final Duration EVERY = Duration.ofSeconds(10);

    private static final int MAX_NAMED = 10;

    private final InstanceRegistry registry;

    private final Path proc;

    /** The same in all containers of the machine, and another one after each start of its kernel; empty when it cannot be read. */
    private final Optional<String> bootId;

    private final Map<Target, InstanceProcessLocator> processes = new HashMap<>();

    private List<Target> known = List.of();

    private Instant next = Instant.MIN;

    private List<Target> targets = List.of();

    private List<String> missing = List.of();

    /** Instances on this machine by more than the loopback, which is of each machine. */
    private volatile Set<InstanceId> onThisMachine;

    /** @param proc the proc file system, usually {@code /proc} */
    public LocalInstances(InstanceRegistry registry, Path proc) {
        this.registry = registry;
        this.proc = proc;
        targets = registry.configured();
        onThisMachine = onThisMachine(targets);
        bootId = ProcFiles.text(proc.resolve("sys/kernel/random/boot_id")).map(String::strip)
                .filter(id -> !id.isEmpty());
    }

    private static Set<InstanceId> onThisMachine(List<Target> targets) {
        return targets.stream().filter(target -> target.local() && !target.socket().isLoopback())
                .map(Target::instanceId).collect(Collectors.toUnmodifiableSet());
    }

    /**
     * Returns names of the machine that an instance runs on: the machine's own when it is this one, and the one on which redirectors
     * agree. The two are never equal, so an instance on this machine has both.
     */
    public List<String> hosts(InstanceId instanceId, Instant now) {
        Optional<String> own = onThisMachine.contains(instanceId) ? bootId : Optional.empty();
        return Stream.concat(own.stream(), registry.host(instanceId, now).stream()).toList();
    }

    /** Returns the instances of the settings, and the others that run on this machine. */
    @Override
    public synchronized List<Target> at(Instant now) {
        List<Target> all = registry.known(now);
        if (!all.equals(known) || !now.isBefore(next) || now.isBefore(next.minus(EVERY))) {
            known = all;
            next = now.plus(EVERY);
            find(now);
        }
        return targets;
    }

    /** Returns the services whose instances are measured. */
    public synchronized Set<String> services() {
        return targets.stream().map(target -> target.instanceId().service()).collect(Collectors.toUnmodifiableSet());
    }

    private void find(Instant now) {
        List<String> problems = new ArrayList<>();
        List<Target> found = new ArrayList<>();
        processes.keySet().retainAll(known);
        Map<IpAddress, NetworkTables> owners = known.stream().allMatch(Target::local) ? Map.of() : owners();
        for (Target target : known) {
            if (!target.local() && isHere(target, owners, now, problems)) {
                found.add(target.onThisMachine());
            } else if (!target.listed()) {
                found.add(target);
            }
        }
        targets = List.copyOf(found);
        onThisMachine = onThisMachine(targets);
        missing = List.copyOf(problems);
    }

    private Map<IpAddress, NetworkTables> owners() {
        Map<IpAddress, NetworkTables> owners = new HashMap<>();
        NetworkTables own = NetworkTables.own(proc);
        own.addresses().forEach(address -> owners.put(address, own));
        NetworkTables.others(proc)
                .forEach(other -> other.addresses().forEach(address -> owners.putIfAbsent(address, other)));
        return owners;
    }

    private boolean isHere(Target target, Map<IpAddress, NetworkTables> owners, Instant now,
            List<String> problems) {
        InstanceSocket socket = target.socket();
        NetworkTables tables = socket.isLoopback()
                ? NetworkTables.own(proc)
                : socket.address().map(owners::get).orElse(null);
        if (tables == null) {
            return false;
        }
        Set<NetworkTables.Listener> listeners = tables.listeners(socket.address(), socket.port());
        if (listeners.isEmpty()) {
            // An address of the loopback may be meant on another machine.
            if (!socket.isLoopback()) {
                problems.add(target.instanceId() + " has an address of this machine, and nobody listens there: if a"
                        + " container publishes it, let the collector see the machine's processes (pid: host, and"
                        + " redliner.collector.root where its /proc is mounted)");
            }
            return false;
        }
        if (processes.computeIfAbsent(target, it -> it.process(proc)).pid(now).isEmpty()) {
            problems.add(target.instanceId() + " runs on this machine as user "
                    + listeners.iterator().next().user() + ", whose processes the collector may not look at: run it"
                    + " as that user, or as root with the capabilities SYS_PTRACE and DAC_READ_SEARCH");
            return false;
        }
        return true;
    }

    @Override
    public String name() {
        return "instances";
    }

    @Override
    public synchronized SourceHealth health() {
        List<String> here = targets.stream().filter(Target::local).map(Target::instanceId).map(InstanceId::toString)
                .toList();
        Map<String, Object> details = new HashMap<>(
                Map.of("known", known.size(), "onThisMachine", here.size(), "some",
                        here.stream().limit(MAX_NAMED).toList()));
        if (missing.isEmpty()) {
            return SourceHealth.working(details);
        }
        details.put("reason", ProbeFailedException.join(missing));
        return SourceHealth.impaired(details);
    }

    @Override
    public void close() {}
}
