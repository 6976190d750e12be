// SPDX-License-Identifier: Apache-2.0
package io.redliner.collector.host;

import io.redliner.collector.machine.Beat;
import io.redliner.collector.machine.Counters;
import io.redliner.collector.machine.KernelFiles;
import io.redliner.collector.source.Readings;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Optional;
import java.util.Set;

/** Looks at what belongs to the machine as a whole, and is the same for all its instances. For one thread. */
final class MachineLook {

    /** The pace of all that is dear. */
    static final Duration SLOW = Duration.ofSeconds(1);

    private final Path proc;

    private final Counters counters = new Counters();

    private final Counters slowCounters = new Counters();

    private final Beat slow = new Beat();

    private Set<String> slowlyMissing = Set.of();

    private final Network network;

    private final Disks disks;

    private final CoreUse cores = new CoreUse();

    private Optional<ProcStat> stat = Optional.empty();

    private Optional<MemoryInfo> memory = Optional.empty();

    MachineLook(Path root, Hardware hardware) {
        proc = root.resolve("proc");
        network = new Network(hardware);
        disks = new Disks(hardware);
    }

    void look(Readings readings) {
        stat = KernelFiles.text(proc.resolve("stat")).flatMap(ProcStat::parse);
        if (stat.isPresent()) {
            cpu(readings, stat.get());
        } else {
            readings.missing("proc/stat cannot be read or is no such file: no cpu");
        }
        KernelFiles.text(proc.resolve("net/dev")).ifPresentOrElse(
                text -> network.look(readings, Traffic.parse(text)),
                () -> readings.missing("proc/net/dev cannot be read: no net.tx and net.rx"));
        if (slow.due(readings.now(), SLOW)) {
            Readings part = readings.part();
            slowly(part);
            slowlyMissing = part.missing();
            readings.add(part);
        } else {
            slowlyMissing.forEach(readings::missing);
        }
    }

    private void slowly(Readings readings) {
        stat.ifPresent(it -> cores(readings, it));
        load(readings);
        memory(readings);
        disks.look(readings, SLOW);
        slowCounters.tidy(readings.now());
    }

    /** As seen in this look. */
    Optional<ProcStat> stat() {
        return stat;
    }

    /** As seen in the last look that took it. */
    Optional<MemoryInfo> memory() {
        return memory;
    }

    private void cpu(Readings readings, ProcStat stat) {
        cores.ofAll(stat, readings.now()).ifPresent(use -> {
            readings.ratio("cpu.machine", use.busy(), use.from(), Duration.ZERO);
            readings.ratio("cpu.steal", use.steal(), use.from(), Duration.ZERO);
        });
        counters.read("switches", stat.contextSwitches(), readings.now()).ifPresent(
                change -> readings.over("context.switches", change.perSecond(), change.from(), Duration.ZERO));
    }

    private void cores(Readings readings, ProcStat stat) {
        stat.cores().forEach((core, times) -> CpuUse.since(slowCounters, "core" + core, times, readings.now())
                .ifPresent(use -> readings.ratio("cpu[" + core + "]", use.busy(), use.from(), SLOW)));
    }

    private void load(Readings readings) {
        String text = KernelFiles.text(proc.resolve("loadavg")).orElse("");
        try {
            readings.level("load", Double.parseDouble(text.substring(0, Math.max(0, text.indexOf(' ')))), SLOW);
        } catch (NumberFormatException e) {
            readings.missing("proc/loadavg cannot be read or is no such file: no load");
        }
    }

    private void memory(Readings readings) {
        memory = KernelFiles.text(proc.resolve("meminfo")).flatMap(MemoryInfo::parse);
        memory.ifPresentOrElse(info -> {
            readings.level("memory.machine", info.used(), SLOW);
            info.swapUsed().ifPresent(used -> readings.level("swap", used, SLOW));
        }, () -> readings.missing("proc/meminfo cannot be read or is no such file: no memory and swap"));
    }
}
