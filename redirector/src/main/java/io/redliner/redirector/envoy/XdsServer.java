// SPDX-License-Identifier: Apache-2.0
package io.redliner.redirector.envoy;

import io.grpc.Server;
import io.grpc.ServerCredentials;
import io.grpc.netty.shaded.io.grpc.netty.NettyServerBuilder;
import io.redliner.redirector.dataplane.ProxyEventHandler;
import io.redliner.redirector.dataplane.ProxyTraffic;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.time.InstantSource;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The gRPC server that proxies fetch their configuration and shares from. It listens from its construction on, and answers once
 * there is something to send.
 */
public final class XdsServer implements AutoCloseable {

    private static final Logger LOGGER = LoggerFactory.getLogger(XdsServer.class);

    private static final int KEEPALIVE_TIMEOUT_SECONDS = 2;

    private static final int MIN_PROXY_KEEPALIVE_MILLIS = 500;

    /**
     * Threads of the server. Requests are short work; without a bound, a thousand proxies at once would get hundreds of
     * threads.
     */
    private static final int THREADS = Math.max(2, Runtime.getRuntime().availableProcessors());

    private final Server server;

    private final ScheduledExecutorService timer;

    private final ExecutorService workers;

    /**
     * Starts to listen.
     *
     * @throws XdsPortInUseException when it cannot listen there
     */
    XdsServer(XdsProperties properties, EnvoyDataPlane dataPlane, ProxyEventHandler events, ProxyTraffic traffic,
            InstantSource clock) {
        this.timer = Executors.newSingleThreadScheduledExecutor(
                Thread.ofPlatform().daemon().name("xds-timer").factory());
        this.workers = Executors.newFixedThreadPool(THREADS,
                Thread.ofPlatform().daemon().name("xds-worker-", 0).factory());
        DiscoveryServices discovery = new DiscoveryServices(dataPlane.streams(), events);
        ProxyMetricsReceiver reports = new ProxyMetricsReceiver(events, traffic, dataPlane::serviceOf, clock);
        ServerCredentials credentials = credentials(properties);
        InetSocketAddress address = new InetSocketAddress(properties.address(), properties.port());
        this.server = NettyServerBuilder.forAddress(address, credentials)
                .addService(discovery.aggregated())
                .addService(discovery.runtime())
                .addService(reports.service())
                .executor(workers)
                .keepAliveTime(properties.keepalive().toMillis(), TimeUnit.MILLISECONDS)
                .keepAliveTimeout(KEEPALIVE_TIMEOUT_SECONDS, TimeUnit.SECONDS)
                .permitKeepAliveTime(MIN_PROXY_KEEPALIVE_MILLIS, TimeUnit.MILLISECONDS)
                .permitKeepAliveWithoutCalls(true)
                .build();
        try {
            server.start();
            keepFresh(reports);
        } catch (IOException taken) {
            shutDownThreads();
            throw new XdsPortInUseException(address, taken);
        }
        LOGGER.info("proxies fetch their configuration at {}:{}", properties.address(), port());
    }

    // It ends with the timer.
    @SuppressWarnings("FutureReturnValueIgnored")
    private void keepFresh(ProxyMetricsReceiver reports) {
        timer.scheduleWithFixedDelay(reports::age, 1, 1, TimeUnit.SECONDS);
    }

    private ServerCredentials credentials(XdsProperties properties) {
        try {
            return XdsCredentials.of(properties.tls(), timer);
        } catch (InvalidXdsTlsException unusable) {
            shutDownThreads();
            throw unusable;
        }
    }

    /** The TCP port that the server listens on. */
    public int port() {
        return server.getPort();
    }

    /** Returns whether the server has not been closed. */
    public boolean running() {
        return !server.isShutdown();
    }

    /**
     * Closes at once and sends nothing to the proxies: they keep their routes, and drop the shares by themselves. The event
     * handler learns that the streams are closed before this returns.
     */
    @Override
    public void close() {
        server.shutdownNow();
        try {
            boolean terminated = server.awaitTermination(1, TimeUnit.SECONDS);
            workers.shutdown();
            if (!workers.awaitTermination(1, TimeUnit.SECONDS) || !terminated) {
                LOGGER.warn("the xDS server is still closing");
            }
        } catch (InterruptedException interrupted) {
            Thread.currentThread().interrupt();
        }
        shutDownThreads();
    }

    private void shutDownThreads() {
        timer.shutdownNow();
        workers.shutdownNow();
    }
}
