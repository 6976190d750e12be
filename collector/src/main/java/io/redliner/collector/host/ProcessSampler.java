// SPDX-License-Identifier: Apache-2.0
package io.redliner.collector.host;

import io.redliner.collector.host.DeviceInventory.NetworkLink;
import io.redliner.collector.host.NetworkSampler.InterfaceCounters;
import io.redliner.collector.linux.CounterDeltas;
import io.redliner.collector.linux.InstanceProcessLocator;
import io.redliner.collector.linux.IntervalTimer;
import io.redliner.collector.linux.ProcFiles;
import io.redliner.collector.linux.ProcessTree;
import io.redliner.collector.source.SampleSet;
import io.redliner.collector.source.Target;
import io.redliner.collector.windowing.InstanceId;
import java.nio.file.Path;
import java.time.Duration;
import java.util.BitSet;
import java.util.List;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.OptionalLong;
import java.util.Set;

/** Samples how much one instance uses of the resources that it may use. For one thread. */
final class ProcessSampler {

    /** The controller that counts CPU time, in control groups of version 1. */
    private static final String CPU_ACCOUNTS = "cpuacct";

    private static final long NANOS_PER_TICK = 10_000_000;

    /** Resources with pressure stall information, as the kernel names them. */
    private static final List<String> STALLING_RESOURCES = List.of("cpu", "io", "memory");

    private static final String JVM_LIBRARY = "/libjvm.so";

    private static final String PRESSURE_TOTAL = " total=";

    private final Path root;

    private final InstanceId instanceId;

    private final int port;

    private final InstanceProcessLocator process;

    private final DeviceInventory devices;

    private final ProcessTree.Reader processTrees;

    private final CounterDeltas counters = new CounterDeltas();

    private final IntervalTimer slowTimer = new IntervalTimer();

    private final CpuQuotas cpuQuotas;

    private final CpuUtilizationSampler cpuSampler = new CpuUtilizationSampler();

    private final CpuUtilizationSampler machineSampler = new CpuUtilizationSampler();

    private final ThreadSampler threads = new ThreadSampler();

    /** Bytes/s in each direction; empty when the settings do not know it. */
    private final OptionalDouble linkSpeed;

    private final NetworkSampler network = new NetworkSampler();

    private Optional<BitSet> allowed = Optional.empty();

    private Set<String> slowlyMissing = Set.of();

    private OptionalLong last = OptionalLong.empty();

    private Optional<String> program = Optional.empty();

    /** @param processTrees the same for all instances of the machine */
    ProcessSampler(Target target, Path root, DeviceInventory devices, ProcessTree.Reader processTrees) {
        this.root = root;
        this.devices = devices;
        this.processTrees = processTrees;
        instanceId = target.instanceId();
        port = target.port();
        process = target.process(root.resolve("proc"));
        cpuQuotas = new CpuQuotas(root, instanceId.toString());
        linkSpeed = target.linkSpeed();
    }

    InstanceId instanceId() {
        return instanceId;
    }

    void sample(SampleSet samples, HostSampler hostSampler) {
        OptionalLong pid = process.pid(samples.now());
        if (pid.isEmpty()) {
            samples.missing("no process that may be looked at listens on port " + port + " for " + instanceId
                    + ": is it on this machine, and may the collector see the processes of its user?");
            last = pid;
            return;
        }
        boolean other = !pid.equals(last);
        last = pid;
        if (other) {
            program = program(root.resolve("proc/" + pid.getAsLong()));
        }
        if (slowTimer.due(samples.now(), HostSampler.SLOW) || other) {
            SampleSet part = samples.part();
            slowly(part, hostSampler, root.resolve("proc/" + pid.getAsLong()));
            slowlyMissing = part.missing();
            samples.add(part);
        } else {
            slowlyMissing.forEach(samples::missing);
        }
        cpu(samples, hostSampler);
        linkSpeed.ifPresent(speed -> network(samples, speed));
    }

