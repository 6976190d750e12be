// SPDX-License-Identifier: Apache-2.0
package io.redliner.redirector.envoy;

import io.redliner.contract.RouteNames;
import io.redliner.contract.redirect.Cohort;
import io.redliner.redirector.routing.RouteLayout;
import io.redliner.redirector.routing.Service;
import io.redliner.redirector.routing.WeightCalculator.Group;
import java.util.List;
import java.util.Optional;

/** Names of clusters, routes and runtime keys in the proxies. */
final class ResourceNames {

    /** The runtime layer that the proxies' bootstrap names. */
    static final String LAYER = "redliner";

    /** The static cluster of the bootstrap that access logs go to. */
    static final String COLLECTOR_CLUSTER = "redliner_collector";

    /**
     * A header with an id that the proxy makes for each request of a service under test: in a mesh, requests share an
     * x-request-id. Requests without it are not logged.
     */
    static final String REQUEST_ID = "x-redliner-id";

    private ResourceNames() {}

    static String fleet(Service service) {
        return service.name();
    }

    static String cluster(Service service, RouteLayout.SplitClusters test, Group group) {
        return switch (group) {
            case FLEET -> fleet(service);
            case SUT -> service.name() + "/sut/" + test.sut();
            case PEERS -> service.name() + "/peers-of/" + test.sut();
            case SUT_WRAPPED -> service.name() + "/sut/" + test.sut() + "/wrapped";
            case PEERS_BEFORE -> service.name() + "/peers-of/" + test.sut() + "/before";
            case WEIGHTED -> service.name() + "/weighted/" + test.sut();
        };
    }

    /** Returns the route of a test that takes the requests of one cohort, or of everybody. */
    static String redirected(Service service, RouteLayout.SplitClusters test, Optional<Cohort> cohort) {
        return service.name() + cohort.map(known -> "/cohort/" + known.name()).orElse("") + RouteNames.REDIRECTED
                + test.sut();
    }

    /** Returns the route of a test that takes the requests which its lease does not cover. */
    static String outside(Service service, RouteLayout.SplitClusters test) {
        return redirected(service, test, Optional.empty()) + RouteNames.OUTSIDE;
    }

    /** Returns the name of a cluster in the proxies' statistics, where a dot would end the name. */
    static String statistics(String cluster) {
        return cluster.replace('.', '_').replace(':', '_');
    }

    /** Returns the names of a service's clusters in the proxies' statistics, or the beginnings of these names. */
    static List<String> inStatistics(Service service) {
        List<String> clusters = switch (service.integration()) {
            case EnvoyIntegration.EndpointsOnly own -> List.of(own.cluster(), own.sutCluster(), own.peersCluster());
            case EnvoyIntegration.RuntimeOnly own -> List.of(own.sutCluster(), own.peersCluster());
            default -> List.of(fleet(service));
        };
        return clusters.stream().map(ResourceNames::statistics).toList();
    }

    static String runtimeKeyPrefix(Service service) {
        return LAYER + "." + service.name();
    }

    /** Returns the runtime key of an owner's access logs: the percentage that is logged, 100 or not set. */
    static String accessLogKey(Service service) {
        return LAYER + ".access_log." + service.name();
    }

    static String outsideKeyPrefix(Service service) {
        return runtimeKeyPrefix(service) + RouteNames.OUTSIDE;
    }
}
