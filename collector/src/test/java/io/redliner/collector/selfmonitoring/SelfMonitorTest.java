// SPDX-License-Identifier: Apache-2.0
package io.redliner.collector.selfmonitoring;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import com.sun.management.OperatingSystemMXBean;
import io.redliner.collector.source.MetricSource.SourceHealth;
import io.redliner.collector.windowing.DegradationReason;
import io.redliner.collector.windowing.RequestRecordStream;
import io.redliner.collector.windowing.Requests;
import io.redliner.collector.windowing.TestedWindows;
import io.redliner.collector.windowing.WindowAggregator;
import io.redliner.collector.windowing.WindowCounts;
import io.redliner.collector.windowing.WindowSettings;
import java.lang.management.ManagementFactory;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.Executor;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.Test;

class SelfMonitorTest {

    private final WindowAggregator windows = TestedWindows.of(WindowSettings.DEFAULT);

    private final RequestRecordStream stream = windows.open("shop", "node-1", Clock.systemUTC().instant());

    private final AtomicReference<Duration> leap = new AtomicReference<>(Duration.ZERO);

    private final InstantSource clock = () -> Clock.systemUTC().instant().plus(leap.get());

    private final List<WindowCounts> sealed = new ArrayList<>();

    @Test
    void what_it_finds_is_said_in_the_windows_of_every_instance() {
        try (SelfMonitor watch = watch(1, List.of())) {
            await().untilAsserted(() -> assertThat(seal()).anySatisfy(window -> assertThat(window.gauges())
                    .containsKeys("collector.lag", "collector.cpu", "collector.steal", "collector.stalled")));
            assertThat(watch.health().state()).isEqualTo(SourceHealth.State.WORKING);
        }
    }

    @Test
    void a_thread_that_is_busy_for_too_long_marks_the_windows_while_it_is_so() {
        ExecutorService loop = Executors.newSingleThreadExecutor();
        CountDownLatch busy = new CountDownLatch(1);
        try (SelfMonitor watch = watch(1, List.of(loop))) {
            loop.execute(() -> await().forever().until(() -> busy.getCount() == 0));

            await().untilAsserted(() -> assertThat(seal())
                    .anySatisfy(window -> assertThat(window.impairments()).contains(DegradationReason.LAG)));
            assertThat(watch.health().details()).hasEntrySatisfying("marks",
                    marks -> assertThat((Long) marks).isPositive());
        } finally {
            busy.countDown();
            loop.shutdown();
        }
    }

    @Test
    void a_process_that_stood_still_marks_the_windows_of_that_time() {
        try (SelfMonitor watch = watch(1, List.of())) {
            await().until(() -> !seal().isEmpty());
            Instant before = clock.instant();
            leap.set(Duration.ofSeconds(3));

            await().untilAsserted(() -> assertThat(seal()).filteredOn(window -> !window.start().isBefore(before)
                    && window.start().isBefore(before.plusSeconds(2))).isNotEmpty().allSatisfy(
                            window -> assertThat(window.impairments()).contains(DegradationReason.PAUSE)));
            assertThat(watch.health().state()).isEqualTo(SourceHealth.State.WORKING);
        }
    }

    @Test
    void using_more_cpu_than_it_should_marks_the_windows() {
        try (SelfMonitor watch = watch(1e-9, List.of())) {
            await().untilAsserted(() -> assertThat(seal())
                    .anySatisfy(window -> assertThat(window.impairments()).contains(DegradationReason.CPU)));
            assertThat(watch.name()).isEqualTo("self");
        }
    }

    private SelfMonitor watch(double cpu, List<Executor> loops) {
        return SelfMonitor.start(new SelfMonitoringProperties(Duration.ofMillis(20), Duration.ofMillis(500), cpu),
                loops, windows,
                ManagementFactory.getPlatformMXBean(OperatingSystemMXBean.class),
                now -> Map.of("collector.steal", 0.25), clock, System::nanoTime);
    }

    /** All windows of an instance that a proxy reports all the time. */
    private List<WindowCounts> seal() {
        Instant now = clock.instant();
        windows.accept(stream, List.of(Requests.ended("", "10.0.0.1:80", now, Duration.ofMillis(1), null)), now);
        sealed.addAll(windows.closeDue(now));
        return sealed;
    }
}
