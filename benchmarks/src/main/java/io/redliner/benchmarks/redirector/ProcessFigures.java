// SPDX-License-Identifier: Apache-2.0
package io.redliner.benchmarks.redirector;

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
final class ProcessFigures {

    /** Lets the JVM count its native memory. */
    static final String COUNT_NATIVE_MEMORY = "-XX:NativeMemoryTracking=summary";

    private static final int PATIENCE_SECONDS = 60;

    private static final Pattern HEAP_USED = Pattern.compile("used (\\d+)K");

    /** Direct buffers, however they are allocated. */
    private static final Pattern DIRECT = Pattern.compile("Other \\(reserved=\\d+KB, committed=(\\d+)KB");

    private static final Pattern RESIDENT = Pattern.compile("VmRSS:\\s+(\\d+) kB");

    private static final Pattern THREADS = Pattern.compile("Threads:\\s+(\\d+)");

    private final ProcessHandle process;

    ProcessFigures(ProcessHandle process) {
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
    record Memory(long heapKib, long directKib, long residentKib, long threads) {

        long heapAndDirectKib() {
            return heapKib + directKib;
        }
    }

    Memory memory() throws IOException, InterruptedException {
        // Twice: what the first one clears up after itself goes with the second.
        command("GC.run");
        command("GC.run");
        String status = Files.readString(Path.of("/proc", Long.toString(process.pid()), "status"));
        return new Memory(number(HEAP_USED, command("GC.heap_info")),
                number(DIRECT, command("VM.native_memory", "summary")), number(RESIDENT, status),
                number(THREADS, status));
    }

    /** Processor time so far; the system counts it in steps of 10 ms. */
    Duration cpu() {
        return process.info().totalCpuDuration().orElseThrow();
    }

    private String command(String... words) throws IOException, InterruptedException {
        var command = new ArrayList<String>();
        command.add(Path.of(System.getProperty("java.home"), "bin", "jcmd").toString());
        command.add(Long.toString(process.pid()));
        command.addAll(List.of(words));
        var jcmd = new ProcessBuilder(command).redirectErrorStream(true).start();
        String said = new String(jcmd.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
        if (!jcmd.waitFor(PATIENCE_SECONDS, TimeUnit.SECONDS) || jcmd.exitValue() != 0) {
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
