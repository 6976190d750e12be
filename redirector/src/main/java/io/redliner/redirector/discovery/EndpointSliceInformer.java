// SPDX-License-Identifier: Apache-2.0
package io.redliner.redirector.discovery;

import io.fabric8.kubernetes.api.model.discovery.v1.EndpointSlice;
import io.fabric8.kubernetes.api.model.discovery.v1.EndpointSliceList;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.KubernetesClientException;
import io.fabric8.kubernetes.client.dsl.FilterWatchListDeletable;
import io.fabric8.kubernetes.client.dsl.Resource;
import io.fabric8.kubernetes.client.informers.ResourceEventHandler;
import io.fabric8.kubernetes.client.informers.SharedIndexInformer;
import io.redliner.contract.retry.Backoff;
import io.redliner.redirector.discovery.EndpointSource.Kubernetes;
import io.redliner.redirector.routing.Instance;
import java.time.Duration;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Collections;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ScheduledThreadPoolExecutor;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import java.util.function.Supplier;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Follows the endpoint slices of one namespace with one informer, for all services that are found there. An informer reports
 * neither that the API server is away nor that a connection is dead. A list request every few seconds shows whether the
 * informer's store can still be trusted.
 */
final class EndpointSliceInformer implements ResourceEventHandler<EndpointSlice>, AutoCloseable {

    private static final Logger LOGGER = LoggerFactory.getLogger(EndpointSliceInformer.class);

    private static final String SERVICE_LABEL = "kubernetes.io/service-name";

    private static final long REPORT_MILLIS = 250;

    /** An API server that is away is probed this much less often, at most. */
    private static final int MAX_PROBES = 5;

    /** A subscription to one service. Compared by identity. */
    static final class Follower {

        private final Kubernetes source;

        private final EndpointDiscovery.Listener listener;

        Follower(Kubernetes source, EndpointDiscovery.Listener listener) {
            this.source = source;
            this.listener = listener;
        }
    }

    private final String namespace;

    private final Supplier<KubernetesClient> client;

    private final Duration probeEvery;

    private final Backoff backoff;

    private final ScheduledThreadPoolExecutor probes;

    private final List<Follower> followers = new ArrayList<>();

    private volatile @Nullable SharedIndexInformer<EndpointSlice> informer;

    private volatile @Nullable String lastProblem;

    /** The services whose endpoints differed at the last probe from those in the informer's store. */
    private volatile Set<Kubernetes> differed = Set.of();

    private boolean closed;

    EndpointSliceInformer(String namespace, Supplier<KubernetesClient> client, Duration probeEvery,
            InstantSource clock) {
        this.namespace = namespace;
        this.client = client;
        this.probeEvery = probeEvery;
        this.backoff = new Backoff(probeEvery, probeEvery.multipliedBy(MAX_PROBES), clock);
        // Two threads: a probe that hangs must not hold up the informer's reports.
        this.probes = new ScheduledThreadPoolExecutor(2, Thread.ofPlatform().daemon()
                .name("slices-" + namespace + "-", 0).factory(), new ThreadPoolExecutor.DiscardPolicy());
    }

    // The listeners get the result.
    @SuppressWarnings("FutureReturnValueIgnored")
    void begin() {
        probes.execute(this::probe);
        probes.scheduleWithFixedDelay(this::reportAll, REPORT_MILLIS, REPORT_MILLIS, TimeUnit.MILLISECONDS);
    }

    /** Adds a follower, which gets reports from now on. */
    synchronized void follow(Follower follower) {
        followers.add(follower);
    }

    /** Removes a follower, which gets no more reports. Returns whether another one is left. */
    synchronized boolean leave(Follower follower) {
        followers.remove(follower);
        return !followers.isEmpty();
    }

    private FilterWatchListDeletable<EndpointSlice, EndpointSliceList, Resource<EndpointSlice>> slices() {
        return client.get().discovery().v1().endpointSlices().inNamespace(namespace).withLabel(SERVICE_LABEL);
    }

    // The listeners get the result.
    @SuppressWarnings("FutureReturnValueIgnored")
    private void probe() {
        Duration pause = listed() ? probeEvery : backoff.failed();
        reportAll();
        probes.schedule(this::probe, pause.toMillis(), TimeUnit.MILLISECONDS);
    }

    /** Returns whether the API server answered. */
    private boolean listed() {
        try {
            Collection<EndpointSlice> listed = slices().list().getItems();
            SharedIndexInformer<EndpointSlice> running = informer;
            if (running == null || !running.isRunning()) {
                inform();
            } else if (running.hasSynced()) {
                check(running, listed);
            }
            backoff.succeeded();
            return true;
        } catch (Throwable failed) {
            LOGGER.debug("the slices of {} cannot be asked for", namespace, failed);
            lastProblem = reason(failed);
            return false;
        }
    }

