// SPDX-License-Identifier: Apache-2.0
package io.redliner.collector.host;

import io.redliner.collector.linux.CounterDeltas;
import io.redliner.collector.source.SampleSet;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * The quotas of CPU time that a process obeys: that of its control group and those of the groups around it. The process reaches
 * first the one that is used most.
 */
final class CpuQuotas {

    private final Path root;

    private final String owner;

    private final CounterDeltas counters = new CounterDeltas();

    private final Map<Path, ThrottleRatio> throttling = new HashMap<>();

    private List<Limit> limits = List.of();

    private boolean known;

    /**
     * Creates quotas that are found by the first {@link #find}.
     *
     * @param root where {@code sys} is
     * @param owner names the process in messages
     */
    CpuQuotas(Path root, String owner) {
        this.root = root;
        this.owner = owner;
    }

    /** Reads the quotas anew: they may have been changed. */
    void find(SampleSet samples, CgroupMembership membership) {
        List<Limit> found = new ArrayList<>();
        var groups = membership.groups(root, "cpu");
        known = groups.isPresent();
        if (groups.isEmpty()) {
            samples.missing("the control groups of " + owner + " cannot be seen from here: no cpu");
        } else {
            for (Path folder : groups.get().folders()) {
                var group = new CpuCgroup(groups.get().unified(), folder, accounts(folder, membership));
                double quota = group.quota();
                if (Double.isNaN(quota)) {
                    samples.missing("the CPU quota of " + owner + " in " + folder + " makes no sense: no cpu");
                    known = false;
                } else if (quota < Double.POSITIVE_INFINITY) {
                    found.add(new Limit(group, quota));
                }
            }
        }
        limits = found;
        throttling.keySet().retainAll(found.stream().map(limit -> limit.group.folder()).toList());
        counters.removeOld(samples.now());
    }

    /** Returns whether all quotas could be read, also when there is none. */
    boolean known() {
        return known;
    }

    /** Returns whether a quota is below that many cores. */
    boolean below(int cores) {
        return limits.stream().anyMatch(limit -> limit.cores < cores);
    }

    /** Samples {@code cpu.quota} and {@code cpu.throttled}, and returns how much of each quota is used. */
    List<Used> sample(SampleSet samples) {
        List<Used> used = new ArrayList<>();
        List<ThrottleRatio.Part> waited = new ArrayList<>();
        for (Limit limit : limits) {
            Path folder = limit.group.folder();
            var usage = limit.group.usage();
            if (usage.isEmpty()) {
                samples.missing("the CPU time of " + owner + " in " + folder + " cannot be read: no cpu");
                return List.of();
            }
            counters.read(folder.toString(), usage.get().nanos(), samples.now()).ifPresent(change -> used
                    .add(new Used(change.perSecond() / 1e9 / limit.cores, limit.cores, change.from())));
            throttling.computeIfAbsent(folder, path -> new ThrottleRatio()).read(usage.get(), samples.now())
                    .ifPresent(waited::add);
        }
        largest(used).ifPresent(it -> samples.ratio("cpu.quota", it.part, it.from, Duration.ZERO));
        waited.stream().max(Comparator.comparingDouble(ThrottleRatio.Part::value))
                .ifPresent(it -> samples.ratio("cpu.throttled", it.value(), it.from(), Duration.ZERO));
        return used;
    }

    static Optional<Used> largest(List<Used> used) {
        return used.stream().max(Comparator.comparingDouble(Used::part));
    }

    /** Returns the folder of the CPU time counters: with version 1 another controller counts, and may be mounted elsewhere. */
    private Path accounts(Path folder, CgroupMembership membership) {
        Path mounts = root.resolve("sys/fs/cgroup");
        String counted = membership.paths().get("cpuacct");
        return counted != null && Objects.equals(counted, membership.paths().get("cpu"))
                ? mounts.resolve("cpuacct").resolve(mounts.resolve("cpu").relativize(folder))
                : folder;
    }

    private record Limit(CpuCgroup group, double cores) {}

    /**
     * The used part of one quota.
     *
     * @param part 0 to a little above 1
     * @param cores the quota
     * @param from since when
     */
    record Used(double part, double cores, Instant from) {}

    /**
     * The part of its quota's periods in which a control group had to wait. A period is mostly 100 ms. When none ended between two
     * polls, they are merged with the next.
     */
    private static final class ThrottleRatio {

        /** After this time without a period, the group did not want to run. */
        private static final Duration ASLEEP = Duration.ofSeconds(1);

        private CpuCgroup.@Nullable Usage baseUsage;

        private Instant at = Instant.MIN;

        /** Returns the part, with the start of its time; empty when there is none yet. */
        Optional<Part> read(CpuCgroup.Usage now, Instant time) {
            if (baseUsage == null || now.periods() < baseUsage.periods() || now.throttled() < baseUsage.throttled()
                    || !at.isBefore(time)) {
                begin(now, time);
                return Optional.empty();
            }
            long periods = now.periods() - baseUsage.periods();
            if (periods == 0 && time.isBefore(at.plus(ASLEEP))) {
                return Optional.empty();
            }
            var part = new Part(periods == 0 ? 0 : (double) (now.throttled() - baseUsage.throttled()) / periods, at);
            begin(now, time);
            return Optional.of(part);
        }

        private void begin(CpuCgroup.Usage now, Instant time) {
            baseUsage = now;
            at = time;
        }

        /** A part between 0 and 1, since {@code from}. */
        record Part(double value, Instant from) {}
    }
}
