// SPDX-License-Identifier: Apache-2.0
package io.redliner.controller.scene;

import io.redliner.contract.Topic;
import io.redliner.controller.core.port.WorkerScheduler;
import io.redliner.controller.service.kafka.InMemoryBus;
import io.redliner.testkit.TestBroker;
import java.time.Duration;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/** Carries the records of one played data plane. */
interface DataPlaneLink {

    void send(Topic topic, byte @Nullable [] value);

    void close() throws InterruptedException;

    /** Over the in-memory bus, in virtual time. */
    static DataPlaneLink inVirtualTime(InMemoryBus bus, VirtualTime time, FakeDataPlane plane) {
        InMemoryBus.Reader reader = (topic, service, value) -> {
            if (plane.accepts(service)) {
                plane.take(topic, value);
            }
        };
        bus.subscribe(reader);
        WorkerScheduler.Worker worker = time.ticker().repeat("fake-data-plane",
                Duration.ofMillis(FakeDataPlane.WINDOW_MS / 2),
                plane::tick);
        worker.start();
        return new DataPlaneLink() {

            @Override
            public void send(Topic topic, byte @Nullable [] value) {
                bus.send(topic, Objects.requireNonNull(value));
            }

            @Override
            public void close() throws InterruptedException {
                bus.unsubscribe(reader);
                worker.stop(Duration.ZERO);
            }
        };
    }

    /** Over real Kafka, in the machine's time. */
    static DataPlaneLink overKafka(TestBroker broker, FakeDataPlane plane) {
        return new KafkaDataPlaneLink(broker, plane);
    }
}
