// SPDX-License-Identifier: Apache-2.0
package io.redliner.redirector.discovery;

import io.redliner.redirector.discovery.EndpointSource.Dns;
import io.redliner.redirector.routing.HostPort;
import io.redliner.redirector.routing.Instance;
import java.util.Set;
import java.util.concurrent.ScheduledThreadPoolExecutor;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Polls the DNS for the addresses of names. */
final class DnsDiscovery implements EndpointDiscovery<Dns>, AutoCloseable {

    private static final Logger LOGGER = LoggerFactory.getLogger(DnsDiscovery.class);

    /** A lookup counts as failed after this time, should the resolver itself never answer. */
    private static final long LOOKUP_TIMEOUT_SECONDS = 30;

    private final ScheduledThreadPoolExecutor thread;

    DnsDiscovery() {
        this.thread = new ScheduledThreadPoolExecutor(1, Thread.ofPlatform().daemon().name("dns-fleets").factory(),
                new ThreadPoolExecutor.DiscardPolicy());
    }

    @Override
    public Class<Dns> kind() {
        return Dns.class;
    }

    @Override
    public Watch watch(Dns dns, EndpointDiscovery.Listener listener) {
        Poll poll = new Poll(dns, listener);
        thread.execute(poll::resolve);
        return poll;
    }

    @Override
    public void close() {
        thread.shutdownNow();
    }

    private final class Poll implements Watch {

        private final Dns dns;

        private final EndpointDiscovery.Listener listener;

        private @Nullable DnsLookup lookup;

        private volatile boolean closed;

        Poll(Dns dns, EndpointDiscovery.Listener listener) {
            this.dns = dns;
            this.listener = listener;
        }

        /** Starts a lookup. The next one starts after its answer, so that a slow server is not flooded. */
        // The listener gets the result.
        @SuppressWarnings("FutureReturnValueIgnored")
        private void resolve() {
            if (closed) {
                return;
            }
            try {
                if (lookup == null) {
                    lookup = new DnsLookup(dns, thread);
                }
                DnsLookup resolved = lookup;
                resolved.resolve().toCompletableFuture().orTimeout(LOOKUP_TIMEOUT_SECONDS, TimeUnit.SECONDS)
                        .whenCompleteAsync((addresses, failure) -> answered(resolved, addresses, failure), thread);
            } catch (Throwable broken) {
                LOGGER.error("{} cannot be asked for", dns.name(), broken);
                listener.failed("the DNS cannot be asked for " + dns.name() + ": " + broken);
                again();
            }
        }

        private void answered(DnsLookup lookup, @Nullable Set<HostPort> addresses, @Nullable Throwable failure) {
            if (closed) {
                return;
            }
            if (addresses != null) {
                listener.found(addresses.stream().map(address -> new Instance(address, 1)).toList());
            } else if (failure != null) {
                LOGGER.debug("no answer for {}", dns.name(), failure);
                listener.failed(lookup.reason(failure));
            }
            again();
        }

        @SuppressWarnings("FutureReturnValueIgnored")
        private void again() {
            thread.schedule(this::resolve, dns.every().toMillis(), TimeUnit.MILLISECONDS);
        }

        @Override
        public void close() {
            closed = true;
        }
    }
}
