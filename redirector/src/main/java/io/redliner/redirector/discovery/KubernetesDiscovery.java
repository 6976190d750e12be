// SPDX-License-Identifier: Apache-2.0
package io.redliner.redirector.discovery;

import io.fabric8.kubernetes.client.KubernetesClient;
import io.redliner.redirector.discovery.EndpointSliceInformer.Follower;
import io.redliner.redirector.discovery.EndpointSource.Kubernetes;
import java.time.Duration;
import java.time.InstantSource;
import java.util.HashMap;
import java.util.Map;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * Follows endpoint slices. There is one client, and none before the first service needs it, and one informer for each namespace,
 * however many services are found there.
 */
final class KubernetesDiscovery implements EndpointDiscovery<Kubernetes>, AutoCloseable {

    private final Supplier<KubernetesClient> clients;

    private final Duration probeEvery;

    private final InstantSource clock;

    private final Map<String, EndpointSliceInformer> namespaces = new HashMap<>();

    private @Nullable KubernetesClient client;

    /**
     * Discovery in the cluster of this client.
     *
     * @param clients supplies the client, once
     * @param probeEvery how often each informer is checked
     */
    KubernetesDiscovery(Supplier<KubernetesClient> clients, Duration probeEvery, InstantSource clock) {
        this.clients = clients;
        this.probeEvery = probeEvery;
        this.clock = clock;
    }

    @Override
    public Class<Kubernetes> kind() {
        return Kubernetes.class;
    }

    @Override
    public synchronized Watch watch(Kubernetes source, EndpointDiscovery.Listener listener) {
        EndpointSliceInformer namespace = namespaces.computeIfAbsent(source.namespace(), name -> {
            EndpointSliceInformer fresh = new EndpointSliceInformer(name, this::client, probeEvery, clock);
            fresh.begin();
            return fresh;
        });
        Follower follower = new Follower(source, listener);
        namespace.follow(follower);
        return () -> leave(source.namespace(), namespace, follower);
    }

    private synchronized void leave(String name, EndpointSliceInformer namespace, Follower follower) {
        if (!namespace.leave(follower) && namespaces.remove(name, namespace)) {
            namespace.close();
        }
    }

    private synchronized KubernetesClient client() {
        if (client == null) {
            client = clients.get();
        }
        return client;
    }

    @Override
    public synchronized void close() {
        namespaces.values().forEach(EndpointSliceInformer::close);
        namespaces.clear();
        if (client != null) {
            client.close();
        }
    }
}
