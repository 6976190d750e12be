// SPDX-License-Identifier: Apache-2.0
package io.redliner.collector.accesslog;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import io.envoyproxy.envoy.config.core.v3.Node;
import io.envoyproxy.envoy.service.accesslog.v3.AccessLogServiceGrpc;
import io.envoyproxy.envoy.service.accesslog.v3.StreamAccessLogsMessage;
import io.envoyproxy.envoy.service.accesslog.v3.StreamAccessLogsResponse;
import io.grpc.ChannelCredentials;
import io.grpc.InsecureChannelCredentials;
import io.grpc.ManagedChannel;
import io.grpc.TlsChannelCredentials;
import io.grpc.netty.shaded.io.grpc.netty.NettyChannelBuilder;
import io.grpc.stub.StreamObserver;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import io.redliner.collector.source.ListenerCredentials.InvalidListenerTlsException;
import io.redliner.collector.source.ListenerTls;
import io.redliner.collector.windowing.TestedWindows;
import io.redliner.collector.windowing.WindowAggregator;
import io.redliner.collector.windowing.WindowSettings;
import io.redliner.testkit.TestCertificateAuthority;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Clock;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Who may send access logs to a collector that asks for certificates. */
class AccessLogTlsTest {

    @TempDir
    private Path folder;

    private final WindowAggregator windows = TestedWindows.of(WindowSettings.DEFAULT);

    private TestCertificateAuthority trusted;

    private TestCertificateAuthority other;

    /** The collector's. */
    private Path certificate;

    private AccessLogServer server;

    @BeforeEach
    void start() {
        trusted = new TestCertificateAuthority(folder, "trusted");
        other = new TestCertificateAuthority(folder, "other");
        certificate = trusted.certificate("collector");
        server = start(new ListenerTls(certificate, trusted.key("collector"), trusted.authority(), List.of()));
    }

    private AccessLogServer start(ListenerTls tls) {
        return AccessLogServer.start(new AccessLogProperties("127.0.0.1", 0, Duration.ofSeconds(1), 2, tls),
                new AccessLogService(windows, new AccessLogMetrics(new SimpleMeterRegistry()), Clock.systemUTC()));
    }

    @AfterEach
    void stop() {
        server.close();
    }

    /** Tells whose stream it is, and how that ends, if it does. */
    private CompletableFuture<Void> stream(ManagedChannel channel) {
        CompletableFuture<Void> end = new CompletableFuture<>();
        AccessLogServiceGrpc.newStub(channel).streamAccessLogs(new StreamObserver<StreamAccessLogsResponse>() {

            @Override
            public void onNext(StreamAccessLogsResponse response) {
                // There is none before the end.
            }

            @Override
            public void onError(Throwable failure) {
                end.completeExceptionally(failure);
            }

            @Override
            public void onCompleted() {
                end.complete(null);
            }
        }).onNext(StreamAccessLogsMessage.newBuilder().setIdentifier(StreamAccessLogsMessage.Identifier.newBuilder()
                .setLogName("shop")
                .setNode(Node.newBuilder().setId("proxy"))).build());
        return end;
    }

    private ManagedChannel channel(ChannelCredentials credentials) {
        return NettyChannelBuilder.forAddress("127.0.0.1", server.port(), credentials).overrideAuthority("collector")
                .build();
    }

    private static ChannelCredentials proxy(TestCertificateAuthority own, TestCertificateAuthority collectors)
            throws IOException {
        return proxy("proxy", own, collectors);
    }

    private static ChannelCredentials proxy(String name, TestCertificateAuthority own,
            TestCertificateAuthority collectors)
            throws IOException {
        return TlsChannelCredentials.newBuilder()
                .keyManager(own.certificate(name).toFile(), own.key(name).toFile())
                .trustManager(collectors.authority().toFile())
                .build();
    }

    @Test
    void a_proxy_with_a_trusted_certificate_is_accepted_and_no_other() throws Exception {
        ManagedChannel known = channel(proxy(trusted, trusted));
        ManagedChannel stranger = channel(proxy(other, trusted));
        ManagedChannel inTheClear = channel(InsecureChannelCredentials.create());
        try {
            CompletableFuture<Void> strangers = stream(stranger);
            CompletableFuture<Void> clear = stream(inTheClear);
            await().until(() -> strangers.isCompletedExceptionally() && clear.isCompletedExceptionally());
            assertThat(windows.streams()).isZero();

            CompletableFuture<Void> accepted = stream(known);

            await().until(() -> windows.streams() == 1);
            assertThat(accepted).isNotDone();
        } finally {
            known.shutdownNow();
            stranger.shutdownNow();
            inTheClear.shutdownNow();
        }
    }

    @Test
    void of_trusted_proxies_only_the_listed_ones_are_accepted() throws Exception {
        server.close();
        server = start(new ListenerTls(certificate, trusted.key("collector"), trusted.authority(),
                List.of("spiffe://redliner.test/edge-*", "gateway")));
        ManagedChannel pod = channel(proxy("pod", trusted, trusted));
        ManagedChannel edge = channel(proxy("edge-1", trusted, trusted));
        ManagedChannel gateway = channel(proxy("gateway", trusted, trusted));
        try {
            CompletableFuture<Void> pods = stream(pod);
            await().until(pods::isCompletedExceptionally);
            assertThat(windows.streams()).isZero();

            CompletableFuture<Void> accepted = stream(edge);
            CompletableFuture<Void> acceptedToo = stream(gateway);

            await().until(() -> windows.streams() == 2);
            assertThat(accepted).isNotDone();
            assertThat(acceptedToo).isNotDone();
        } finally {
            pod.shutdownNow();
            edge.shutdownNow();
            gateway.shutdownNow();
        }
    }

    @Test
    void a_proxy_does_not_send_to_a_stranger() throws Exception {
        ManagedChannel proxy = channel(proxy(trusted, other));
        try {
            CompletableFuture<Void> end = stream(proxy);

            await().until(end::isCompletedExceptionally);
            assertThat(windows.streams()).isZero();
        } finally {
            proxy.shutdownNow();
        }
    }

    @Test
    void what_cannot_be_used_stops_the_start_with_a_clear_message() {
        assertThatThrownBy(() -> start(new ListenerTls(Path.of("/nowhere/a.pem"), Path.of("/nowhere/a.key"), null,
                List.of())))
                .isInstanceOf(InvalidListenerTlsException.class)
                .hasMessageContaining("redliner.collector.access-log.tls: certificate /nowhere/a.pem");
        assertThatThrownBy(() -> new ListenerTls(Path.of("a.pem"), null, null, List.of()))
                .hasMessageContaining("both certificate and key");
        assertThatThrownBy(() -> new ListenerTls(null, null, Path.of("ca.pem"), List.of()))
                .hasMessageContaining("of no use without");
    }
}