    /** Samples the traffic of the instance's container, or of the machine when it has no network of its own. */
    private void network(SampleSet samples, double speed) {
        Path folder = process.network(samples.now());
        boolean machines = folder.equals(root.resolve("proc/net"));
        ProcFiles.text(folder.resolve("dev")).map(InterfaceCounters::parse).ifPresentOrElse(
                traffic -> network.sample(samples, traffic, () -> NetworkLink
                        .outward(machines
                                ? devices.links()
                                : traffic.keySet().stream()
                                        .map(name -> new NetworkLink(name, false, OptionalDouble.empty())).toList())
                        .stream().map(link -> link.withSpeed(speed)).toList()),
                () -> samples.missing("the links of " + instanceId + " cannot be read: no net.tx and net.rx"));
    }

    private void slowly(SampleSet samples, HostSampler hostSampler, Path folder) {
        allowed = ProcFiles.text(folder.resolve("status")).flatMap(CpuList::allowed);
        if (allowed.isEmpty()) {
            samples.missing("which cores " + instanceId + " may use cannot be read: no cpu");
        }
        CgroupMembership membership = CgroupMembership.parse(ProcFiles.text(folder.resolve("cgroup")).orElse(""));
        cpuQuotas.find(samples, membership);
        hostSampler.memory().ifPresent(info -> MemCgroup
                .used(samples, instanceId.toString(), membership.groups(root, "memory"), info)
                .ifPresent(used -> samples.level("memory", Math.min(1, used), HostSampler.SLOW)));
        for (String resource : STALLING_RESOURCES) {
            stalled(samples, membership, resource);
        }
        others(samples, hostSampler, folder, membership);
        List<Path> processes = process.processes(processTrees, samples.now()).stream()
                .map(pid -> root.resolve("proc/" + pid)).toList();
        threads.sample(samples, processes.isEmpty() ? List.of(folder) : processes);
        program.ifPresent(name -> samples.level("process.program[" + name + "]", 1, HostSampler.SLOW));
    }

    /**
     * Returns the name of a process's program: {@code java} for a JVM, however it was started, else the kernel's name for it, with
     * {@code _} in place of what is neither a letter, a digit nor one of {@code .+-}. Empty when it cannot be read.
     */
    static Optional<String> program(Path process) {
        return ProcFiles.text(process.resolve("maps")).filter(maps -> maps.contains(JVM_LIBRARY)).map(maps -> "java")
                .or(() -> ProcFiles.text(process.resolve("comm")).map(String::strip).filter(name -> !name.isEmpty())
                        .map(name -> name.replaceAll("[^A-Za-z0-9.+-]", "_")));
    }

    private void cpu(SampleSet samples, HostSampler hostSampler) {
        var quotas = cpuQuotas.sample(samples);
        if (allowed.isEmpty() || hostSampler.stat().isEmpty() || !cpuQuotas.known()) {
            return;
        }
        var use = cpuSampler.of(allowed.get(), hostSampler.stat().get(), samples.now());
        int count = cpuSampler.count();
        if (cpuQuotas.below(count)) {
            CpuQuotas.largest(quotas.stream().filter(quota -> quota.cores() < count).toList())
                    .ifPresent(quota -> samples.ratio("cpu", quota.part(), quota.from(), Duration.ZERO));
        } else {
            use.ifPresent(it -> samples.ratio("cpu", it.busy(), it.from(), Duration.ZERO));
        }
    }

    /**
     * Samples the time in which threads waited for a resource, for the process's control group (version 2), else for the whole
     * machine.
     */
    private void stalled(SampleSet samples, CgroupMembership membership, String resource) {
        Path own = membership.unified(root).map(groups -> groups.folders().getFirst().resolve(resource + ".pressure"))
                .filter(file -> ProcFiles.text(file).isPresent())
                .orElse(root.resolve("proc/pressure/" + resource));
        OptionalLong micros = ProcFiles.text(own).map(ProcessSampler::pressureMicros).orElse(OptionalLong.empty());
        String name = resource + ".stalled";
        if (micros.isEmpty()) {
            samples.missing("the kernel has no pressure stall information (boot it with psi=1): no " + name);
            return;
        }
        counters.read(own.toString(), micros.getAsLong(), samples.now()).ifPresent(change -> samples
                .ratio(name, change.perSecond() / 1e6, change.from(), HostSampler.SLOW));
    }