    private void check(SharedIndexInformer<EndpointSlice> running, Collection<EndpointSlice> listed) {
        Map<Kubernetes, Set<Instance>> followed = fleets(running.getStore().list());
        Set<Kubernetes> differing = new HashSet<>(followed.keySet());
        fleets(listed).forEach((source, fleet) -> {
            if (fleet.equals(followed.get(source))) {
                differing.remove(source);
            }
        });
        boolean dead = !Collections.disjoint(differing, differed);
        if (dead) {
            // Once may be a change on its way; twice is a connection that is dead and does not know.
            LOGGER.warn("changes of the slices of {} did not arrive, following them anew", namespace);
            running.close();
            inform();
        } else if (running.isWatching()) {
            lastProblem = null;
        } else if (lastProblem == null) {
            lastProblem = "Kubernetes does not let changes of " + name() + " be followed";
        }
        differed = dead ? Set.of() : Set.copyOf(differing);
    }

    /** Returns the instances of each followed service in these slices. */
    private synchronized Map<Kubernetes, Set<Instance>> fleets(Collection<EndpointSlice> slices) {
        Map<String, List<EndpointSlice>> byService = byService(slices);
        Map<Kubernetes, Set<Instance>> fleets = new HashMap<>();
        followers.forEach(follower -> fleets.computeIfAbsent(follower.source, source -> instances(source, byService)));
        return fleets;
    }

    /** Returns the instances, or none when the slices cannot be read. {@link #notify} reports that failure to their followers. */
    private static Set<Instance> instances(Kubernetes source, Map<String, List<EndpointSlice>> byService) {
        try {
            return of(source, byService).instances();
        } catch (RuntimeException unreadable) {
            LOGGER.debug("the slices of {} cannot be read", source, unreadable);
            return Set.of();
        }
    }

    private static Map<String, List<EndpointSlice>> byService(Collection<EndpointSlice> slices) {
        Map<String, List<EndpointSlice>> byService = new HashMap<>();
        slices.forEach(slice -> byService.computeIfAbsent(service(slice), any -> new ArrayList<>()).add(slice));
        return byService;
    }

    private static EndpointSlices of(Kubernetes source, Map<String, List<EndpointSlice>> byService) {
        return new EndpointSlices(byService.getOrDefault(source.service(), List.of()), source.port());
    }

    private static String service(EndpointSlice slice) {
        Map<String, String> labels = slice.getMetadata().getLabels();
        return labels == null ? "" : labels.getOrDefault(SERVICE_LABEL, "");
    }

    @SuppressWarnings("FutureReturnValueIgnored")
    private void inform() {
        SharedIndexInformer<EndpointSlice> fresh = slices().runnableInformer(0);
        fresh.addEventHandler(this);
        fresh.exceptionHandler((started, failure) -> {
            LOGGER.debug("the slices of {} cannot be followed", namespace, failure);
            lastProblem = reason(failure);
            return true;
        });
        synchronized (this) {
            if (closed) {
                return;
            }
            informer = fresh;
        }
        lastProblem = null;
        fresh.start().whenComplete((done, failure) -> reportAll());
    }

    private String name() {
        return "the endpoint slices of namespace " + namespace;
    }

    /** Returns a reason in the same words for the same cause. */
    private String reason(Throwable failure) {
        String of = name();
        if (failure instanceof KubernetesClientException refused && refused.getCode() > 0) {
            return "Kubernetes refuses " + of + " (" + refused.getCode() + "): "
                    + (refused.getStatus() == null ? "" : refused.getStatus().getMessage());
        }
        Throwable root = failure;
        while (root.getCause() != null) {
            root = root.getCause();
        }
        return "Kubernetes cannot be asked for " + of + ": " + root;
    }

    @Override
    public void onAdd(EndpointSlice slice) {
        report(Set.of(service(slice)));
    }

    @Override
    public void onUpdate(EndpointSlice before, EndpointSlice after) {
        report(Stream.of(before, after).map(EndpointSliceInformer::service).collect(Collectors.toSet()));
    }

    @Override
    public void onDelete(EndpointSlice slice, boolean unseen) {
        report(Set.of(service(slice)));
    }

    /** Reports all services. Called at an interval, because an event may be lost, and because followers are added. */
    private void reportAll() {
        report(Set.of());
    }

    /**
     * Reports to the followers, once the informer has synced.
     *
     * @param services whose followers get a report; empty for all
     */
    private synchronized void report(Set<String> services) {
        SharedIndexInformer<EndpointSlice> running = informer;
        String problem = lastProblem;
        if (closed) {
            return;
        }
        if (problem != null) {
            followers.forEach(follower -> follower.listener.failed(problem));
        } else if (running != null && running.hasSynced()) {
            Map<String, List<EndpointSlice>> byService = byService(running.getStore().list());
            followers.stream()
                    .filter(follower -> services.isEmpty() || services.contains(follower.source.service()))
                    .forEach(follower -> notify(follower, byService));
        }
    }

    private static void notify(Follower follower, Map<String, List<EndpointSlice>> byService) {
        try {
            EndpointSlices slices = of(follower.source, byService);
            slices.missingPort().ifPresentOrElse(follower.listener::failed,
                    () -> follower.listener.found(slices.instances()));
        } catch (Throwable unreadable) {
            LOGGER.error("the slices of {} cannot be read", follower.source, unreadable);
            follower.listener.failed("its endpoint slices cannot be read: " + unreadable);
        }
    }

    @Override
    public synchronized void close() {
        closed = true;
        probes.shutdownNow();
        SharedIndexInformer<EndpointSlice> running = informer;
        if (running != null) {
            running.close();
        }
    }
}
