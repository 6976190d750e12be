// SPDX-License-Identifier: Apache-2.0
package io.redliner.collector.host;

import io.redliner.collector.linux.CounterDeltas;
import io.redliner.collector.linux.IntervalTimer;
import io.redliner.collector.linux.ProcFiles;
import io.redliner.collector.source.SampleSet;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Optional;
import java.util.Set;

/** Samples what belongs to the machine as a whole, and is the same for all its instances. For one thread. */
final class HostSampler {

    /** The interval of all expensive readings. */
    static final Duration SLOW = Duration.ofSeconds(1);

    private final Path proc;

    private final CounterDeltas counters = new CounterDeltas();

    private final CounterDeltas slowCounters = new CounterDeltas();

    private final IntervalTimer slow = new IntervalTimer();

    private Set<String> slowlyMissing = Set.of();

    private final NetworkSampler network;

    private final DiskSampler disks;

    private final CpuUtilizationSampler cores = new CpuUtilizationSampler();

    private Optional<ProcStat> stat = Optional.empty();

    private Optional<MemInfo> memory = Optional.empty();

    HostSampler(Path root, DeviceInventory hardware) {
        proc = root.resolve("proc");
        network = new NetworkSampler(hardware);
        disks = new DiskSampler(hardware);
    }

    void look(SampleSet readings) {
        stat = ProcFiles.text(proc.resolve("stat")).flatMap(ProcStat::parse);
        if (stat.isPresent()) {
            cpu(readings, stat.get());
        } else {
            readings.missing("proc/stat cannot be read or is no such file: no cpu");
        }
        ProcFiles.text(proc.resolve("net/dev")).ifPresentOrElse(
                text -> network.look(readings, InterfaceCounters.parse(text)),
                () -> readings.missing("proc/net/dev cannot be read: no net.tx and net.rx"));
        if (slow.due(readings.now(), SLOW)) {
            SampleSet part = readings.part();
            slowly(part);
            slowlyMissing = part.missing();
            readings.add(part);
        } else {
            slowlyMissing.forEach(readings::missing);
        }
    }

    private void slowly(SampleSet readings) {
        stat.ifPresent(it -> cores(readings, it));
        load(readings);
        memory(readings);
        disks.look(readings, SLOW);
        slowCounters.tidy(readings.now());
    }

    /** Returns {@code proc/stat} of the last poll. */
    Optional<ProcStat> stat() {
        return stat;
    }

    /** Returns {@code proc/meminfo} of the last poll that read it. */
    Optional<MemInfo> memory() {
        return memory;
    }

    private void cpu(SampleSet readings, ProcStat stat) {
        cores.ofAll(stat, readings.now()).ifPresent(use -> {
            readings.ratio("cpu.machine", use.busy(), use.from(), Duration.ZERO);
            readings.ratio("cpu.steal", use.steal(), use.from(), Duration.ZERO);
        });
        counters.read("switches", stat.contextSwitches(), readings.now()).ifPresent(
                change -> readings.over("context.switches", change.perSecond(), change.from(), Duration.ZERO));
    }

    private void cores(SampleSet readings, ProcStat stat) {
        stat.cores().forEach((core, times) -> CpuUtilization.since(slowCounters, "core" + core, times, readings.now())
                .ifPresent(use -> readings.ratio("cpu[" + core + "]", use.busy(), use.from(), SLOW)));
    }

    private void load(SampleSet readings) {
        String text = ProcFiles.text(proc.resolve("loadavg")).orElse("");
        try {
            readings.level("load", Double.parseDouble(text.substring(0, Math.max(0, text.indexOf(' ')))), SLOW);
        } catch (NumberFormatException e) {
            readings.missing("proc/loadavg cannot be read or is no such file: no load");
        }
    }

    private void memory(SampleSet readings) {
        memory = ProcFiles.text(proc.resolve("meminfo")).flatMap(MemInfo::parse);
        memory.ifPresentOrElse(info -> {
            readings.level("memory.machine", info.used(), SLOW);
            info.swapUsed().ifPresent(used -> readings.level("swap", used, SLOW));
        }, () -> readings.missing("proc/meminfo cannot be read or is no such file: no memory and swap"));
    }
}
