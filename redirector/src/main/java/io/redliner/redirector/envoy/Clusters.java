// SPDX-License-Identifier: Apache-2.0
package io.redliner.redirector.envoy;

import com.google.protobuf.Duration;
import com.google.protobuf.UInt32Value;
import io.envoyproxy.envoy.config.cluster.v3.CircuitBreakers;
import io.envoyproxy.envoy.config.cluster.v3.Cluster;
import io.envoyproxy.envoy.config.core.v3.Address;
import io.envoyproxy.envoy.config.core.v3.AggregatedConfigSource;
import io.envoyproxy.envoy.config.core.v3.ApiVersion;
import io.envoyproxy.envoy.config.core.v3.ConfigSource;
import io.envoyproxy.envoy.config.core.v3.RoutingPriority;
import io.envoyproxy.envoy.config.core.v3.SocketAddress;
import io.envoyproxy.envoy.config.endpoint.v3.ClusterLoadAssignment;
import io.envoyproxy.envoy.config.endpoint.v3.Endpoint;
import io.envoyproxy.envoy.config.endpoint.v3.LbEndpoint;
import io.envoyproxy.envoy.config.endpoint.v3.LocalityLbEndpoints;
import io.redliner.redirector.routing.Upstream;
import io.redliner.redirector.routing.WeightCalculator;
import java.util.List;

/** Groups of instances. */
final class Clusters {

    /** Aggregated discovery: everything over the one ordered stream. */
    static final ConfigSource AGGREGATED = ConfigSource.newBuilder()
            .setAds(AggregatedConfigSource.getDefaultInstance())
            .setResourceApiVersion(ApiVersion.V3)
            .build();

    private Clusters() {}

    /** Round robin by weight, a second to connect. */
    static Cluster cluster(String name, Upstream upstream) {
        Cluster.Builder cluster = Cluster.newBuilder()
                .setName(name)
                .setAltStatName(ResourceNames.statistics(name))
                .setType(Cluster.DiscoveryType.EDS)
                .setEdsClusterConfig(Cluster.EdsClusterConfig.newBuilder().setEdsConfig(AGGREGATED))
                .setConnectTimeout(Duration.newBuilder().setSeconds(1))
                .setLbPolicy(Cluster.LbPolicy.ROUND_ROBIN)
                // Else an instance that is taken out gets requests for as long as it passes its checks.
                .setIgnoreHealthOnHostRemoval(true)
                .setCircuitBreakers(CircuitBreakers.newBuilder()
                        .addThresholds(thresholds(upstream.breakers(), RoutingPriority.DEFAULT))
                        .addThresholds(thresholds(upstream.breakers(), RoutingPriority.HIGH)));
        Upstreams.apply(upstream, cluster);
        return cluster.build();
    }

    private static CircuitBreakers.Thresholds thresholds(Upstream.CircuitBreakers breakers,
            RoutingPriority priority) {
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
}
