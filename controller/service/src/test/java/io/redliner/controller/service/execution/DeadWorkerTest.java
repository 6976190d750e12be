// SPDX-License-Identifier: Apache-2.0
package io.redliner.controller.service.execution;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.redliner.controller.core.catalog.ServiceCatalog;
import io.redliner.controller.core.port.RunRepository;
import io.redliner.controller.scene.Scene;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import org.junit.jupiter.api.Test;
import org.springframework.context.ApplicationContext;

class DeadWorkerTest {

    @Test
    void an_error_that_kills_the_driver_is_reported_and_not_healthy() {
        ApplicationContext context = Scene.shared().context();
        Thread test = Thread.currentThread();
        InstantSource broken = () -> {
            if (!Thread.currentThread().equals(test)) {
                throw new AssertionError("out of everything");
            }
            return Instant.EPOCH;
        };
        RunExecutor driver = new RunExecutor(context.getBean(ServiceCatalog.class),
                () -> new DecisionPipeline(context.getBean(RunRepository.class),
                        context.getBean(CommandDispatcher.class), context.getBean(RunMetrics.class),
                        context.getBean(RunChangeNotifier.class), new DatabaseCircuitBreaker(broken), broken),
                context.getBean(RunTakeover.class), 2, Duration.ofMillis(250), broken, new ThreadWorkerScheduler());

        driver.start();

        await().pollInSameThread().until(() -> !driver.healthy());
        assertThat(driver.failure()).contains("out of everything");
        assertThat(driver.accepting()).isFalse();
    }
}
