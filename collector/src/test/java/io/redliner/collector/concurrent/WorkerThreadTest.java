// SPDX-License-Identifier: Apache-2.0
package io.redliner.collector.concurrent;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import java.time.Duration;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;

class WorkerThreadTest {

    @Test
    void it_takes_turns_until_it_is_closed() {
        AtomicInteger turns = new AtomicInteger();
        WorkerThread worker = WorkerThread.start("turns", pause -> {
            turns.incrementAndGet();
            pause.take(Duration.ofMillis(1));
        });
        await().until(() -> turns.get() > 3);

        worker.close();

        assertThat(worker.isAlive()).isFalse();
        assertThat(worker.failure()).isEmpty();
    }

    @Test
    void it_says_what_it_died_of() {
        WorkerThread worker = WorkerThread.start("fails", pause -> {
            throw new IllegalStateException("on purpose");
        });

        await().until(() -> !worker.isAlive());

        assertThat(worker.failure()).get().extracting(Throwable::getMessage).isEqualTo("on purpose");
    }

    @Test
    void it_ends_at_once_even_when_it_rests() {
        WorkerThread worker = WorkerThread.start("rests", pause -> pause.take(Duration.ofHours(1)));

        await().until(() -> {
            worker.close();
            return !worker.isAlive();
        });
    }
}
