// SPDX-License-Identifier: Apache-2.0
package io.redliner.redirector.envoy;

import com.google.protobuf.Any;
import com.google.protobuf.Duration;
import com.google.protobuf.UInt32Value;
import io.envoyproxy.envoy.config.cluster.v3.CircuitBreakers;
import io.envoyproxy.envoy.config.cluster.v3.Cluster;
import io.envoyproxy.envoy.config.cluster.v3.OutlierDetection;
import io.envoyproxy.envoy.config.cluster.v3.TrackClusterStats;
import io.envoyproxy.envoy.config.core.v3.Address;
import io.envoyproxy.envoy.config.core.v3.AggregatedConfigSource;
import io.envoyproxy.envoy.config.core.v3.ApiVersion;
import io.envoyproxy.envoy.config.core.v3.ConfigSource;
import io.envoyproxy.envoy.config.core.v3.DataSource;
import io.envoyproxy.envoy.config.core.v3.HealthCheck;
import io.envoyproxy.envoy.config.core.v3.Http2ProtocolOptions;
import io.envoyproxy.envoy.config.core.v3.RoutingPriority;
import io.envoyproxy.envoy.config.core.v3.SocketAddress;
import io.envoyproxy.envoy.config.core.v3.TransportSocket;
import io.envoyproxy.envoy.config.endpoint.v3.ClusterLoadAssignment;
import io.envoyproxy.envoy.config.endpoint.v3.Endpoint;
import io.envoyproxy.envoy.config.endpoint.v3.LbEndpoint;
import io.envoyproxy.envoy.config.endpoint.v3.LocalityLbEndpoints;
import io.envoyproxy.envoy.extensions.transport_sockets.tls.v3.CertificateValidationContext;
import io.envoyproxy.envoy.extensions.transport_sockets.tls.v3.CommonTlsContext;
import io.envoyproxy.envoy.extensions.transport_sockets.tls.v3.SubjectAltNameMatcher;
import io.envoyproxy.envoy.extensions.transport_sockets.tls.v3.TlsCertificate;
import io.envoyproxy.envoy.extensions.transport_sockets.tls.v3.UpstreamTlsContext;
import io.envoyproxy.envoy.extensions.upstreams.http.v3.HttpProtocolOptions;
import io.envoyproxy.envoy.type.matcher.v3.StringMatcher;
import io.envoyproxy.envoy.type.v3.CodecClientType;
import io.redliner.redirector.routing.Service;
import io.redliner.redirector.routing.Upstream;
import io.redliner.redirector.routing.Upstream.Ejection;
import io.redliner.redirector.routing.Upstream.Protocol;
import io.redliner.redirector.routing.Upstream.Tls;
import io.redliner.redirector.routing.WeightCalculator;
import java.util.List;

/** Builds the clusters and endpoints of a service. */
final class Clusters {

    /** Aggregated discovery: everything over the one ordered stream. */
    static final ConfigSource AGGREGATED = ConfigSource.newBuilder()
            .setAds(AggregatedConfigSource.getDefaultInstance())
            .setResourceApiVersion(ApiVersion.V3)
            .build();

    private static final String HTTP_OPTIONS = "envoy.extensions.upstreams.http.v3.HttpProtocolOptions";

    private Clusters() {}

    /** Round robin by weight, a second to connect. */
    static Cluster cluster(String name, Service service) {
        Upstream upstream = service.upstream();
        Cluster.Builder cluster = Cluster.newBuilder()
                .setName(name)
                .setAltStatName(ResourceNames.statistics(name))
                .setType(Cluster.DiscoveryType.EDS)
                .setEdsClusterConfig(Cluster.EdsClusterConfig.newBuilder().setEdsConfig(AGGREGATED))
                .setConnectTimeout(Duration.newBuilder().setSeconds(1))
                .setLbPolicy(Cluster.LbPolicy.ROUND_ROBIN)
                // Otherwise a removed instance would get requests for as long as it passes its health checks.
                .setIgnoreHealthOnHostRemoval(true)
                .setCircuitBreakers(CircuitBreakers.newBuilder()
                        .addThresholds(thresholds(upstream.breakers(), RoutingPriority.DEFAULT))
                        .addThresholds(thresholds(upstream.breakers(), RoutingPriority.HIGH)));
        apply(service, cluster);
        return cluster.build();
    }

    private static CircuitBreakers.Thresholds thresholds(Upstream.CircuitBreakers breakers, RoutingPriority priority) {
        return CircuitBreakers.Thresholds.newBuilder()
                .setPriority(priority)
                .setMaxConnections(UInt32Value.of(breakers.connections()))
                .setMaxPendingRequests(UInt32Value.of(breakers.pendingRequests()))
                .setMaxRequests(UInt32Value.of(breakers.requests()))
                .setMaxRetries(UInt32Value.of(breakers.retries()))
                .build();
    }

