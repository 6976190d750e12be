// SPDX-License-Identifier: Apache-2.0
package io.redliner.collector.jvm;

import java.io.IOException;
import java.util.Arrays;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;
import java.util.regex.Pattern;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import javax.management.JMException;
import javax.management.openmbean.CompositeData;

/** Methods of a JVM's program that its threads are in, as one look at their stacks shows them. */
final class StackSamples {

    /** Maximum number of threads whose stacks are read at a time: the JVM stops its threads for that. */
    private static final int MAX_STACKS = 32;

    /** Frames of a stack that are read. A method of the program is mostly among them, below those of the JDK. */
    private static final int MAX_FRAMES = 12;

    /** Length from which on a class is named without its package, in characters: analyzers drop longer names. */
    private static final int MAX_NAME_LENGTH = 80;

    /** The JDK's packages: their methods say little of a program. */
    private static final Pattern JDK = Pattern.compile("(java|javax|jdk|sun|com\\.sun)\\..*");

    private final ThreadReader threadReader;

    /** Place of the next thread to read: of many, others are read each time. */
    private int next;

    StackSamples(ThreadReader threadReader) {
        this.threadReader = threadReader;
    }

    /** Reads threads of a JVM. */
    @FunctionalInterface
    interface ThreadReader {

        /**
         * Returns the threads, each as the bean's {@code ThreadInfo}; null for a thread that has ended.
         *
         * @param frames number of frames of each stack
         */
        Object[] read(long[] ids, int frames) throws IOException, JMException;
    }

    /**
     * Returns the method of the program that a thread is in; empty when it is not among the topmost frames.
     *
     * @param thread its id; below 0: none
     */
    Optional<String> methodOf(long thread) throws IOException, JMException {
        // Nothing holds a monitor that is handed on at this moment.
        Object[] read = thread < 0 ? new Object[0] : threadReader.read(new long[]{thread}, MAX_FRAMES);
        return Arrays.stream(read).flatMap(StackSamples::frames)
                .filter(frame -> !JDK.matcher(className(frame)).matches()).findFirst().map(StackSamples::method);
    }

    /**
     * Returns the method of the program that most of the threads run, with their number; empty when none runs one. A thread in a
     * native method is left out: the JVM calls it RUNNABLE, and it mostly waits for data.
     *
     * @param runnable ids of threads; of many, the next {@value #MAX_STACKS} are read at each call
     */
    Optional<Map.Entry<String, Integer>> mostRun(long[] runnable) throws IOException, JMException {
        Map<String, Integer> byMethod = new HashMap<>();
        long[] some = IntStream.range(0, Math.min(MAX_STACKS, runnable.length))
                .mapToLong(i -> runnable[(next + i) % runnable.length]).toArray();
        next = runnable.length == 0 ? 0 : (next + some.length) % runnable.length;
        for (Object thread : some.length == 0 ? new Object[0] : threadReader.read(some, MAX_FRAMES)) {
            if (frames(thread).findFirst().filter(StackSamples::isNative).isEmpty()) {
                frames(thread).filter(frame -> !JDK.matcher(className(frame)).matches()).findFirst()
                        .ifPresent(frame -> byMethod.merge(method(frame), 1, Integer::sum));
            }
        }
        return byMethod.entrySet().stream()
                .max(Map.Entry.<String, Integer>comparingByValue().thenComparing(Map.Entry.comparingByKey()));
    }

    /** Names a monitor by its class and the method that holds it; without the class's package when that is too long. */
    static String name(String monitor, Optional<String> holder) {
        String held = holder.map(method -> " held in " + method).orElse("");
        String whole = monitor + held;
        String brief = whole.length() > MAX_NAME_LENGTH ? simple(monitor) + held : whole;
        return brief.substring(0, Math.min(MAX_NAME_LENGTH, brief.length()));
    }

    private static Stream<CompositeData> frames(Object thread) {
        return thread instanceof CompositeData data && data.get("stackTrace") instanceof CompositeData[] frames
                ? Arrays.stream(frames)
                : Stream.empty();
    }

    /** Returns true for a thread in a native method, which the look without stacks already shows. */
    static boolean isInNative(CompositeData thread) {
        return Boolean.TRUE.equals(thread.get("inNative"));
    }

    private static boolean isNative(CompositeData frame) {
        return Boolean.TRUE.equals(frame.get("nativeMethod"));
    }

    private static String className(CompositeData frame) {
        return String.valueOf(frame.get("className"));
    }

    private static String method(CompositeData frame) {
        String name = simple(className(frame)) + "." + frame.get("methodName");
        return name.substring(0, Math.min(MAX_NAME_LENGTH, name.length()));
    }

    private static String simple(String className) {
        return className.substring(className.lastIndexOf('.') + 1);
    }
}