    /**
     * Samples the part of the machine's CPU time that others used: the machine's use without that of the instance. The instance is
     * its control group. When the collector is in that group as well, it is the processes that work for the instance.
     */
    private void others(SampleSet samples, HostSampler hostSampler, Path folder, CgroupMembership membership) {
        Optional<Path> group = ownGroup(membership);
        Path file = group.orElse(folder);
        OptionalLong nanos = group.isPresent() ? groupNanos(file) : processNanos(file);
        if (nanos.isEmpty()) {
            samples.missing("the CPU time of " + instanceId + " in " + file + " cannot be read: no cpu.others");
            return;
        }
        var used = used(samples, file, nanos.getAsLong());
        double workers = group.isPresent() ? 0 : workers(samples, folder);
        var machine = hostSampler.stat().flatMap(stat -> machineSampler.ofAll(stat, samples.now()));
        if (used.isPresent() && machine.isPresent() && used.get().from().equals(machine.get().from())) {
            double had = machineSampler.count() * (1 - machine.get().steal());
            samples.ratio("cpu.others",
                    Math.max(0, machine.get().busy() - (used.get().perSecond() + workers) / 1e9 / had),
                    used.get().from(), HostSampler.SLOW);
        }
    }

    private Optional<CounterDeltas.CounterDelta> used(SampleSet samples, Path file, long nanos) {
        return counters.read("used " + file, nanos, samples.now());
    }

    /** Returns the CPU nanoseconds per second that processes other than the main one used for the instance. */
    private double workers(SampleSet samples, Path main) {
        double sum = 0;
        for (long pid : process.processes(processTrees, samples.now())) {
            Path worker = root.resolve("proc/" + pid);
            OptionalLong nanos = worker.equals(main) ? OptionalLong.empty() : processNanos(worker);
            if (nanos.isPresent()) {
                sum += used(samples, worker, nanos.getAsLong()).map(CounterDeltas.CounterDelta::perSecond).orElse(0.0);
            }
        }
        counters.removeOld(samples.now());
        return sum;
    }

    private Optional<Path> ownGroup(CgroupMembership membership) {
        var collectors = CgroupMembership.parse(ProcFiles.text(root.resolve("proc/self/cgroup")).orElse(""))
                .groups(root, CPU_ACCOUNTS);
        return membership.groups(root, CPU_ACCOUNTS).map(groups -> groups.folders().getFirst())
                .filter(group -> collectors.isPresent() && !collectors.get().folders().contains(group));
    }

    private static OptionalLong groupNanos(Path group) {
        OptionalLong micros = ProcFiles.text(group.resolve("cpu.stat")).map(text -> ProcFiles.value(text, "usage_usec"))
                .orElse(OptionalLong.empty());
        return micros.isPresent()
                ? OptionalLong.of(1_000 * micros.getAsLong())
                : ProcFiles.number(group.resolve("cpuacct.usage"));
    }

    private static OptionalLong processNanos(Path process) {
        OptionalLong ticks = ProcFiles.text(process.resolve("stat")).map(ThreadSampler::ticks)
                .orElse(OptionalLong.empty());
        return ticks.isPresent() ? OptionalLong.of(NANOS_PER_TICK * ticks.getAsLong()) : ticks;
    }

    /** Parses the pressure stall information: microseconds since the beginning in which at least one thread waited. */
    static OptionalLong pressureMicros(String text) {
        for (String line : text.split("\n", -1)) {
            int total = line.indexOf(PRESSURE_TOTAL);
            if (line.startsWith("some ") && total > 0) {
                return ProcFiles.number(line.substring(total + PRESSURE_TOTAL.length()).strip());
            }
        }
        return OptionalLong.empty();
    }

    /** Parses the kernel's lists of cores, such as {@code 0-3,8}. */
    static final class CpuList {

