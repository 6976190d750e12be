// SPDX-License-Identifier: Apache-2.0
package io.redliner.benchmarks.controller;

import io.redliner.benchmarks.process.JavaProcess;
import io.redliner.controller.ControllerApplication;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;

/** The controller itself, in a process of its own; it ends when nobody listens to it any more. */
final class ControllerProcess {

    /** The controller's own class path, beginning with this module's classes: it starts sooner and smaller than with all components. */
    private static final String CLASS_PATH = "controller.classpath";

    /** Options for a JVM that shares two cores with all the rest of a bench. */
    static final List<String> SMALL_JVM = List.of("-Xmx256m", "-XX:+UseSerialGC", "-XX:TieredStopAtLevel=1");

    private ControllerProcess() {}

    /** Runs it until its input ends, with the arguments of the application; it prints its port. */
    public static void main(String[] arguments) throws IOException {
        var application = ControllerApplication.builder().run(arguments);
        System.out.println(JavaProcess.READY + application.getEnvironment().getProperty("local.server.port"));
        while (System.in.read() >= 0) {
            // The input has no content; its end stops the process.
        }
        System.exit(0);
    }

    /**
     * Starts it.
     *
     * @param options of the JVM
     * @param port to listen on; 0 for any
     * @param settings more of them, each {@code name=value}
     */
    static JavaProcess start(List<String> options, int port, String bootstrapServers, String jdbcUrl,
            List<String> settings) throws IOException {
        String classPath = Objects.requireNonNull(System.getProperty(CLASS_PATH),
                "-D" + CLASS_PATH + " is missing, see the README");
        var arguments = new ArrayList<>(List.of("--server.port=" + port, "--redliner.kafka.bootstrap-servers="
                + bootstrapServers, "--spring.datasource.url=" + jdbcUrl,
                "--redliner.controller.safety.runs=1000000", "--redliner.controller.safety.runs-per-cluster=1000000",
                "--redliner.controller.access.requests-per-minute=100000000",
                "--logging.level.root=WARN", "--logging.threshold.console=WARN"));
        settings.forEach(setting -> arguments.add("--" + setting));
        var all = new ArrayList<>(options);
        all.add("--enable-native-access=ALL-UNNAMED");
        return JavaProcess.start(classPath, ControllerProcess.class, all, arguments.toArray(String[]::new));
    }
}
