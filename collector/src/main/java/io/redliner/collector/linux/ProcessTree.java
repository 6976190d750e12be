// SPDX-License-Identifier: Apache-2.0
package io.redliner.collector.linux;

import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.Collection;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Map;
import java.util.OptionalLong;
import java.util.Set;
import java.util.SortedSet;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;

/**
 * The parents of all processes. A prefork server's workers are descendants of the process that listens, whether they inherited its
 * socket or not.
 */
public final class ProcessTree {

    /** The index of the parent's id in {@code stat}, counted from the state. */
    private static final int PARENT = 1;

    private final Map<Long, Long> parents;

    /** The collector and its ancestors, such as the first process of the machine or the container. */
    private final Set<Long> collectors;

    /**
     * Reads the tree at most every ten seconds for all instances of the machine, and once more in a round in which the process of
     * one has changed. For one thread.
     */
    public static final class Reader {

        private static final Duration INTERVAL = Duration.ofSeconds(10);

        private final Path proc;

        private final IntervalTimer timer = new IntervalTimer();

        private ProcessTree tree = new ProcessTree(Map.of(), Set.of());

        private @Nullable Instant readAt;

        /** @param proc where the kernel's tables are, mostly {@code /proc} */
        public Reader(Path proc) {
            this.proc = proc;
        }

        /**
         * Returns the tree.
         *
         * @param now the same for all instances of a round
         * @param ofNow whether it has to be of this instant
         */
        ProcessTree read(Instant now, boolean ofNow) {
            if (timer.due(now, INTERVAL) || (ofNow && !now.equals(readAt))) {
                tree = ProcessTree.read(proc);
                readAt = now;
            }
            return tree;
        }
    }

    private ProcessTree(Map<Long, Long> parents, Set<Long> collectors) {
        this.parents = parents;
        this.collectors = collectors;
    }

    /**
     * Reads the parents of all processes that can be seen.
     *
     * @param proc where the kernel's tables are, mostly {@code /proc}
     */
    static ProcessTree read(Path proc) {
        Map<Long, Long> parents = new HashMap<>();
        try {
            for (Path process : ProcFiles.folder(proc, "[0-9]*")) {
                var fields = ProcFiles.stat(ProcFiles.text(process.resolve("stat")).orElse(""));
                var pid = ProcFiles.number(process.getFileName().toString());
                var parent = fields.size() > PARENT ? ProcFiles.number(fields.get(PARENT)) : OptionalLong.empty();
                if (pid.isPresent() && parent.isPresent()) {
                    parents.put(pid.getAsLong(), parent.getAsLong());
                }
            }
        } catch (IOException e) {
            // Without the list of processes no descendant is known.
            return new ProcessTree(Map.of(), Set.of());
        }
        String own = ProcFiles.text(proc.resolve("self/stat")).orElse("");
        Set<Long> collectors = new HashSet<>();
        OptionalLong self = ProcFiles.number(own.substring(0, Math.max(0, own.indexOf(' '))));
        for (Long pid = self.isPresent() ? self.getAsLong() : null; pid != null && collectors.add(pid);) {
            pid = parents.get(pid);
        }
        return new ProcessTree(parents, collectors);
    }

    /** Returns some processes and all their descendants. One that the collector itself descends from comes without descendants. */
    SortedSet<Long> with(Collection<Long> processes) {
        SortedSet<Long> all = new TreeSet<>(processes);
        for (Long process : parents.keySet()) {
            Set<Long> passed = new HashSet<>();
            for (Long pid = process; pid != null && passed.add(pid); pid = parents.get(pid)) {
                if (processes.contains(pid) && !collectors.contains(pid)) {
                    all.add(process);
                    break;
                }
            }
        }
        return all;
    }
}
