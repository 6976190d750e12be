// SPDX-License-Identifier: Apache-2.0
package io.redliner.collector.jvm;

import java.io.IOException;
import java.time.Duration;
import java.time.Instant;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;
import javax.management.JMException;
import javax.management.ObjectName;
import javax.management.openmbean.CompositeData;

/**
 * The states of a JVM's threads, the monitor that most of them wait for with the method that holds it, and the method that most of
 * them run. Reading them costs some microseconds for each thread, so it is not done at each poll. Virtual threads are not included:
 * JMX does not know them.
 */
final class ThreadStates {

    private static final ObjectName THREADING = MBeanReader.name("java.lang:type=Threading");

    private static final String BLOCKED = "BLOCKED";

    private static final String RUNNABLE = "RUNNABLE";

    private final MBeanReader beans;

    private final JvmProperties properties;

    private Instant due = Instant.MIN;

    private final StackSamples stackSamples;

    /** Number of threads by state. */
    private Map<String, Integer> byState = Map.of();

    /** Number of threads by what they wait for or run, each the gauge's name. */
    private final Map<String, Integer> byFrame = new HashMap<>();

    /** Names in the look before: without a value in the next they would be held on beside the new ones. */
    private Set<String> named = Set.of();

    private String problem = "";

    ThreadStates(MBeanReader beans, JvmProperties properties) {
        this.beans = beans;
        this.properties = properties;
        stackSamples = new StackSamples(this::threads);
    }

    /** Reads the states when it is time. */
    void read(Instant now, Duration interval) throws IOException, JMException {
        byState = Map.of();
        byFrame.clear();
        if (properties.maxThreads() == 0 || now.isBefore(due)) {
            return;
        }
        due = now.plus(properties.threadsEvery()).minus(interval.dividedBy(2));
        long[] ids = beans.read(THREADING, "AllThreadIds").get("AllThreadIds") instanceof long[] all
                ? all
                : new long[0];
        problem = ids.length > properties.maxThreads()
                ? "has more than " + properties.maxThreads()
                        + " threads: their states are not read (redliner.collector.jvm.max-threads)"
                : "";
        if (problem.isEmpty()) {
            read(ids);
        }
    }

    private void read(long[] ids) throws IOException, JMException {
        try {
            // Without their stacks: that needs no stop of the threads. One that ended meanwhile is null.
            List<CompositeData> threads = Arrays.stream(threads(ids, 0)).filter(CompositeData.class::isInstance)
                    .map(CompositeData.class::cast).toList();
            byState = threads.stream().collect(
                    Collectors.toMap(ThreadStates::state, thread -> 1, Integer::sum));
            readWaiting(threads);
            stackSamples.mostRun(threads.stream()
                    .filter(thread -> state(thread).equals(RUNNABLE) && !StackSamples.isInNative(thread))
                    .mapToLong(thread -> (Long) thread.get("threadId")).toArray())
                    .ifPresent(most -> byFrame.put("threads.runnable[" + most.getKey() + "]", most.getValue()));
        } catch (SecurityException e) {
            // To ask about threads is to call an operation, and that takes more than the right to read.
            problem = "lets its user not ask for the states of threads: that takes readwrite access";
        }
    }

    private Object[] threads(long[] ids, int frames) throws IOException, JMException {
        return beans.call(THREADING, "getThreadInfo", new Object[]{ids, frames}, "[J", "int");
    }

    private static String state(CompositeData thread) {
        return String.valueOf(thread.get("threadState"));
    }

    /** Reads which method holds the monitor that most threads wait for. */
    private void readWaiting(List<CompositeData> threads) throws IOException, JMException {
        Map<Monitor, Integer> byMonitor = new HashMap<>();
        threads.stream().filter(thread -> state(thread).equals(BLOCKED)).forEach(
                thread -> Monitor.of(thread).ifPresent(monitor -> byMonitor.merge(monitor, 1, Integer::sum)));
        Optional<Map.Entry<Monitor, Integer>> most = byMonitor.entrySet().stream().max(Map.Entry.comparingByValue());
        if (most.isPresent()) {
            Monitor monitor = most.get().getKey();
            byFrame.put("threads.blocked["
                    + StackSamples.name(monitor.className(), stackSamples.methodOf(monitor.owner())) + "]",
                    most.get().getValue());
        }
    }

    /** Adds the states when this poll read them. */
    void report(JvmSampleSet samples, Duration interval) {
        if (byState.isEmpty()) {
            return;
        }
        Duration longer = properties.threadsEvery().compareTo(interval) > 0 ? properties.threadsEvery() : interval;
        Duration hold = longer.plus(longer.dividedBy(2));
        samples.at("threads.blocked", byState.getOrDefault(BLOCKED, 0), hold);
        for (String state : new String[]{RUNNABLE, "WAITING", "TIMED_WAITING"}) {
            samples.at("threads[" + state.toLowerCase(Locale.ROOT) + "]", byState.getOrDefault(state, 0), hold);
        }
        named.stream().filter(name -> !byFrame.containsKey(name)).forEach(name -> samples.at(name, 0, hold));
        byFrame.forEach((name, count) -> samples.at(name, count, hold));
        named = Set.copyOf(byFrame.keySet());
    }

    /** Returns why the states are not read; empty when they are. */
    Optional<String> problem() {
        return problem.isEmpty() ? Optional.empty() : Optional.of(problem);
    }

    /**
     * One object that threads wait for.
     *
     * @param owner thread that holds it; below 0: none at this moment
     */
    private record Monitor(String className, Object identity, long owner) {

        static Optional<Monitor> of(CompositeData thread) {
            return thread.get("lockInfo") instanceof CompositeData lock
                    && thread.get("lockOwnerId") instanceof Long owner
                            ? Optional
                                    .of(new Monitor(String.valueOf(lock.get("className")), lock.get("identityHashCode"),
                                            owner))
                            : Optional.empty();
        }
    }
}
