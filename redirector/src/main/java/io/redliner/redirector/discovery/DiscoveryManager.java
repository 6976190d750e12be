// SPDX-License-Identifier: Apache-2.0
package io.redliner.redirector.discovery;

import io.redliner.redirector.routing.Instance;
import io.redliner.redirector.routing.RoutedServices;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Future;
import java.util.concurrent.ScheduledThreadPoolExecutor;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import java.util.function.UnaryOperator;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The one thread that the {@link DiscoveryState} changes on. Starts and ends the watches that definitions ask for, and hands
 * each change of the services to the {@link RoutedServicesListener}.
 */
public final class DiscoveryManager implements ServiceDefinitions.Listener, AutoCloseable {

    private static final Logger LOGGER = LoggerFactory.getLogger(DiscoveryManager.class);

    private static final long RETRY_SECONDS = 1;

    private final RoutedServicesListener servicesListener;

    private final EndpointSubscriptions subscriptions;

    private final ScheduledThreadPoolExecutor thread;

    private RoutedServices reportedServices;

    private Future<?> retry = CompletableFuture.completedFuture(null);

    private volatile DiscoveryState state;

    private volatile @Nullable Throwable failure;

    DiscoveryManager(ServiceDefinitions definitions, RoutedServicesListener servicesListener,
            List<EndpointDiscovery<?>> finders) {
        this.servicesListener = servicesListener;
        this.subscriptions = new EndpointSubscriptions(finders, this::listener);
        this.state = DiscoveryState.of(definitions);
        this.reportedServices = state.routedServices();
        this.thread = new ScheduledThreadPoolExecutor(1, Thread.ofPlatform().daemon().name("service-directory")
                .factory(), new ThreadPoolExecutor.DiscardPolicy());
    }

    /** Begins to watch. */
    void begin() {
        thread.execute(this::settle);
    }

    @Override
    public void defined(ServiceDefinitions definitions) {
        change(known -> known.defined(definitions));
    }

    @Override
    public void definitionsRejected(String reason) {
        change(known -> known.withRejectedDefinitions(reason));
    }

    private EndpointDiscovery.Listener listener(String service, EndpointSource source) {
        return new EndpointDiscovery.Listener() {

            @Override
            public void found(Collection<Instance> instances) {
                List<Instance> now = List.copyOf(instances);
                change(known -> known.found(service, source, now));
            }

            @Override
            public void failed(String reason) {
                change(known -> known.failed(service, source, reason));
            }
        };
    }

    private void change(UnaryOperator<DiscoveryState> change) {
        thread.execute(() -> runOnce(change));
    }

    // Sources answer often, and mostly the same: then the state is the same object.
    @SuppressWarnings("ReferenceEquality")
    private void runOnce(UnaryOperator<DiscoveryState> change) {
        DiscoveryState before = state;
        DiscoveryState after = change.apply(before);
        if (after != before) {
            state = after;
            logProblems(before.problems());
            settle();
        }
    }

    /**
     * Updates the subscriptions and passes the services on. A failure shows in health and is retried, because nothing else
     * would retry it.
     */
    private void settle() {
        try {
            subscriptions.follow(state.definitions());
            publish(state.routedServices());
            failure = null;
        } catch (Throwable broken) {
            failure = broken;
            LOGGER.error("services and fleets could not be handed on", broken);
            retry.cancel(false);
            retry = thread.schedule(this::settle, RETRY_SECONDS, TimeUnit.SECONDS);
        }
    }

    private void publish(RoutedServices services) {
        if (!services.equals(reportedServices)) {
            servicesListener.replaced(services);
            reportedServices = services;
            LOGGER.info("the services are now {}", services.services().stream()
                    .map(service -> service.name() + " (" + service.instances().size() + " instances)").toList());
        }
    }

    private void logProblems(Map<String, String> before) {
        Map<String, String> after = state.problems();
        after.forEach((endpoints, reason) -> {
            if (!reason.equals(before.get(endpoints))) {
                LOGGER.warn("{}: {}", endpoints, reason);
            }
        });
        before.keySet().stream().filter(endpoints -> !after.containsKey(endpoints))
                .forEach(endpoints -> LOGGER.info("{}: no complaint any more", endpoints));
    }

    /** Returns the reason of each problem, by service or by part; empty when there is none. */
    Map<String, String> problems() {
        Map<String, String> problems = new TreeMap<>(state.problems());
        Throwable broken = failure;
        if (broken != null) {
            problems.put("service directory", "services and fleets could not be handed on: " + broken);
        }
        return problems;
    }

    @Override
    public void close() {
        thread.execute(subscriptions::close);
        thread.shutdown();
        try {
            if (!thread.awaitTermination(2, TimeUnit.SECONDS)) {
                LOGGER.warn("the watches of the fleets are still being ended");
                thread.shutdownNow();
            }
        } catch (InterruptedException interrupted) {
            Thread.currentThread().interrupt();
        }
    }

    /** Receives changes of services and of their instances. Called from any thread, one call after the other. */
    public interface RoutedServicesListener {

        /** Replaces all services. */
        void replaced(RoutedServices services);
    }
}