        private static final int MAX_CPUS = 1 << 16;

        private CpuList() {}

        /** Returns the cores that a process may use, from its {@code status}. */
        static Optional<BitSet> allowed(String status) {
            for (String line : status.split("\n", -1)) {
                if (line.startsWith("Cpus_allowed_list:")) {
                    return parse(line.substring(line.indexOf(':') + 1).strip());
                }
            }
            return Optional.empty();
        }

        static Optional<BitSet> parse(String list) {
            BitSet cores = new BitSet();
            for (String range : list.split(",", -1)) {
                String[] ends = range.split("-", 2);
                var first = ProcFiles.number(ends[0]);
                var last = ProcFiles.number(ends[ends.length - 1]);
                if (first.isEmpty() || last.isEmpty() || first.getAsLong() < 0 || last.getAsLong() < first.getAsLong()
                        || last.getAsLong() > MAX_CPUS) {
                    return Optional.empty();
                }
                cores.set((int) first.getAsLong(), (int) last.getAsLong() + 1);
            }
            return Optional.of(cores);
        }
    }

    /**
     * A control group that may have a limit of memory.
     *
     * @param unified whether it is of version 2
     * @param folder where its files are
     */
    private record MemCgroup(boolean unified, Path folder) {

        /** Returns the limit in bytes; the largest number without a limit, empty when it is no number. */
        OptionalLong limit() {
            return ProcFiles.text(folder.resolve(unified ? "memory.max" : "memory.limit_in_bytes"))
                    .map(text -> text.strip().equals("max")
                            ? OptionalLong.of(Long.MAX_VALUE)
                            : ProcFiles.number(text.strip()))
                    .orElse(OptionalLong.of(Long.MAX_VALUE));
        }

        /** Returns the used bytes without the inactive file cache, which the kernel reclaims. Empty when it cannot be read. */
        OptionalLong used() {
            OptionalLong all = ProcFiles.number(folder.resolve(unified ? "memory.current" : "memory.usage_in_bytes"));
            OptionalLong idle = ProcFiles.text(folder.resolve("memory.stat"))
                    .map(stat -> ProcFiles.value(stat, unified ? "inactive_file" : "total_inactive_file"))
                    .orElse(OptionalLong.empty());
            return all.isEmpty() || idle.isEmpty()
                    ? OptionalLong.empty()
                    : OptionalLong.of(Math.max(0, all.getAsLong() - idle.getAsLong()));
        }

        /** Returns the used part of a limit; empty when it cannot be read. */
        OptionalDouble usedOf(long limit) {
            OptionalLong used = used();
            return used.isEmpty() || limit <= 0
                    ? OptionalDouble.empty()
                    : OptionalDouble.of((double) used.getAsLong() / limit);
        }

        /**
         * Returns the used part of the memory that a process may use. It is that of the fullest limit among its control group and
         * those around it, or of the machine's memory when no limit is below that.
         */
        static OptionalDouble used(SampleSet samples, String owner, Optional<CgroupMembership.Groups> groups,
                MemInfo memInfo) {
            if (groups.isEmpty()) {
                samples.missing("the control groups of " + owner + " cannot be seen from here: no memory");
                return OptionalDouble.empty();
            }
            OptionalDouble fullest = OptionalDouble.empty();
            for (Path folder : groups.get().folders()) {
                var group = new MemCgroup(groups.get().unified(), folder);
                OptionalLong limit = group.limit();
                if (limit.isPresent() && limit.getAsLong() >= memInfo.total()) {
                    continue;
                }
                OptionalDouble used = limit.isPresent() ? group.usedOf(limit.getAsLong()) : OptionalDouble.empty();
                if (used.isEmpty()) {
                    samples.missing("the memory limit of " + owner + " in " + folder + " cannot be read: no memory");
                    return OptionalDouble.empty();
                }
                fullest = OptionalDouble.of(Math.max(used.getAsDouble(), fullest.orElse(0)));
            }
            return fullest.isPresent() ? fullest : OptionalDouble.of(memInfo.used());
        }
    }
}
