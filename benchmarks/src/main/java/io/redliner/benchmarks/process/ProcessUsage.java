// SPDX-License-Identifier: Apache-2.0
package io.redliner.benchmarks.process;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.regex.Pattern;

/** What a Java process takes, by what its JVM and Linux say of it. */
public final class ProcessUsage {

    /** Lets the JVM count its native memory. */
    public static final String COUNT_NATIVE_MEMORY = "-XX:NativeMemoryTracking=summary";

    private static final int TIMEOUT_SECONDS = 60;

    private static final Pattern HEAP_USED = Pattern.compile("used (\\d+)K");

    private static final Pattern METASPACE = Pattern.compile("(?i)metaspace");

    /** Direct buffers, however they are allocated. */
    private static final Pattern DIRECT = Pattern.compile("Other \\(reserved=\\d+KB, committed=(\\d+)KB");

    private static final Pattern RESIDENT = Pattern.compile("VmRSS:\\s+(\\d+) kB");

    private static final Pattern MAX_RESIDENT = Pattern.compile("VmHWM:\\s+(\\d+) kB");

    private static final Pattern THREADS = Pattern.compile("Threads:\\s+(\\d+)");

    private final ProcessHandle process;

    /** Of this process. */
    public ProcessUsage(ProcessHandle process) {
        this.process = process;
    }

    /**
     * Memory after a full collection.
     *
     * @param heapKib in use
     * @param directKib of direct buffers
     * @param residentKib of the whole process
     * @param threads whose stacks are in that
     */
    public record Memory(long heapKib, long directKib, long residentKib, long threads) {

        /** Both together. */
        public long heapAndDirectKib() {
            return heapKib + directKib;
        }
    }

    /** Needs {@link #COUNT_NATIVE_MEMORY}. */
    public Memory memory() throws IOException, InterruptedException {
        // Twice: what the first one clears up after itself goes with the second.
        command("GC.run");
        command("GC.run");
        String status = status();
        return new Memory(number(HEAP_USED, command("GC.heap_info")),
                number(DIRECT, command("VM.native_memory", "summary")), number(RESIDENT, status),
                number(THREADS, status));
    }

    /** What it has resident now, in KiB. */
    public long residentKib() throws IOException {
        return number(RESIDENT, status());
    }

    /** The most that it ever had resident, in KiB. */
    public long mostResidentKib() throws IOException {
        return number(MAX_RESIDENT, status());
    }

    /** What a full collection leaves in the heap, in KiB. */
    public long heapAfterCollectionKib() throws IOException, InterruptedException {
        command("GC.run");
        String generations = command("GC.heap_info");
        // Some collectors say it for each generation; what is no heap comes last.
        String heap = METASPACE.splitAsStream(generations).findFirst().orElse("");
        return HEAP_USED.matcher(heap).results().mapToLong(used -> Long.parseLong(used.group(1))).sum();
    }

    private String status() throws IOException {
        return Files.readString(Path.of("/proc", Long.toString(process.pid()), "status"));
    }

    /** Processor time so far; the system counts it in steps of 10 ms. */
    public Duration cpu() {
        return process.info().totalCpuDuration().orElseThrow();
    }

    private String command(String... words) throws IOException, InterruptedException {
        var command = new ArrayList<String>();
        command.add(Path.of(System.getProperty("java.home"), "bin", "jcmd").toString());
        command.add(Long.toString(process.pid()));
        command.addAll(List.of(words));
        var jcmd = new ProcessBuilder(command).redirectErrorStream(true).start();
        String said = new String(jcmd.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
        if (!jcmd.waitFor(TIMEOUT_SECONDS, TimeUnit.SECONDS) || jcmd.exitValue() != 0) {
            throw new IOException(String.join(" ", command) + " says " + said);
        }
        return said;
    }

    private static long number(Pattern pattern, String text) throws IOException {
        var matcher = pattern.matcher(text);
        if (!matcher.find()) {
            throw new IOException("There is no " + pattern + " in " + text);
        }
        return Long.parseLong(matcher.group(1));
    }
}
