// SPDX-License-Identifier: Apache-2.0
package io.redliner.benchmarks.redirector;

import io.redliner.contract.Topic;
import io.redliner.contract.TopicNames;
import io.redliner.contract.v1.Lease;
import io.redliner.contract.v1.Redirect;
import java.time.Instant;
import java.time.InstantSource;
import java.util.Map;
import java.util.Objects;
import java.util.TreeMap;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import org.apache.kafka.clients.producer.KafkaProducer;
import org.apache.kafka.clients.producer.ProducerConfig;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.common.serialization.ByteArraySerializer;
import org.apache.kafka.common.serialization.StringSerializer;

/** A controller's part: leases, renewed each second. Safe for use by several threads. */
final class BenchLeasePublisher implements AutoCloseable {

    private static final long TTL_MILLIS = 5_000;

    private static final long RENEWAL_MILLIS = 1_000;

    /**
     * A lease on its way.
     *
     * @param at just before it was handed to the producer
     * @param bytes of the record's value
     */
    record Sent(Lease lease, Instant at, int bytes) {}

    private final InstantSource clock;

    private final KafkaProducer<String, byte[]> producer;

    private final ScheduledExecutorService renewals = Executors.newSingleThreadScheduledExecutor();

    /** By service. */
    private final Map<String, Lease> held = new TreeMap<>();

    private long epoch;

    private boolean renewing = true;

    // A record that does not arrive ends the wait for it.
    @SuppressWarnings("FutureReturnValueIgnored")
    BenchLeasePublisher(String bootstrapServers, InstantSource clock) {
        this.clock = clock;
        this.producer = new KafkaProducer<>(asControllersDo(bootstrapServers), new StringSerializer(),
                new ByteArraySerializer());
        renewals.scheduleAtFixedRate(this::renew, RENEWAL_MILLIS, RENEWAL_MILLIS, TimeUnit.MILLISECONDS);
    }

    /** A controller's settings, as far as latency goes. */
    static Map<String, Object> asControllersDo(String bootstrapServers) {
        return Map.of(ProducerConfig.BOOTSTRAP_SERVERS_CONFIG, bootstrapServers, ProducerConfig.ACKS_CONFIG, "all",
                ProducerConfig.LINGER_MS_CONFIG, 0);
    }

    /** The first lease of a new epoch. */
    synchronized Sent begin(String service, String sut, Redirect redirect, int ppm) {
        epoch++;
        return send(Lease.newBuilder().setService(service).setRunId("bench-" + epoch).setEpoch(epoch).setSut(sut)
                .setSharePpm(ppm).setRedirect(redirect).build());
    }

    /** Another share in the same epoch. */
    synchronized Sent change(String service, int ppm) {
        return send(lease(service).toBuilder().setSharePpm(ppm).build());
    }

    /** Gives the lease back. */
    synchronized Sent release(String service) {
        var sent = send(lease(service).toBuilder().setReleased(true).build());
        held.remove(service);
        return sent;
    }

    /** Of the service's newest lease; renewals count. */
    synchronized long sequence(String service) {
        return lease(service).getSequence();
    }

    /** Whether leases are renewed from now on; they last five seconds without. */
    synchronized void renewing(boolean on) {
        renewing = on;
    }

    private Lease lease(String service) {
        return Objects.requireNonNull(held.get(service), () -> "no lease on " + service);
    }

    private synchronized void renew() {
        if (renewing) {
            held.values().stream().toList().forEach(this::send);
        }
    }

    @SuppressWarnings("FutureReturnValueIgnored") // A record that does not arrive ends the wait for it.
    private Sent send(Lease next) {
        long now = clock.millis();
        var lease = next.toBuilder().setSequence(next.getSequence() + 1).setIssuedAtMs(now)
                .setExpiresAtMs(now + TTL_MILLIS).setTtlMs(TTL_MILLIS).build();
        held.put(lease.getService(), lease);
        byte[] value = lease.toByteArray();
        var at = clock.instant();
        producer.send(new ProducerRecord<>(TopicNames.DEFAULT.name(Topic.LEASES), lease.getService(), value));
        return new Sent(lease, at, value.length);
    }

    @Override
    public void close() {
        renewals.shutdownNow();
        producer.close();
    }
}
