// SPDX-License-Identifier: Apache-2.0
package io.redliner.collector.jvm;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.redliner.collector.jvm.JvmConnector.JvmConnection;
import io.redliner.collector.jvm.JvmConnector.NoJvmException;
import io.redliner.collector.source.Target;
import io.redliner.collector.windowing.GaugeMeasurement;
import io.redliner.collector.windowing.InstanceId;
import java.io.IOException;
import java.lang.management.ManagementFactory;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Proxy;
import java.time.Clock;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.AtomicInteger;
import javax.management.MBeanServer;
import javax.management.MBeanServerConnection;
import org.junit.jupiter.api.Test;

class JvmPollerTest {

    private static final Duration LOOK = Duration.ofMillis(100);

    private final AtomicInteger looked = new AtomicInteger();

    private final AtomicInteger closed = new AtomicInteger();

    private final List<GaugeMeasurement> measured = new CopyOnWriteArrayList<>();

    private volatile boolean broken;

    @Test
    void a_connection_that_broke_is_closed_though_its_listeners_cannot_be_taken_away() {
        try (JvmPoller watch = watch()) {
            await().until(() -> asked(watch).isEmpty() && !measured.isEmpty());
            broken = true;

            // The door stays shut then, so that it is this connection that is closed and no later one.
            await().until(
                    () -> asked(watch).equals(List.of("the JVM of 127.0.0.1:8080 of shop cannot be reached: shut")));
            assertThat(closed).hasValue(1);
        }
    }

    @Test
    void a_local_process_that_is_no_jvm_is_no_trouble() {
        try (JvmPoller watch = watch(() -> {
            looked.incrementAndGet();
            throw new NoJvmException();
        })) {
            await().until(() -> asked(watch).isEmpty() && looked.get() > 0);

            await().during(Duration.ofMillis(200)).until(() -> asked(watch).isEmpty() && looked.get() == 1);
        }
    }

    @Test
    void what_is_measured_is_handed_over_without_being_asked_again() {
        try (JvmPoller watch = watch()) {
            assertThat(asked(watch)).isEmpty();

            await().until(() -> !measured.isEmpty());
        }
    }

    private static List<String> asked(JvmPoller watch) {
        watch.request(LOOK);
        return watch.problems();
    }

    private JvmPoller watch() {
        return watch(this::open);
    }

    private JvmPoller watch(JvmConnector door) {
        Target target = new Target(new InstanceId("shop", "127.0.0.1:8080"), 8_080, true, Optional.empty(),
                Optional.of("local"));
        return new JvmPoller(target, door,
                new JvmProperties(true, Duration.ofSeconds(1), 2_000, Duration.ofSeconds(60), null, null),
                measured::addAll, Clock.systemUTC());
    }

    private JvmConnection open() throws IOException {
        if (broken) {
            throw new IOException("shut");
        }
        return new JvmConnection(beans(), OptionalLong.empty(), closed::incrementAndGet);
    }

    /** The own JVM's, until the connection is broken. */
    private MBeanServerConnection beans() {
        MBeanServer own = ManagementFactory.getPlatformMBeanServer();
        return (MBeanServerConnection) Proxy.newProxyInstance(getClass().getClassLoader(),
                new Class<?>[]{MBeanServerConnection.class}, (proxy, method, arguments) -> {
                    if (broken) {
                        throw new IOException("gone");
                    }
                    try {
                        return method.invoke(own, arguments);
                    } catch (InvocationTargetException e) {
                        throw e.getCause();
                    }
                });
    }
}
