// SPDX-License-Identifier: Apache-2.0
package io.redliner.collector.host;

import io.redliner.collector.host.CpuUtilizationSampler.CpuUtilization;
import io.redliner.collector.host.DeviceInventory.DiskStats;
import io.redliner.collector.host.DeviceInventory.NetworkLink;
import io.redliner.collector.host.NetworkSampler.InterfaceCounters;
import io.redliner.collector.linux.CounterDeltas;
import io.redliner.collector.linux.IntervalTimer;
import io.redliner.collector.linux.ProcFiles;
import io.redliner.collector.source.SampleSet;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.Optional;
import java.util.Set;

/** Samples what belongs to the machine as a whole, and is the same for all its instances. For one thread. */
final class HostSampler {

    /** The interval of all expensive readings. */
    static final Duration SLOW = Duration.ofSeconds(1);

    private final Path proc;

    private final Path hyperThreads;

    private final CounterDeltas counters = new CounterDeltas();

    private final CounterDeltas slowCounters = new CounterDeltas();

    private final IntervalTimer slowTimer = new IntervalTimer();

    private Set<String> slowlyMissing = Set.of();

    private final DeviceInventory devices;

    private final NetworkSampler network = new NetworkSampler();

    private final DiskSampler disks;

    private final CpuUtilizationSampler cpuSampler = new CpuUtilizationSampler();

    private Optional<ProcStat> stat = Optional.empty();

    private Optional<MemInfo> memory = Optional.empty();

    HostSampler(Path root, DeviceInventory devices) {
        proc = root.resolve("proc");
        hyperThreads = root.resolve("sys/devices/system/cpu/smt/active");
        this.devices = devices;
        disks = new DiskSampler(devices);
    }

    void sample(SampleSet samples) {
        stat = ProcFiles.text(proc.resolve("stat")).flatMap(ProcStat::parse);
        if (stat.isPresent()) {
            cpu(samples, stat.get());
        } else {
            samples.missing("proc/stat cannot be read or is no such file: no cpu");
        }
        ProcFiles.text(proc.resolve("net/dev")).ifPresentOrElse(
                text -> network.sample(samples, InterfaceCounters.parse(text),
                        () -> NetworkLink.outward(devices.links())),
                () -> samples.missing("proc/net/dev cannot be read: no net.tx and net.rx"));
        if (slowTimer.due(samples.now(), SLOW)) {
            SampleSet part = samples.part();
            slowly(part);
            slowlyMissing = part.missing();
            samples.add(part);
        } else {
            slowlyMissing.forEach(samples::missing);
        }
    }

    private void slowly(SampleSet samples) {
        stat.ifPresent(it -> cores(samples, it));
        ProcFiles.number(hyperThreads).ifPresent(active -> samples.level("cpu.hyperthreads", (double) active, SLOW));
        load(samples);
        memory(samples);
        disks.sample(samples, SLOW);
        slowCounters.removeOld(samples.now());
    }

    /** Returns {@code proc/stat} of the last poll. */
    Optional<ProcStat> stat() {
        return stat;
    }

    /** Returns {@code proc/meminfo} of the last poll that read it. */
    Optional<MemInfo> memory() {
        return memory;
    }

    private void cpu(SampleSet samples, ProcStat stat) {
        cpuSampler.ofAll(stat, samples.now()).ifPresent(use -> {
            samples.ratio("cpu.machine", use.busy(), use.from(), Duration.ZERO);
            samples.ratio("cpu.system", use.system(), use.from(), Duration.ZERO);
            samples.ratio("cpu.steal", use.steal(), use.from(), Duration.ZERO);
        });
        counters.read("switches", stat.contextSwitches(), samples.now()).ifPresent(
                change -> samples.over("context.switches", change.perSecond(), change.from(), Duration.ZERO));
    }

    private void cores(SampleSet samples, ProcStat stat) {
        stat.cores().forEach((core, times) -> CpuUtilization.since(slowCounters, "core" + core, times, samples.now())
                .ifPresent(use -> samples.ratio("cpu[" + core + "]", use.busy(), use.from(), SLOW)));
    }

    private void load(SampleSet samples) {
        String text = ProcFiles.text(proc.resolve("loadavg")).orElse("");
        try {
            samples.level("load", Double.parseDouble(text.substring(0, Math.max(0, text.indexOf(' ')))), SLOW);
        } catch (NumberFormatException e) {
            samples.missing("proc/loadavg cannot be read or is no such file: no load");
        }
    }

    private void memory(SampleSet samples) {
        memory = ProcFiles.text(proc.resolve("meminfo")).flatMap(MemInfo::parse);
        memory.ifPresentOrElse(info -> {
            samples.level("memory.machine", info.used(), SLOW);
            info.swapUsed().ifPresent(used -> samples.level("swap", used, SLOW));
        }, () -> samples.missing("proc/meminfo cannot be read or is no such file: no memory and swap"));
    }

    /** Samples how busy the disks are, and how many requests wait for them. */
    private static final class DiskSampler {

        private final DeviceInventory devices;

        private final CounterDeltas counters = new CounterDeltas();

        DiskSampler(DeviceInventory devices) {
            this.devices = devices;
        }

        void sample(SampleSet samples, Duration pace) {
            double busiest = -1;
            long longest = -1;
            Instant from = samples.now();
            for (DiskStats disk : devices.disks(samples.now())) {
                if (!disk.isReal()) {
                    continue;
                }
                longest = Math.max(longest, disk.queue());
                samples.level("disk.queue[" + disk.name() + "]", (double) disk.queue(), pace);
                var busy = counters.read(disk.name(), disk.busyMillis(), samples.now());
                if (busy.isPresent()) {
                    double part = busy.get().perSecond() / 1_000;
                    busiest = Math.max(busiest, part);
                    from = busy.get().from();
                    samples.ratio("disk.busy[" + disk.name() + "]", part, from, pace);
                }
            }
            if (longest >= 0) {
                samples.level("disk.queue", (double) longest, pace);
            }
            if (busiest >= 0) {
                samples.ratio("disk.busy", busiest, from, pace);
            }
            counters.removeOld(samples.now());
        }
    }
}
