// SPDX-License-Identifier: Apache-2.0
package io.redliner.benchmarks.controller;

import io.redliner.benchmarks.scale.JavaProcess;
import io.redliner.controller.ControllerApplication;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Objects;
import java.util.stream.Collectors;
import java.util.stream.StreamSupport;
import org.springframework.boot.context.metrics.buffering.BufferingApplicationStartup;
import org.springframework.boot.context.metrics.buffering.StartupTimeline.TimelineEvent;

/** The controller itself, in a process of its own; it ends when nobody listens to it any more. */
final class ControllerPart {

    /** The controller's own class path, beginning with this module's classes: it starts sooner and smaller than with all rooms. */
    private static final String CLASS_PATH = "controller.classpath";

    /** Lets it say what its start spent its time on. */
    static final String TELL_STEPS = "controller.steps";

    /** Options for a JVM that shares two cores with all the rest of a bench. */
    static final List<String> SMALL_JVM = List.of("-Xmx256m", "-XX:+UseSerialGC", "-XX:TieredStopAtLevel=1");

    private static final int STEPS = 10_000;

    private static final int LONGEST = 25;

    private ControllerPart() {}

    /** Runs it until its input ends, with the arguments of the application; it says its port, and what it took how long. */
    public static void main(String[] arguments) throws IOException {
        var steps = new BufferingApplicationStartup(STEPS);
        var application = ControllerApplication.builder().applicationStartup(steps).run(arguments);
        System.out.println(JavaProcess.READY + application.getEnvironment().getProperty("local.server.port"));
        if (Boolean.getBoolean(TELL_STEPS)) {
            tell(steps.drainBufferedTimeline().getEvents());
        }
        while (System.in.read() >= 0) {
            // Nothing is said; the end of the input is what is waited for.
        }
        System.exit(0);
    }

    private static void tell(List<TimelineEvent> events) {
        var own = new HashMap<Long, Duration>();
        events.forEach(event -> own.merge(event.getStartupStep().getId(), event.getDuration(), Duration::plus));
        events.forEach(event -> own.computeIfPresent(event.getStartupStep().getParentId(),
                (parent, duration) -> duration.minus(event.getDuration())));
        System.err.println("steps that took longest, without the steps in them:");
        events.stream().sorted(Comparator.comparing((TimelineEvent event) -> own.get(event.getStartupStep().getId()))
                .reversed()).limit(LONGEST).forEach(event -> System.err.printf(Locale.ROOT, "  %5d ms  %s %s%n",
                        own.getOrDefault(event.getStartupStep().getId(), Duration.ZERO).toMillis(),
                        event.getStartupStep().getName(), tags(event)));
    }

    private static String tags(TimelineEvent event) {
        return StreamSupport.stream(event.getStartupStep().getTags().spliterator(), false)
                .map(tag -> tag.getValue()).collect(Collectors.joining(" "));
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
        return JavaProcess.start(classPath, ControllerPart.class, all, arguments.toArray(String[]::new));
    }
}
