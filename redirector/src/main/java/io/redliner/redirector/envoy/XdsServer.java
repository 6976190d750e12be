// SPDX-License-Identifier: Apache-2.0
package io.redliner.redirector.envoy;

import io.grpc.InsecureServerCredentials;
import io.grpc.Server;
import io.grpc.ServerCredentials;
import io.grpc.TlsServerCredentials;
import io.grpc.netty.shaded.io.grpc.netty.NettyServerBuilder;
import io.grpc.util.AdvancedTlsX509KeyManager;
import io.grpc.util.AdvancedTlsX509TrustManager;
import io.redliner.contract.PeerAllowList;
import io.redliner.redirector.dataplane.ProxyEventHandler;
import io.redliner.redirector.dataplane.ProxyTraffic;
import java.io.IOException;
import java.io.Serial;
import java.net.InetSocketAddress;
import java.nio.file.Path;
import java.security.GeneralSecurityException;
import java.time.InstantSource;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.boot.diagnostics.AbstractFailureAnalyzer;
import org.springframework.boot.diagnostics.FailureAnalysis;

/**
 * The gRPC server that proxies fetch their configuration and shares from. It listens from its construction on, and answers once
 * there is something to send.
 */
public final class XdsServer implements AutoCloseable {

    private static final Logger LOGGER = LoggerFactory.getLogger(XdsServer.class);

    private static final int RELOAD_SECONDS = 60;

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
        ProxyMetricsReceiver receiver = new ProxyMetricsReceiver(events, traffic, dataPlane::serviceOf,
                dataPlane.streams()::listenersFailed, clock);
        ServerCredentials credentials = credentials(properties.tls());
        InetSocketAddress address = new InetSocketAddress(properties.address(), properties.port());
        this.server = NettyServerBuilder.forAddress(address, credentials)
                .addService(discovery.aggregated())
                .addService(discovery.runtime())
                .addService(receiver.service())
                .executor(workers)
                .keepAliveTime(properties.keepalive().toMillis(), TimeUnit.MILLISECONDS)
                .keepAliveTimeout(KEEPALIVE_TIMEOUT_SECONDS, TimeUnit.SECONDS)
                .permitKeepAliveTime(MIN_PROXY_KEEPALIVE_MILLIS, TimeUnit.MILLISECONDS)
                .permitKeepAliveWithoutCalls(true)
                .build();
        try {
            server.start();
            keepFresh(receiver);
        } catch (IOException taken) {
            shutDownThreads();
            throw new XdsPortInUseException(address, taken);
        }
        LOGGER.info("proxies fetch their configuration at {}:{}", properties.address(), port());
    }

    // It ends with the timer.
    @SuppressWarnings("FutureReturnValueIgnored")
    private void keepFresh(ProxyMetricsReceiver receiver) {
        timer.scheduleWithFixedDelay(receiver::age, 1, 1, TimeUnit.SECONDS);
    }

    /**
     * Credentials without TLS, or with TLS in both directions. Changed files are read again within a minute.
     *
     * @throws InvalidXdsTlsException when a file cannot be used
     */
    // The reading of the files ends with the timer.
    @SuppressWarnings("MustBeClosedChecker")
    private ServerCredentials credentials(XdsProperties.Tls tls) {
        Path certificate = tls.certificate();
        Path key = tls.key();
        Path trusted = tls.trusted();
        if (certificate == null || key == null || trusted == null) {
            return InsecureServerCredentials.create();
        }
        try {
            AdvancedTlsX509KeyManager own = new AdvancedTlsX509KeyManager();
            own.updateIdentityCredentials(certificate.toFile(), key.toFile(), RELOAD_SECONDS, TimeUnit.SECONDS, timer);
            AdvancedTlsX509TrustManager proxies = AdvancedTlsX509TrustManager.newBuilder()
                    .setVerification(AdvancedTlsX509TrustManager.Verification.CERTIFICATE_ONLY_VERIFICATION)
                    .build();
            proxies.updateTrustCredentials(trusted.toFile(), RELOAD_SECONDS, TimeUnit.SECONDS, timer);
            return TlsServerCredentials.newBuilder()
                    .keyManager(own)
                    .trustManager(PeerAllowList.of(proxies, tls.identities()))
                    .clientAuth(TlsServerCredentials.ClientAuth.REQUIRE)
                    .build();
        } catch (IOException | GeneralSecurityException unusable) {
            shutDownThreads();
            throw new InvalidXdsTlsException(tls, unusable);
        }
    }

    /** Returns the TCP port that the server listens on. */
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

    /** A certificate or key for the streams to the proxies cannot be used. */
    public static class InvalidXdsTlsException extends RuntimeException {

        @Serial
        private static final long serialVersionUID = 1;

        InvalidXdsTlsException(XdsProperties.Tls tls, Throwable cause) {
            super("cannot use redliner.redirector.xds.tls, certificate " + tls.certificate() + ", key " + tls.key()
                    + ", trusted " + tls.trusted() + ": " + cause + "; all three are PEM files, the key in PKCS#8",
                    cause);
        }
    }

    /** The xDS server cannot listen at its configured address. */
    public static class XdsPortInUseException extends RuntimeException {

        @Serial
        private static final long serialVersionUID = 1;

        XdsPortInUseException(InetSocketAddress address, Throwable cause) {
            super("cannot listen for proxies on " + address.getHostString() + ":" + address.getPort()
                    + ", is the port in use? Set redliner.redirector.xds.port to another, or to 0 for a free one",
                    cause);
        }

        /** Says which port is in use instead of showing a stack trace. */
        static class FailureAnalyzer extends AbstractFailureAnalyzer<XdsPortInUseException> {

            @Override
            protected FailureAnalysis analyze(Throwable rootFailure, XdsPortInUseException cause) {
                return new FailureAnalysis(String.valueOf(cause.getMessage()),
                        "End the other process, or change the port.", cause);
            }
        }
    }
}
