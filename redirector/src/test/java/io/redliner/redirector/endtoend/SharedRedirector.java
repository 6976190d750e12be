// SPDX-License-Identifier: Apache-2.0
package io.redliner.redirector.endtoend;

import io.redliner.embedded.TemporaryFolder;
import io.redliner.testkit.TestProxy;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Supplier;

/**
 * A redirector without Kafka for several tests: services and proxies come and go while it runs. A test uses a service name
 * of its own. A test that ends its redirector starts one for itself.
 */
final class SharedRedirector implements AutoCloseable {

    /** A services file must not be empty; this service is in a group that has no proxy. */
    private static final String UNUSED = """
              - name: unused
                proxies: none
                listen: "127.0.0.1:1"
                instances: ["127.0.0.1:2", "127.0.0.1:3"]
            """;

    private static final AtomicInteger NAMES = new AtomicInteger();

    private final Path folder = TemporaryFolder.create("redirector");

    private final Map<String, String> services = new LinkedHashMap<>(Map.of("unused", UNUSED));

    private final Map<String, TestProxy> proxies = new ConcurrentHashMap<>();

    private final RunningRedirector running;

    private SharedRedirector(String... properties) {
        write();
        this.running = RunningRedirector.start(file(), 0, properties);
        running.begin();
    }

    private static final class OfJvm {

        private static final SharedRedirector INSTANCE = untilTheEnd(start(
                "redliner.redirector.loop.cluster-linger=1s", "redliner.redirector.xds.refusal-pause=1s",
                "redliner.redirector.services.poll-interval=25ms"));

        private static SharedRedirector untilTheEnd(SharedRedirector started) {
            Runtime.getRuntime().addShutdownHook(Thread.ofPlatform().unstarted(started::close));
            return started;
        }
    }

    /** The one of this JVM, whose times are short. It ends with the JVM. */
    static SharedRedirector ofJvm() {
        return OfJvm.INSTANCE;
    }

    static SharedRedirector start(String... properties) {
        return new SharedRedirector(properties);
    }

    /** A service name that no other test has. */
    static String nextName() {
        return "demo-%03d".formatted(NAMES.incrementAndGet());
    }

    RunningRedirector running() {
        return running;
    }

    /** Where proxies may keep their files. */
    Path folder() {
        return folder;
    }

    /** Adds or replaces a service. */
    synchronized void put(String service, String description) {
        services.put(service, description);
        write();
    }

    /** Replaces a part of a service's description. */
    synchronized void edit(String service, String old, String replacement) {
        String text = services.getOrDefault(service, "");
        if (!text.contains(old)) {
            throw new IllegalArgumentException(old + " is not in " + text);
        }
        put(service, text.replace(old, replacement));
    }

    synchronized void remove(String service) {
        services.remove(service);
        write();
    }

    /** The proxy of a group, started when the group has none yet. */
    TestProxy proxy(String group, Supplier<TestProxy> starting) {
        return proxies.computeIfAbsent(group, first -> starting.get());
    }

    Path file() {
        return folder.resolve("services.yaml");
    }

    private void write() {
        try {
            Path next = Files.writeString(folder.resolve("services.next"),
                    "services:\n" + String.join("", services.values()));
            Files.move(next, file(), StandardCopyOption.ATOMIC_MOVE);
        } catch (IOException impossible) {
            throw new UncheckedIOException(impossible);
        }
    }

    @Override
    public void close() {
        proxies.values().forEach(TestProxy::close);
        running.close();
    }
}