    static ClusterLoadAssignment endpoints(String name, List<WeightCalculator.Endpoint> endpoints) {
        LocalityLbEndpoints.Builder group = LocalityLbEndpoints.newBuilder();
        for (WeightCalculator.Endpoint endpoint : endpoints) {
            group.addLbEndpoints(LbEndpoint.newBuilder()
                    .setEndpoint(Endpoint.newBuilder().setAddress(address(endpoint.instance().address())))
                    .setLoadBalancingWeight(UInt32Value.of(endpoint.weight())));
        }
        return ClusterLoadAssignment.newBuilder().setClusterName(name).addEndpoints(group).build();
    }

    static Address address(io.redliner.redirector.routing.HostPort address) {
        return Address.newBuilder()
                .setSocketAddress(SocketAddress.newBuilder()
                        .setAddress(address.host())
                        .setPortValue(address.port()))
                .build();
    }

    private static void apply(Service service, Cluster.Builder cluster) {
        Upstream upstream = service.upstream();
        if (upstream.protocol() == Protocol.HTTP2) {
            cluster.putTypedExtensionProtocolOptions(HTTP_OPTIONS, Any.pack(HttpProtocolOptions.newBuilder()
                    .setExplicitHttpConfig(HttpProtocolOptions.ExplicitHttpConfig.newBuilder()
                            .setHttp2ProtocolOptions(Http2ProtocolOptions.getDefaultInstance()))
                    .build()));
        }
        upstream.tls().ifPresent(tls -> cluster.setTransportSocket(TransportSocket.newBuilder()
                .setName("envoy.transport_sockets.tls")
                .setTypedConfig(Any.pack(context(tls, upstream.protocol())))));
        upstream.ejection().ifPresent(ejection -> cluster.setOutlierDetection(detection(ejection)));
        upstream.healthCheck().ifPresent(check -> cluster.addHealthChecks(
                healthCheck(check, upstream.protocol(), check.host().orElseGet(service::hostName))));
        if (upstream.ejection().isPresent() || upstream.healthCheck().isPresent()) {
            // These statistics show which instances are ejected, see ProxyMetricsReceiver.
            cluster.setTrackClusterStats(TrackClusterStats.newBuilder().setPerEndpointStats(true));
        }
    }

    /**
     * @param host of the checks, the same in each cluster of the service, so that an instance answers alike. Envoy would take the
     *        cluster's name, which has slashes in a test, and strict servers answer 400 to that.
     */
    private static HealthCheck healthCheck(Upstream.HealthCheck check, Protocol protocol, String host) {
        HealthCheck.Builder health = HealthCheck.newBuilder()
                .setInterval(duration(check.interval()))
                // The clusters of a test are checked before they have traffic.
                .setNoTrafficInterval(duration(check.interval()))
                .setTimeout(duration(check.timeout()))
                .setUnhealthyThreshold(UInt32Value.of(check.unhealthy()))
                .setHealthyThreshold(UInt32Value.of(check.healthy()));
        check.path().ifPresentOrElse(path -> health.setHttpHealthCheck(HealthCheck.HttpHealthCheck.newBuilder()
                .setPath(path)
                .setHost(host)
                .setCodecClientType(protocol == Protocol.HTTP2 ? CodecClientType.HTTP2 : CodecClientType.HTTP1)),
                () -> health.setGrpcHealthCheck(
                        HealthCheck.GrpcHealthCheck.newBuilder().setAuthority(host)));
        return health.build();
    }

    private static UpstreamTlsContext context(Tls tls, Protocol protocol) {
        CommonTlsContext.Builder common = CommonTlsContext.newBuilder()
                .addAlpnProtocols(protocol == Protocol.HTTP2 ? "h2" : "http/1.1")
                .setValidationContext(CertificateValidationContext.newBuilder()
                        .setTrustedCa(DataSource.newBuilder().setFilename(tls.trusted()))
                        .addMatchTypedSubjectAltNames(SubjectAltNameMatcher.newBuilder()
                                .setSanType(SubjectAltNameMatcher.SanType.DNS)
                                .setMatcher(StringMatcher.newBuilder().setExact(tls.sni()))));
        tls.certificate().ifPresent(certificate -> common.addTlsCertificates(TlsCertificate.newBuilder()
                .setCertificateChain(DataSource.newBuilder().setFilename(certificate))
                .setPrivateKey(DataSource.newBuilder().setFilename(tls.key().orElseThrow()))));
        return UpstreamTlsContext.newBuilder().setSni(tls.sni()).setCommonTlsContext(common).build();
    }

    private static OutlierDetection detection(Ejection ejection) {
        return OutlierDetection.newBuilder()
                .setConsecutive5Xx(UInt32Value.of(ejection.consecutiveErrors()))
                .setInterval(duration(ejection.interval()))
                .setBaseEjectionTime(duration(ejection.baseTime()))
                .setMaxEjectionPercent(UInt32Value.of(ejection.maxPercent()))
                .build();
    }

    private static Duration duration(java.time.Duration duration) {
        return Duration.newBuilder().setSeconds(duration.toSeconds()).setNanos(duration.toNanosPart()).build();
    }
}
