// SPDX-License-Identifier: Apache-2.0
package io.redliner.collector.host;

import io.redliner.collector.source.Target;
import io.redliner.collector.windowing.InstanceId;
import java.io.BufferedReader;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/** A {@link Spinner} as a process of its own. */
final class SpinnerProcess implements AutoCloseable {

    private static final double NANOS = 1e9;

    private final Process process;

    private final BufferedReader output;

    private final int port;

    /** @param groups the folders of the control groups that it is put into before it begins */
    SpinnerProcess(int percent, int memory, Path... groups) throws IOException {
        List<String> command = new ArrayList<>(List.of("sh", "-c",
                "for group in \"$@\"; do echo $$ > \"$group/cgroup.procs\" || exit 9; done; exec \"$JAVA\" "
                        + "-XX:+UseSerialGC -XX:TieredStopAtLevel=1 -Xmx512m -cp \"$CLASSES\" "
                        + Spinner.class.getName()
                        + " " + percent + " " + memory,
                "spinner"));
        for (Path group : groups) {
            command.add(group.toString());
        }
        ProcessBuilder builder = new ProcessBuilder(command).redirectError(ProcessBuilder.Redirect.INHERIT);
        builder.environment().put("JAVA", Path.of(System.getProperty("java.home"), "bin", "java").toString());
        builder.environment().put("CLASSES", classes());
        process = builder.start();
        output = process.inputReader();
        port = Integer.parseInt(line());
    }

    Target target() {
        return new Target(new InstanceId("shop", "127.0.0.1:" + port), port, true, Optional.empty(), Optional.empty());
    }

    /** CPU seconds that the thread that spins has used. */
    double spun() throws IOException {
        process.outputWriter().write('\n');
        process.outputWriter().flush();
        return Long.parseLong(line()) / NANOS;
    }

    @Override
    public void close() {
        process.destroyForcibly();
        process.onExit().join();
    }

    private String line() throws IOException {
        String line = output.readLine();
        if (line == null) {
            throw new IOException("the spinner has ended");
        }
        return line;
    }

    private static String classes() {
        return Path.of(Spinner.class.getProtectionDomain().getCodeSource().getLocation().getPath()).toString();
    }
}
