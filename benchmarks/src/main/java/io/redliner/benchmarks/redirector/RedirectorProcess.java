// SPDX-License-Identifier: Apache-2.0
package io.redliner.benchmarks.redirector;

import io.redliner.benchmarks.process.JavaProcess;
import io.redliner.redirector.RedirectorApplication;
import io.redliner.redirector.envoy.XdsServer;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import java.util.Objects;

/** The redirector itself, in a process of its own; it ends when nobody listens to it any more. */
final class RedirectorProcess {

    /**
     * The redirector's own class path, beginning with this module's classes: on the one of all rooms it would start with what
     * other rooms bring, a second later.
     */
    private static final String CLASS_PATH = "redirector.classpath";

    private RedirectorProcess() {}

    /** Runs it until its input ends, with the arguments of the application; it says its xDS port. */
    public static void main(String[] arguments) throws IOException {
        try (var application = RedirectorApplication.builder().run(arguments)) {
            System.out.println(JavaProcess.READY + application.getBean(XdsServer.class).port());
            while (System.in.read() >= 0) {
                // Nothing is said; the end of the input is what is waited for.
            }
        }
        System.exit(0);
    }

    /**
     * Starts it.
     *
     * @param options of the JVM
     * @param xdsPort to listen on; 0 for any
     */
    static JavaProcess start(List<String> options, String bootstrapServers, Path services, int xdsPort)
            throws IOException {
        String classPath = Objects.requireNonNull(System.getProperty(CLASS_PATH),
                "-D" + CLASS_PATH + " is missing, see the README");
        return JavaProcess.start(classPath, RedirectorProcess.class, options, "--server.port=0",
                "--redliner.kafka.bootstrap-servers=" + bootstrapServers,
                "--redliner.redirector.services.file=" + services,
                "--redliner.redirector.xds.port=" + xdsPort,
                "--logging.level.root=WARN", "--logging.threshold.console=WARN");
    }
}
