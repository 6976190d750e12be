// SPDX-License-Identifier: Apache-2.0
package io.redliner.acceptance;

import io.redliner.analyzer.search.SearchSettings;
import io.redliner.embedded.EnvoyBinary;
import io.redliner.standalone.demo.ControllerClient;
import io.redliner.standalone.demo.InstanceModel;
import io.redliner.standalone.stack.DataFolder;
import io.redliner.standalone.stack.Room;
import io.redliner.standalone.stack.Stack;
import io.redliner.standalone.stack.StackSettings;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.extension.BeforeAllCallback;
import org.junit.jupiter.api.extension.ExtensionContext.Namespace;
import org.junit.jupiter.api.extension.ExtensionContext;

/**
 * One stack for all tests of a JVM that destroy nothing in it. Each class has a service of its own behind the proxy. The
 * service's users send requests from {@code startUsers} to {@code stopUsers}. The search is a short one.
 *
 * <p>The instances' service times and the latency limits are large against the pauses of a busy machine.
 */
final class SharedStack implements BeforeAllCallback {

    /** Of the latency, on all services but the demo's. */
    static final Duration LIMIT = Duration.ofSeconds(1);

    /** The capacity that {@link CapacityRunTest} measures is the one of the first instance. */
    static final InstanceModel MEASURED = new InstanceModel(24, Duration.ofMillis(150), 0.4, 400);

    private static final InstanceModel SMALL = new InstanceModel(8, Duration.ofMillis(150), 0.4, 400);

    private static final InstanceModel LARGE = new InstanceModel(48, Duration.ofMillis(150), 0.4, 400);

    private static final Duration SETTLING = Duration.ofMillis(500);

    private static final Duration BASELINE = Duration.ofSeconds(2);

    private static final Duration DWELL = Duration.ofSeconds(1);

    private static final Duration LEAST_RIDE = Duration.ofSeconds(15);

    private static final Duration LONGEST_RIDE = Duration.ofSeconds(40);

    /** As the analyzer of the stack searches. */
    static final SearchSettings SEARCH = SearchSettings.defaults().with(SETTLING, BASELINE, DWELL, LEAST_RIDE,
            LONGEST_RIDE);

    private @Nullable Running running;

    @Override
    public void beforeAll(ExtensionContext test) {
        running = test.getRoot().getStore(Namespace.create(SharedStack.class)).computeIfAbsent(Running.class,
                key -> Running.start(), Running.class);
    }

    private Running running() {
        return Objects.requireNonNull(running, "no test is running");
    }

    Stack stack() {
        return running().stack;
    }

    ControllerClient controller() {
        return running().controller;
    }

    /** The demo's service. Its limit and its service times are the demo's. */
    LiveService demo() {
        return running().demo;
    }

    /** The first of its four instances has half the workers of the others. */
    OwnService measured() {
        return running().measured;
    }

    /** The first of its four instances has a sixth of the workers of the others. */
    OwnService gated() {
        return running().gated;
    }

    /** Four equal instances. */
    OwnService capped() {
        return running().capped;
    }

    /** What the analyzer has been told since the start. */
    Recording recording() {
        return running().recording;
    }

    /** Starts a room again after {@link Stack#stop}. */
    void start(Room room) {
        running().withSettings(() -> stack().start(room));
    }

    /** What runs from the first class to the last. */
    private static final class Running implements AutoCloseable {

        private final OwnService measured = service("measured", 360, MEASURED);

        private final OwnService gated = service("gated", 130, SMALL);

        private final OwnService capped = service("capped", 200, LARGE);

        private final LiveService demo = LiveService.withoutUsers(List.of(measured, gated, capped));

        private final DataFolder data = DataFolder.hold(demo.dataFolder());

        private final Path tapes = demo.dataFolder().resolve("tapes");

        private final Recording recording = new Recording(tapes);

        private final Stack stack = new Stack(
                new StackSettings(data, demo.servicesFile(), 0, EnvoyBinary.locate()));

        private final ControllerClient controller;

        private Running() throws IOException {
            withSettings(stack::start);
            controller = new ControllerClient(stack.dashboard());
        }

        static Running start() {
            try {
                return new Running();
            } catch (IOException e) {
                throw new UncheckedIOException("Cannot start the shared stack", e);
            }
        }

        private static OwnService service(String name, double requestsPerSecond, InstanceModel first) {
            OwnService.Member other = new OwnService.Member(LARGE, 1);
            return OwnService.withoutUsers(name, requestsPerSecond,
                    List.of(new OwnService.Member(first, 1), other, other, other));
        }

        /** The settings are properties of this JVM only while a room starts: stacks of other classes have their own. */
        private void withSettings(Runnable starting) {
            Map<String, String> settings = settings();
            settings.forEach(System::setProperty);
            try {
                starting.run();
            } finally {
                settings.keySet().forEach(System::clearProperty);
            }
        }

        private Map<String, String> settings() {
            Map<String, String> settings = new HashMap<>(
                    Map.of("redliner.analyzer.search.settling", SETTLING.toString(),
                            "redliner.analyzer.search.baseline", BASELINE.toString(), "redliner.analyzer.search.dwell",
                            DWELL.toString(), "redliner.analyzer.search.least-ride", LEAST_RIDE.toString(),
                            "redliner.analyzer.search.longest-ride", LONGEST_RIDE.toString()));
            settings.putAll(MetricNamesTest.SETTINGS);
            settings.put(Recording.PROPERTY, tapes.toString());
            return settings;
        }

        @Override
        public void close() throws IOException {
            controller.close();
            stack.close();
            data.close();
            List.of(measured, gated, capped).forEach(OwnService::close);
            demo.close();
        }
    }
}
