// SPDX-License-Identifier: Apache-2.0
package io.redliner.benchmarks.process;

import java.io.BufferedReader;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;

/** A part that has a heap and a collector of its own. It ends with this process, whatever ends that. */
public final class JavaProcess implements AutoCloseable {

    /** Begins the line that says that the part is ready. */
    public static final String READY = "READY ";

    private static final int TIMEOUT_SECONDS = 20;

    private final Process process;

    private final BufferedReader output;

    private JavaProcess(Process process) {
        this.process = process;
        this.output = process.inputReader(StandardCharsets.UTF_8);
    }

    /**
     * Starts a class with the class path of this process.
     *
     * @param options of the JVM
     */
    public static JavaProcess start(Class<?> main, List<String> options, String... arguments) throws IOException {
        var all = new ArrayList<>(options);
        all.add("--enable-native-access=ALL-UNNAMED");
        return startWithoutNativeAccess(main, all, arguments);
    }

    /**
     * The same without native access: a Netty that has it takes direct memory past the JVM's account (JDK 24 and later).
     *
     * @param options of the JVM
     */
    public static JavaProcess startWithoutNativeAccess(Class<?> main, List<String> options, String... arguments)
            throws IOException {
        return start(System.getProperty("java.class.path"), main, options, arguments);
    }

    /** The same with another class path. */
    public static JavaProcess start(String classPath, Class<?> main, List<String> options, String... arguments)
            throws IOException {
        var command = new ArrayList<String>();
        command.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
        command.addAll(options);
        command.addAll(List.of("-Dlogback.configurationFile=standalone-logback.xml", "-cp",
                classPath, main.getName()));
        command.addAll(List.of(arguments));
        return new JavaProcess(new ProcessBuilder(command).redirectError(ProcessBuilder.Redirect.INHERIT).start());
    }

    /** What the part says of itself when it is ready. */
    public String ready() throws IOException {
        for (var line = output.readLine(); line != null; line = output.readLine()) {
            if (line.startsWith(READY)) {
                // What comes afterwards is of no interest, but must be taken.
                Thread.ofVirtual().start(() -> output.lines().forEach(unused -> {}));
                return line.substring(READY.length());
            }
            System.err.println(line);
        }
        throw new IOException("The process ended before it was ready; what it said is above");
    }

    /** The process itself, for what the system knows of it. */
    public ProcessHandle handle() {
        return process.toHandle();
    }

    @Override
    public void close() throws IOException {
        process.outputWriter(StandardCharsets.UTF_8).close();
        try {
            if (!process.waitFor(TIMEOUT_SECONDS, TimeUnit.SECONDS)) {
                process.destroyForcibly();
            }
        } catch (InterruptedException e) {
            process.destroyForcibly();
            Thread.currentThread().interrupt();
        }
    }
}
