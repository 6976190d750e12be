// SPDX-License-Identifier: Apache-2.0
package io.redliner.collector.jvm;

import java.io.IOException;
import java.time.Duration;
import java.time.Instant;
import java.util.Comparator;
import java.util.HashMap;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import javax.management.JMException;
import javax.management.ObjectName;
import javax.management.openmbean.CompositeData;

/**
 * The states of a JVM's threads, and the monitor that most of them wait for. Reading them costs some microseconds for each
 * thread, so it is not done at each poll. Virtual threads are not included: JMX does not know them.
 */
final class ThreadStates {

    private static final ObjectName THREADING = MBeanReader.name("java.lang:type=Threading");

    private static final String BLOCKED = "BLOCKED";

    /** The length to which the name of a monitor's class is cut; such names can be of any length. */
    private static final int MAX_NAME_LENGTH = 200;

    private final MBeanReader beans;

    private final JvmProperties properties;

    private Instant due = Instant.MIN;

    private Object[] threads = new Object[0];

    private String problem = "";

    ThreadStates(MBeanReader beans, JvmProperties properties) {
        this.beans = beans;
        this.properties = properties;
    }

    /** Reads the states when it is time. */
    void read(Instant now, Duration interval) throws IOException, JMException {
        threads = new Object[0];
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
            // Without their stacks: that needs no stop of the threads.
            threads = beans.call(THREADING, "getThreadInfo", new Object[]{ids, 0}, "[J", "int");
        } catch (SecurityException e) {
            // To ask about threads is to call an operation, and that takes more than the right to read.
            problem = "lets its user not ask for the states of threads: that takes readwrite access";
        }
    }

    /** Adds the states when this poll read them. */
    void report(JvmSampleSet samples, Duration interval) {
        if (threads.length > 0) {
            Duration longer = properties.threadsEvery().compareTo(interval) > 0 ? properties.threadsEvery() : interval;
            report(threads, samples, longer.plus(longer.dividedBy(2)));
        }
    }

    /** Returns why the states are not read; empty when they are. */
    Optional<String> problem() {
        return problem.isEmpty() ? Optional.empty() : Optional.of(problem);
    }

    private static void report(Object[] threads, JvmSampleSet samples, Duration hold) {
        Map<String, Integer> byState = new HashMap<>();
        Map<Monitor, Integer> byMonitor = new HashMap<>();
        for (Object thread : threads) {
            // One that ended meanwhile is null.
            if (thread instanceof CompositeData data) {
                String state = String.valueOf(data.get("threadState"));
                byState.merge(state, 1, Integer::sum);
                if (state.equals(BLOCKED) && data.get("lockInfo") instanceof CompositeData lock) {
                    byMonitor.merge(Monitor.of(lock), 1, Integer::sum);
                }
            }
        }
        samples.at("threads.blocked", byState.getOrDefault(BLOCKED, 0), hold);
        for (String state : new String[]{"RUNNABLE", "WAITING", "TIMED_WAITING"}) {
            samples.at("threads[" + state.toLowerCase(Locale.ROOT) + "]", byState.getOrDefault(state, 0), hold);
        }
        byMonitor.entrySet().stream().max(Comparator.comparing(Map.Entry::getValue)).ifPresent(
                most -> samples.at("threads.blocked[" + most.getKey().className() + "]", most.getValue(), hold));
    }

    /** One object that threads wait for. */
    private record Monitor(String className, Object identity) {

        static Monitor of(CompositeData lock) {
            String name = String.valueOf(lock.get("className"));
            return new Monitor(name.length() > MAX_NAME_LENGTH ? name.substring(0, MAX_NAME_LENGTH) : name,
                    lock.get("identityHashCode"));
        }
    }
}
