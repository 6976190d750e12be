// SPDX-License-Identifier: Apache-2.0
package io.redliner.acceptance;

import io.redliner.standalone.stack.StackComponent;
import io.redliner.standalone.stack.StandaloneStack;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.Map;
import java.util.Objects;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.extension.AfterEachCallback;
import org.junit.jupiter.api.extension.BeforeEachCallback;
import org.junit.jupiter.api.extension.ExtensionContext;
import org.junit.jupiter.api.extension.ExtensionContext.Namespace;

/**
 * A stack that many test classes share: the first test that needs it starts it, and it stops after the last test of the JVM. Each
 * test brings services of its own, which leave with it.
 */
final class SharedStack implements BeforeEachCallback, AfterEachCallback {

    /** Time to live of the leases on the stack for faults: the default, as a setting, so that the tests assert what they set. */
    static final Duration LEASE = Duration.ofSeconds(5);

    /** A search that ends soon, with a wider interval than the defaults give, and that does not look at the peers. */
    private static final Map<String, String> STEADY = RelaxedTimes.and(Map.of(
            "redliner.analyzer.search.baseline", "3s", "redliner.analyzer.search.dwell", "2s",
            "redliner.analyzer.search.least-ride", "4s", "redliner.analyzer.search.longest-ride", "7s",
            "redliner.analyzer.search.watching", "0s",
            // Off unless they are asked for, or too seldom to be waited for; MetricNamesTest looks for their metrics.
            "redliner.collector.scrape.enabled", "true", "redliner.collector.otlp.enabled", "true",
            "redliner.collector.otlp.port", "0", "redliner.controller.retention.every", "1s"));

    /** What a search finds does not matter to the tests of faults. A run that goes on to its end is over soon. */
    static final Map<String, String> FAULT_SETTINGS = Map.of("redliner.analyzer.search.settling", "500ms",
            "redliner.analyzer.search.baseline", "2s", "redliner.analyzer.search.dwell", "1s",
            "redliner.analyzer.search.least-ride", "15s", "redliner.analyzer.search.longest-ride", "40s",
            "redliner.analyzer.search.watching", "0s",
            "redliner.controller.driver.lease-ttl", LEASE.toMillis() + "ms");

    /** Order of the class that takes longest: the others run beside it. */
    static final int MAX_FIRST = 1;

    private final String key;

    private final Map<String, String> settings;

    private final Deque<OwnService> services = new ArrayDeque<>();

    private @Nullable LiveStack running;

    private SharedStack(String key, Map<String, String> settings) {
        this.key = key;
        this.settings = settings;
    }

    /** For tests that leave the stack as it is: they run beside each other. */
    static SharedStack steady() {
        return new SharedStack("the steady stack", STEADY);
    }

    /** For tests that stop components of the stack, and start them again: one after the other. */
    static SharedStack forFaults() {
        return new SharedStack("the stack for faults", FAULT_SETTINGS);
    }

    @Override
    public void beforeEach(ExtensionContext test) {
        running = test.getRoot().getStore(Namespace.create(SharedStack.class)).computeIfAbsent(key, any -> start(),
                LiveStack.class);
    }

    private LiveStack start() {
        try {
            return new LiveStack(settings);
        } catch (IOException e) {
            throw new UncheckedIOException("Cannot start " + key, e);
        }
    }

    /** Has the proxy serve a service until the test is over, and waits until the controller can test it. */
    OwnService serve(OwnService service) {
        services.push(service);
        running().serve(service);
        service.awaitReady(controller());
        return service;
    }

    /** The same with a service that a test ramps. */
    LiveService serve(LiveService live) {
        serve(live.service());
        return live;
    }

    /** Does something while a component of the stack is stopped, and starts it again. */
    void without(StackComponent component, Runnable test) {
        stack().stop(component);
        try {
            test.run();
        } finally {
            stack().start(component);
        }
    }

    private LiveStack running() {
        return Objects.requireNonNull(running, "no test is running");
    }

    StandaloneStack stack() {
        return running().stack();
    }

    StackFolder folder() {
        return running().folder();
    }

    ApiClient controller() {
        return running().controller();
    }

    @Override
    public void afterEach(ExtensionContext test) {
        while (!services.isEmpty()) {
            OwnService service = services.pop();
            running().dismiss(service);
            service.close();
        }
    }
}
