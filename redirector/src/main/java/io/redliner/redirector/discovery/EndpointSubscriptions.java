// SPDX-License-Identifier: Apache-2.0
package io.redliner.redirector.discovery;

import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** Keeps one subscription for each service whose instances come from DNS or Kubernetes. Confined to one thread. */
final class EndpointSubscriptions implements AutoCloseable {

    /** The listener of a service. The source shows whether an answer comes too late. */
    interface Listeners {

        EndpointDiscovery.Listener of(String service, EndpointSource source);
    }

    private record Running(EndpointSource source, EndpointDiscovery.Watch watch) {}

    private final List<EndpointDiscovery<?>> finders;

    private final Listeners listeners;

    private final Map<String, Running> running = new HashMap<>();

    EndpointSubscriptions(List<EndpointDiscovery<?>> finders, Listeners listeners) {
        this.finders = List.copyOf(finders);
        this.listeners = listeners;
    }

    /** Ends the subscriptions that the definitions do not need, and starts those that they need. */
    void follow(ServiceDefinitions definitions) {
        Map<String, ServiceDefinition> wanted = definitions.byName();
        running.entrySet().removeIf(entry -> {
            ServiceDefinition definition = wanted.get(entry.getKey());
            boolean over = definition == null || !definition.source().equals(entry.getValue().source());
            if (over) {
                entry.getValue().watch().close();
            }
            return over;
        });
        for (ServiceDefinition definition : definitions.services()) {
            if (!(definition.source() instanceof EndpointSource.Listed) && !running.containsKey(definition.name())) {
                begin(definition.name(), definition.source());
            }
        }
    }

    private void begin(String service, EndpointSource source) {
        EndpointDiscovery.Listener listener = listeners.of(service, source);
        EndpointDiscovery.Watch watch = finders.stream().map(finder -> watch(finder, source, listener))
                .flatMap(Optional::stream).findFirst()
                .orElseThrow(() -> new IllegalStateException("nobody finds fleets by " + source));
        running.put(service, new Running(source, watch));
    }

    private static <S extends EndpointSource> Optional<EndpointDiscovery.Watch> watch(EndpointDiscovery<S> discovery,
            EndpointSource source, EndpointDiscovery.Listener listener) {
        return discovery.kind().isInstance(source)
                ? Optional.of(discovery.watch(discovery.kind().cast(source), listener))
                : Optional.empty();
    }

    @Override
    public void close() {
        running.values().forEach(one -> one.watch().close());
        running.clear();
    }
}
