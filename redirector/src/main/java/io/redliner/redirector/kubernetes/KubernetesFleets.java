// SPDX-License-Identifier: Apache-2.0
package io.redliner.redirector.kubernetes;

import io.fabric8.kubernetes.client.KubernetesClient;
import io.redliner.redirector.directory.FleetFinder;
import io.redliner.redirector.directory.FleetListener;
import io.redliner.redirector.directory.FleetSource.Kubernetes;
import java.time.Duration;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/** Watches endpoint slices. There is one client, and none before the first service needs it. */
final class KubernetesFleets implements FleetFinder<Kubernetes>, AutoCloseable {

    private final Supplier<KubernetesClient> clients;

    private final Duration probeEvery;

    private @Nullable KubernetesClient client;

    /**
     * For clusters.
     *
     * @param clients asked once
     * @param probeEvery how often each watch learns whether it is alive
     */
    KubernetesFleets(Supplier<KubernetesClient> clients, Duration probeEvery) {
        this.clients = clients;
        this.probeEvery = probeEvery;
    }

    @Override
    public Class<Kubernetes> kind() {
        return Kubernetes.class;
    }

    @Override
    public Watch watch(Kubernetes source, FleetListener listener) {
        SliceWatch watch = new SliceWatch(source, listener, this::client, probeEvery);
        watch.begin();
        return watch;
    }

    private synchronized KubernetesClient client() {
        if (client == null) {
            client = clients.get();
        }
        return client;
    }

    @Override
    public synchronized void close() {
        if (client != null) {
            client.close();
        }
    }
}
