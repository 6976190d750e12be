// SPDX-License-Identifier: Apache-2.0
package io.redliner.redirector.kubernetes;

import io.fabric8.kubernetes.api.model.discovery.v1.EndpointSlice;
import io.fabric8.kubernetes.api.model.discovery.v1.EndpointSliceList;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.KubernetesClientException;
import io.fabric8.kubernetes.client.dsl.FilterWatchListDeletable;
import io.fabric8.kubernetes.client.dsl.Resource;
import io.fabric8.kubernetes.client.informers.ResourceEventHandler;
import io.fabric8.kubernetes.client.informers.SharedIndexInformer;
import io.redliner.redirector.directory.FleetFinder;
import io.redliner.redirector.directory.FleetListener;
import io.redliner.redirector.directory.FleetSource.Kubernetes;
import java.time.Duration;
import java.util.concurrent.ScheduledThreadPoolExecutor;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Follows the endpoint slices of one Kubernetes service with an informer. An informer connects again in silence when the
 * API server is away, and does not notice a connection that is dead without a word; so a question of our own goes
 * out every few seconds to learn whether what the informer knows can still be trusted.
 */
final class SliceWatch implements FleetFinder.Watch, ResourceEventHandler<EndpointSlice> {

    private static final Logger LOGGER = LoggerFactory.getLogger(SliceWatch.class);

    private static final String SERVICE_LABEL = "kubernetes.io/service-name";

    private static final long REPORT_MILLIS = 250;

    private final Kubernetes source;

    private final FleetListener listener;

    private final Supplier<KubernetesClient> client;

    private final long probeMillis;

    private final ScheduledThreadPoolExecutor probes;

    private volatile @Nullable SharedIndexInformer<EndpointSlice> informer;

    private volatile @Nullable String trouble;

    private volatile boolean differed;

    private boolean closed;

    SliceWatch(Kubernetes source, FleetListener listener, Supplier<KubernetesClient> client,
            Duration probeEvery) {
        this.source = source;
        this.listener = listener;
        this.client = client;
        this.probeMillis = probeEvery.toMillis();
        // Two: a question that hangs must not hold up what the informer has to say.
        this.probes = new ScheduledThreadPoolExecutor(2, Thread.ofPlatform().daemon()
                .name("slices-" + source.service() + "-", 0).factory(), new ThreadPoolExecutor.DiscardPolicy());
    }

    // What comes of it is told to the listener.
    @SuppressWarnings("FutureReturnValueIgnored")
    void begin() {
        probes.scheduleWithFixedDelay(this::probe, 0, probeMillis, TimeUnit.MILLISECONDS);
        probes.scheduleWithFixedDelay(this::report, REPORT_MILLIS, REPORT_MILLIS, TimeUnit.MILLISECONDS);
    }

    private FilterWatchListDeletable<EndpointSlice, EndpointSliceList, Resource<EndpointSlice>> slices() {
        return client.get().discovery().v1().endpointSlices().inNamespace(source.namespace())
                .withLabel(SERVICE_LABEL, source.service());
    }

    /** Whatever it throws is said: an executor drops a periodic task that throws without a word. */
    private void probe() {
        try {
            Slices asked = new Slices(slices().list().getItems(), source.port());
            SharedIndexInformer<EndpointSlice> running = informer;
            if (running == null || !running.isRunning()) {
                inform();
            } else if (running.hasSynced()) {
                check(running, asked);
            }
        } catch (Throwable failed) {
            LOGGER.debug("{} cannot be asked for", source, failed);
            trouble = reason(failed);
        }
        report();
    }

    private void check(SharedIndexInformer<EndpointSlice> running, Slices asked) {
        boolean differs = !followed(running).addresses().equals(asked.addresses());
        if (differs && differed) {
            // Once may be a change on its way; twice is a connection that is dead and does not know.
            LOGGER.warn("changes of {} did not arrive, following it anew", source);
            running.close();
            inform();
        } else if (running.isWatching()) {
            trouble = null;
        } else if (trouble == null) {
            trouble = "Kubernetes does not let changes of " + name() + " be followed";
        }
        differed = differs && !differed;
    }

    private Slices followed(SharedIndexInformer<EndpointSlice> running) {
        return new Slices(running.getStore().list(), source.port());
    }

    @SuppressWarnings("FutureReturnValueIgnored")
    private void inform() {
        SharedIndexInformer<EndpointSlice> fresh = slices().runnableInformer(0);
        fresh.addEventHandler(this);
        fresh.exceptionHandler((started, failure) -> {
            LOGGER.debug("{} cannot be followed", source, failure);
            trouble = reason(failure);
            return true;
        });
        synchronized (this) {
            if (closed) {
                return;
            }
            informer = fresh;
        }
        trouble = null;
        fresh.start().whenComplete((done, failure) -> report());
    }

    private String name() {
        return "the slices of " + source.namespace() + "/" + source.service();
    }

    /** The same words for the same cause. */
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
        report();
    }

    @Override
    public void onUpdate(EndpointSlice before, EndpointSlice after) {
        report();
    }

    @Override
    public void onDelete(EndpointSlice slice, boolean unseen) {
        report();
    }

    /** Says what is known now, once all slices of the beginning are there. Also now and then, lest an event be lost. */
    private synchronized void report() {
        SharedIndexInformer<EndpointSlice> running = informer;
        String problem = trouble;
        if (closed) {
            return;
        }
        if (problem != null) {
            listener.failed(problem);
        } else if (running != null && running.hasSynced()) {
            try {
                Slices slices = followed(running);
                slices.missingPort().ifPresentOrElse(listener::failed, () -> listener.found(slices.addresses()));
            } catch (Throwable unreadable) {
                LOGGER.error("the slices of {} cannot be read", source, unreadable);
                listener.failed("its endpoint slices cannot be read: " + unreadable);
            }
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
