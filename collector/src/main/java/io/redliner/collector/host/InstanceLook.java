// SPDX-License-Identifier: Apache-2.0
package io.redliner.collector.host;

import io.redliner.collector.machine.Beat;
import io.redliner.collector.machine.Counters;
import io.redliner.collector.machine.InstanceProcess;
import io.redliner.collector.machine.KernelFiles;
import io.redliner.collector.source.Readings;
import io.redliner.collector.source.Target;
import io.redliner.collector.window.Subject;
import java.nio.file.Path;
import java.time.Duration;
import java.util.BitSet;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.Set;

/** Looks at what one instance uses of what it may use. For one thread. */
final class InstanceLook {

    private final Path root;

    private final Subject subject;

    private final int port;

    private final InstanceProcess process;

    private final Counters counters = new Counters();

    private final Beat slow = new Beat();

    private final CpuLimits limits;

    private final CoreUse cores = new CoreUse();

    private final BusiestThread threads = new BusiestThread();

    private Optional<BitSet> allowed = Optional.empty();

    private Set<String> slowlyMissing = Set.of();

    private OptionalLong last = OptionalLong.empty();

    InstanceLook(Target target, Path root) {
        this.root = root;
        subject = target.subject();
        port = target.port();
        process = target.process(root.resolve("proc"));
        limits = new CpuLimits(root, subject.toString());
    }

    Subject subject() {
        return subject;
    }

    void look(Readings readings, MachineLook machine) {
        OptionalLong pid = process.pid(readings.now());
        if (pid.isEmpty()) {
            readings.missing("no process that may be looked at listens on port " + port + " for " + subject
                    + ": is it on this machine, and may the collector see the processes of its user?");
            last = pid;
            return;
        }
        boolean other = !pid.equals(last);
        last = pid;
        if (slow.due(readings.now(), MachineLook.SLOW) || other) {
            Readings part = readings.part();
            slowly(part, machine, root.resolve("proc/" + pid.getAsLong()));
            slowlyMissing = part.missing();
            readings.add(part);
        } else {
            slowlyMissing.forEach(readings::missing);
        }
        cpu(readings, machine);
    }

    private void slowly(Readings readings, MachineLook machine, Path folder) {
        allowed = KernelFiles.text(folder.resolve("status")).flatMap(CoreList::allowed);
        if (allowed.isEmpty()) {
            readings.missing("which cores " + subject + " may use cannot be read: no cpu");
        }
        Membership membership = Membership.parse(KernelFiles.text(folder.resolve("cgroup")).orElse(""));
        limits.find(readings, membership);
        machine.memory().ifPresent(info -> MemoryLimits
                .used(readings, subject.toString(), membership.groups(root, "memory"), info)
                .ifPresent(used -> readings.level("memory", Math.min(1, used), MachineLook.SLOW)));
        stalled(readings, membership);
        threads.look(readings, folder);
    }

    private void cpu(Readings readings, MachineLook machine) {
        var quotas = limits.look(readings);
        if (allowed.isEmpty() || machine.stat().isEmpty() || !limits.known()) {
            return;
        }
        var use = cores.of(allowed.get(), machine.stat().get(), readings.now());
        int count = cores.count();
        if (limits.below(count)) {
            CpuLimits.most(quotas.stream().filter(quota -> quota.cores() < count).toList())
                    .ifPresent(quota -> readings.ratio("cpu", quota.part(), quota.from(), Duration.ZERO));
        } else {
            use.ifPresent(it -> readings.ratio("cpu", it.busy(), it.from(), Duration.ZERO));
        }
    }

    /** Of its own control group where the kernel tells (version 2), else of the whole machine. */
    private void stalled(Readings readings, Membership membership) {
        Path own = membership.unified(root).map(groups -> groups.folders().getFirst().resolve("memory.pressure"))
                .filter(file -> KernelFiles.text(file).isPresent())
                .orElse(root.resolve("proc/pressure/memory"));
        OptionalLong micros = KernelFiles.text(own).map(Pressure::someMicros).orElse(OptionalLong.empty());
        if (micros.isEmpty()) {
            readings.missing("the kernel has no pressure stall information (boot it with psi=1): no memory.stalled");
            return;
        }
        counters.read(own.toString(), micros.getAsLong(), readings.now()).ifPresent(change -> readings
                .ratio("memory.stalled", change.perSecond() / 1e6, change.from(), MachineLook.SLOW));
    }
}
