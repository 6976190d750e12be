// SPDX-License-Identifier: Apache-2.0
package io.redliner.redirector.xds;

import com.google.protobuf.BoolValue;
import com.google.protobuf.Duration;
import com.google.protobuf.UInt32Value;
import io.envoyproxy.envoy.config.route.v3.Route;
import io.envoyproxy.envoy.config.route.v3.RouteAction;
import io.envoyproxy.envoy.config.route.v3.RouteConfiguration;
import io.envoyproxy.envoy.config.route.v3.RouteMatch;
import io.envoyproxy.envoy.config.route.v3.VirtualHost;
import io.envoyproxy.envoy.config.route.v3.WeightedCluster;
import io.redliner.redirector.service.Instance;
import io.redliner.redirector.service.Service;
import io.redliner.redirector.share.Arrangement;
import io.redliner.redirector.share.Layout;

/** Where a service's traffic goes. */
final class Routes {

    private Routes() {}

    static RouteConfiguration route(Arrangement arrangement) {
        Service service = arrangement.service();
        RouteAction.Builder action = RouteAction.newBuilder()
                .setTimeout(Duration.newBuilder()
                        .setSeconds(service.timeout().toSeconds())
                        .setNanos(service.timeout().toNanosPart()));
        if (arrangement.layout() instanceof Layout.Split split) {
            action.setWeightedClusters(natural(service, split.instance()));
        } else {
            action.setCluster(ProxyNames.fleet(service));
        }
        return RouteConfiguration.newBuilder()
                .setName(service.name())
                // The clusters come first, see Layout; and a route must not be refused for a cluster still warming.
                .setValidateClusters(BoolValue.of(false))
                .addVirtualHosts(VirtualHost.newBuilder()
                        .setName(service.name())
                        .addDomains("*")
                        .addRoutes(Route.newBuilder()
                                .setMatch(RouteMatch.newBuilder().setPrefix("/"))
                                .setRoute(action)))
                .build();
    }

    /** The weights that hold whenever the runtime has no word on them. */
    private static WeightedCluster natural(Service service, Instance sut) {
        return WeightedCluster.newBuilder()
                .setRuntimeKeyPrefix(ProxyNames.runtimeKeyPrefix(service))
                .addClusters(weight(ProxyNames.peersOf(service, sut), service.totalWeight() - sut.weight()))
                .addClusters(weight(ProxyNames.sut(service, sut), sut.weight()))
                .build();
    }

    private static WeightedCluster.ClusterWeight weight(String cluster, int weight) {
        return WeightedCluster.ClusterWeight.newBuilder().setName(cluster).setWeight(UInt32Value.of(weight)).build();
    }
}
