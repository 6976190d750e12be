// SPDX-License-Identifier: Apache-2.0
package io.redliner.collector.host;

import io.redliner.collector.linux.CounterDeltas;
import io.redliner.collector.linux.InstanceProcessLocator;
import io.redliner.collector.linux.IntervalTimer;
import io.redliner.collector.linux.ProcFiles;
import io.redliner.collector.source.SampleSet;
import io.redliner.collector.source.Target;
import io.redliner.collector.windowing.InstanceId;
import java.nio.file.Path;
import java.time.Duration;
import java.util.BitSet;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.Set;

/** Samples how much one instance uses of the resources that it may use. For one thread. */
final class ProcessSampler {

    private static final String PRESSURE_TOTAL = " total=";

    private final Path root;

    private final InstanceId subject;

    private final int port;

    private final InstanceProcessLocator process;

    private final CounterDeltas counters = new CounterDeltas();

    private final IntervalTimer slow = new IntervalTimer();

    private final CpuQuotas limits;

    private final CpuUtilizationSampler cores = new CpuUtilizationSampler();

    private final BusiestThreadSampler threads = new BusiestThreadSampler();

    private Optional<BitSet> allowed = Optional.empty();

    private Set<String> slowlyMissing = Set.of();

    private OptionalLong last = OptionalLong.empty();

    ProcessSampler(Target target, Path root) {
        this.root = root;
        subject = target.subject();
        port = target.port();
        process = target.process(root.resolve("proc"));
        limits = new CpuQuotas(root, subject.toString());
    }

    InstanceId subject() {
        return subject;
    }

    void look(SampleSet readings, HostSampler machine) {
        OptionalLong pid = process.pid(readings.now());
        if (pid.isEmpty()) {
            readings.missing("no process that may be looked at listens on port " + port + " for " + subject
                    + ": is it on this machine, and may the collector see the processes of its user?");
            last = pid;
            return;
        }
        boolean other = !pid.equals(last);
        last = pid;
        if (slow.due(readings.now(), HostSampler.SLOW) || other) {
            SampleSet part = readings.part();
            slowly(part, machine, root.resolve("proc/" + pid.getAsLong()));
            slowlyMissing = part.missing();
            readings.add(part);
        } else {
            slowlyMissing.forEach(readings::missing);
        }
        cpu(readings, machine);
    }

    private void slowly(SampleSet readings, HostSampler machine, Path folder) {
        allowed = ProcFiles.text(folder.resolve("status")).flatMap(CpuList::allowed);
        if (allowed.isEmpty()) {
            readings.missing("which cores " + subject + " may use cannot be read: no cpu");
        }
        CgroupMembership membership = CgroupMembership.parse(ProcFiles.text(folder.resolve("cgroup")).orElse(""));
        limits.find(readings, membership);
        machine.memory().ifPresent(info -> MemCgroup
                .used(readings, subject.toString(), membership.groups(root, "memory"), info)
                .ifPresent(used -> readings.level("memory", Math.min(1, used), HostSampler.SLOW)));
        stalled(readings, membership);
        threads.look(readings, folder);
    }

    private void cpu(SampleSet readings, HostSampler machine) {
        var quotas = limits.look(readings);
        if (allowed.isEmpty() || machine.stat().isEmpty() || !limits.known()) {
            return;
        }
        var use = cores.of(allowed.get(), machine.stat().get(), readings.now());
        int count = cores.count();
        if (limits.below(count)) {
            CpuQuotas.most(quotas.stream().filter(quota -> quota.cores() < count).toList())
                    .ifPresent(quota -> readings.ratio("cpu", quota.part(), quota.from(), Duration.ZERO));
        } else {
            use.ifPresent(it -> readings.ratio("cpu", it.busy(), it.from(), Duration.ZERO));
        }
    }

    /**
     * Samples the time in which memory stalled threads, for the process's control group (version 2), else for the whole machine.
     */
    private void stalled(SampleSet readings, CgroupMembership membership) {
        Path own = membership.unified(root).map(groups -> groups.folders().getFirst().resolve("memory.pressure"))
                .filter(file -> ProcFiles.text(file).isPresent())
                .orElse(root.resolve("proc/pressure/memory"));
        OptionalLong micros = ProcFiles.text(own).map(ProcessSampler::pressureMicros).orElse(OptionalLong.empty());
        if (micros.isEmpty()) {
            readings.missing("the kernel has no pressure stall information (boot it with psi=1): no memory.stalled");
            return;
        }
        counters.read(own.toString(), micros.getAsLong(), readings.now()).ifPresent(change -> readings
                .ratio("memory.stalled", change.perSecond() / 1e6, change.from(), HostSampler.SLOW));
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
}
