// SPDX-License-Identifier: Apache-2.0
package io.redliner.redirector.endtoend;

import io.envoyproxy.envoy.config.core.v3.BuildVersion;
import io.envoyproxy.envoy.config.core.v3.Node;
import io.envoyproxy.envoy.service.discovery.v3.AggregatedDiscoveryServiceGrpc;
import io.envoyproxy.envoy.service.discovery.v3.DiscoveryRequest;
import io.envoyproxy.envoy.service.discovery.v3.DiscoveryResponse;
import io.envoyproxy.envoy.type.v3.SemanticVersion;
import io.grpc.Grpc;
import io.grpc.InsecureChannelCredentials;
import io.grpc.ManagedChannel;
import io.grpc.Metadata;
import io.grpc.stub.MetadataUtils;
import io.grpc.stub.StreamObserver;
import io.opentelemetry.proto.collector.metrics.v1.ExportMetricsServiceRequest;
import io.opentelemetry.proto.collector.metrics.v1.MetricsServiceGrpc;
import io.opentelemetry.proto.common.v1.AnyValue;
import io.opentelemetry.proto.common.v1.KeyValue;
import io.opentelemetry.proto.metrics.v1.Metric;
import io.opentelemetry.proto.metrics.v1.NumberDataPoint;
import io.opentelemetry.proto.metrics.v1.ResourceMetrics;
import io.opentelemetry.proto.metrics.v1.ScopeMetrics;
import io.opentelemetry.proto.metrics.v1.Sum;
import java.util.List;
import java.util.Map;

/** A proxy that takes what it gets until {@link #answerNoMore}, and reports how much traffic it has had. */
final class SlowProxy implements AutoCloseable {

    static final String NAME = "slow";

    private static final String TYPES = "type.googleapis.com/envoy.";

    private final ManagedChannel channel;

    private final String service;

    /** Names of resources by type; none for all of them. */
    private final Map<String, List<String>> subscriptions;

    private final Node node;

    private final StreamObserver<DiscoveryRequest> requests;

    private volatile boolean answering = true;

    /** @param group of proxies that the service names */
    SlowProxy(int xdsPort, String service, String group) {
        this.service = service;
        this.subscriptions = Map.of(
                TYPES + "config.cluster.v3.Cluster", List.of(),
                TYPES + "config.endpoint.v3.ClusterLoadAssignment", List.of(service),
                TYPES + "config.listener.v3.Listener", List.of(),
                TYPES + "config.route.v3.RouteConfiguration", List.of(service),
                TYPES + "service.runtime.v3.Runtime", List.of("redliner"));
        this.node = Node.newBuilder().setId(NAME).setCluster(group).setUserAgentBuildVersion(
                BuildVersion.newBuilder().setVersion(SemanticVersion.newBuilder().setMajorNumber(1).setMinorNumber(40)))
                .build();
        this.channel = Grpc.newChannelBuilderForAddress("127.0.0.1", xdsPort, InsecureChannelCredentials.create())
                .build();
        this.requests = AggregatedDiscoveryServiceGrpc.newStub(channel).streamAggregatedResources(new Answers());
        subscriptions.forEach(this::send);
    }

    private void send(String type, List<String> names) {
        send(DiscoveryRequest.newBuilder().setTypeUrl(type).addAllResourceNames(names));
    }

    private synchronized void send(DiscoveryRequest.Builder request) {
        requests.onNext(request.setNode(node).build());
    }

    /** From now on it is silent on its stream. */
    void answerNoMore() {
        answering = false;
    }

    /** Says how many requests it has sent to the service since it started. */
    void report(long total) {
        Metadata name = new Metadata();
        name.put(Metadata.Key.of("x-redliner-node", Metadata.ASCII_STRING_MARSHALLER), NAME);
        NumberDataPoint point = NumberDataPoint.newBuilder().setAsInt(total).addAttributes(KeyValue.newBuilder()
                .setKey("envoy.cluster_name").setValue(AnyValue.newBuilder().setStringValue(service))).build();
        MetricsServiceGrpc.newBlockingStub(channel)
                .withInterceptors(MetadataUtils.newAttachHeadersInterceptor(name))
                .export(ExportMetricsServiceRequest.newBuilder().addResourceMetrics(ResourceMetrics.newBuilder()
                        .addScopeMetrics(ScopeMetrics.newBuilder().addMetrics(Metric.newBuilder()
                                .setName("cluster.upstream_rq_total")
                                .setSum(Sum.newBuilder().addDataPoints(point)))))
                        .build());
    }

    @Override
    public void close() {
        channel.shutdownNow();
    }

    private final class Answers implements StreamObserver<DiscoveryResponse> {

        @Override
        public void onNext(DiscoveryResponse response) {
            if (answering) {
                send(DiscoveryRequest.newBuilder().setTypeUrl(response.getTypeUrl())
                        .setVersionInfo(response.getVersionInfo()).setResponseNonce(response.getNonce())
                        .addAllResourceNames(subscriptions.getOrDefault(response.getTypeUrl(), List.of())));
            }
        }

        @Override
        public void onError(Throwable gone) {
            // The test ends, or it fails by what the redirector says.
        }

        @Override
        public void onCompleted() {
            // Likewise.
        }
    }
}
