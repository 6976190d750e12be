// SPDX-License-Identifier: Apache-2.0
package io.redliner.redirector.envoy;

import com.google.protobuf.BoolValue;
import com.google.protobuf.Duration;
import com.google.protobuf.UInt32Value;
import com.google.protobuf.UnknownFieldSet;
import io.envoyproxy.envoy.config.core.v3.HeaderValue;
import io.envoyproxy.envoy.config.core.v3.HeaderValueOption;
import io.envoyproxy.envoy.config.core.v3.HeaderValueOption.HeaderAppendAction;
import io.envoyproxy.envoy.config.route.v3.Route;
import io.envoyproxy.envoy.config.route.v3.RouteAction;
import io.envoyproxy.envoy.config.route.v3.RouteConfiguration;
import io.envoyproxy.envoy.config.route.v3.RouteMatch;
import io.envoyproxy.envoy.config.route.v3.VirtualHost;
import io.envoyproxy.envoy.config.route.v3.WeightedCluster;
import io.redliner.contract.redirect.Cohort;
import io.redliner.contract.redirect.Redirect;
import io.redliner.contract.redirect.RedirectMode;
import io.redliner.contract.redirect.RoutingAttribute;
import io.redliner.redirector.lease.DataPlane.DesiredRouting;
import io.redliner.redirector.routing.RouteLayout;
import io.redliner.redirector.routing.Service;
import io.redliner.redirector.routing.WeightCalculator;
import io.redliner.redirector.routing.WeightCalculator.Group;
import java.util.List;
import java.util.Objects;
import java.util.Optional;

/**
 * Builds the route of a service. While a test is laid out, the route has weighted clusters, of which only the fleet's has a
 * weight. Shares change the weights by runtime keys; while these are not set, traffic is natural. Requests get the id by which
 * they are logged only while a test is laid out.
 */
final class Routes {

    /**
     * {@code use_hash_policy} of {@code envoy.config.route.v3.WeightedCluster}, a BoolValue: newer than the library's
     * copy of the API.
     */
    private static final UnknownFieldSet USE_HASH_POLICY = UnknownFieldSet.newBuilder()
            .addField(5, UnknownFieldSet.Field.newBuilder()
                    .addLengthDelimited(BoolValue.of(true).toByteString()).build())
            .build();

    private Routes() {}

    static RouteConfiguration route(DesiredRouting desired) {
        Service service = desired.service();
        VirtualHost.Builder host = VirtualHost.newBuilder().setName(service.name()).addDomains("*");
        switch (desired.layout()) {
            case RouteLayout.SingleCluster plain -> {
                host.addRequestHeadersToRemove(ResourceNames.REQUEST_ID);
                add(host, service, Route.newBuilder().setMatch(everything())
                        .setRoute(RouteAction.newBuilder().setCluster(ResourceNames.fleet(service))));
            }
            case RouteLayout.SplitClusters test -> tested(host, service, test);
        }
        return RouteConfiguration.newBuilder()
                .setName(service.name())
                // A route must not be refused for a cluster that is still warming; it has no weight until it is there.
                .setValidateClusters(BoolValue.of(false))
                .addVirtualHosts(host)
                .build();
    }

    private static void tested(VirtualHost.Builder host, Service service, RouteLayout.SplitClusters test) {
        host.addRequestHeadersToAdd(HeaderValueOption.newBuilder()
                .setHeader(HeaderValue.newBuilder().setKey(ResourceNames.REQUEST_ID).setValue("%UNIQUE_ID%"))
                .setAppendAction(HeaderAppendAction.OVERWRITE_IF_EXISTS_OR_ADD));
        Redirect redirect = test.redirect();
        List<Optional<Cohort>> cohorts = redirect.cohorts().isEmpty()
                ? List.of(Optional.empty())
                : redirect.cohorts().stream().map(Optional::of).toList();
        for (Optional<Cohort> cohort : cohorts) {
            RouteMatch.Builder match = cohort.map(RouteMatches::cohort).orElseGet(Routes::everything);
            RoutingAttribute attribute = redirect.attribute();
            if (attribute != null) {
                RouteMatches.require(match, redirect.mode(), attribute);
            }
            RouteAction.Builder action = RouteAction.newBuilder()
                    .setWeightedClusters(choosing(redirect, weighted(service, test,
                            ResourceNames.runtimeKeyPrefix(service), WeightCalculator.groups(redirect))));
            if (redirect.mode() == RedirectMode.HASH && attribute != null) {
                action.addHashPolicy(RouteMatches.hash(attribute));
            }
            add(host, service, Route.newBuilder()
                    .setName(ResourceNames.redirected(service, test, cohort))
                    .setMatch(match)
                    .setRoute(action));
        }
        if (redirect.partial()) {
            add(host, service, Route.newBuilder()
                    .setName(ResourceNames.outside(service, test))
                    // Envoy names the statistics of these requests so.
                    .setStatPrefix("outside")
                    .setMatch(everything())
                    .setRoute(RouteAction.newBuilder().setWeightedClusters(weighted(service, test,
                            ResourceNames.outsideKeyPrefix(service), List.of(Group.FLEET, Group.PEERS)))));
        }
    }

    private static RouteMatch.Builder everything() {
        return RouteMatch.newBuilder().setPrefix("/");
    }

    /** Adds the route, and before it the same route without a timeout for long streams. */
    private static void add(VirtualHost.Builder host, Service service, Route.Builder route) {
        java.time.Duration timeout = service.upstream().timeout();
        if (!timeout.isZero()) {
            for (RouteMatch stream : RouteMatches.streams(route.getMatch(), service.upstream().streams())) {
                Route.Builder same = route.clone().setMatch(stream);
                same.getRouteBuilder().setTimeout(Duration.getDefaultInstance());
                host.addRoutes(same);
            }
        }
        route.getRouteBuilder().setTimeout(
                Duration.newBuilder().setSeconds(timeout.toSeconds()).setNanos(timeout.toNanosPart()));
        host.addRoutes(route);
    }

    private static WeightedCluster.Builder weighted(Service service, RouteLayout.SplitClusters test, String keyPrefix,
            List<Group> groups) {
        WeightedCluster.Builder weighted = WeightedCluster.newBuilder().setRuntimeKeyPrefix(keyPrefix);
        for (Group group : groups) {
            weighted.addClusters(WeightedCluster.ClusterWeight.newBuilder()
                    .setName(ResourceNames.cluster(service, test, group))
                    .setWeight(UInt32Value.of(group == Group.FLEET ? 1 : 0)));
        }
        return weighted;
    }

    /** Makes the route choose a cluster as the redirect says: by the attribute of the user, or at random. */
    private static WeightedCluster.Builder choosing(Redirect redirect, WeightedCluster.Builder weighted) {
        return switch (redirect.mode()) {
            case MODULO -> weighted.setHeaderName(Objects.requireNonNull(redirect.attribute()).name());
            case HASH -> weighted.setUnknownFields(USE_HASH_POLICY);
            case SPLIT, ENDPOINT_WEIGHT -> weighted;
        };
    }
}
