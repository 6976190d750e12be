// SPDX-License-Identifier: Apache-2.0
package io.redliner.redirector.envoy;

import com.google.protobuf.Message;
import io.envoyproxy.controlplane.cache.VersionedResource;
import io.redliner.redirector.dataplane.ResourceKey;
import io.redliner.redirector.lease.DataPlane.DesiredRouting;
import io.redliner.redirector.routing.RouteLayout;
import io.redliner.redirector.routing.Service;
import io.redliner.redirector.routing.WeightCalculator;
import io.redliner.redirector.routing.WeightCalculator.Group;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.Map;
import java.util.Set;

/**
 * All resources of one service, without its share.
 *
 * @param resources by key, with versions made from content
 */
record ServiceResources(Map<ResourceKey, VersionedResource<?>> resources) {

    static final ServiceResources NONE = new ServiceResources(Map.of());

    static ServiceResources of(DesiredRouting desired) {
        Service service = desired.service();
        Map<ResourceKey, VersionedResource<?>> resources = new LinkedHashMap<>();
        if (service.integration() instanceof EnvoyIntegration.EndpointsOnly owners) {
            addEndpoints(resources, owners.sutCluster(), desired, Group.SUT);
            addEndpoints(resources, owners.peersCluster(), desired, Group.PEERS);
        }
        if (service.integration() instanceof EnvoyIntegration.OnOwnersRoute) {
            return new ServiceResources(resources);
        }
        String fleet = ResourceNames.fleet(service);
        add(resources, ResourceType.CLUSTER, fleet, Clusters.cluster(fleet, service));
        add(resources, ResourceType.ENDPOINTS, fleet,
                Clusters.endpoints(fleet, WeightCalculator.natural(service.instances())));
        desired.retiring().forEach(test -> addGroups(resources, service, test));
        if (desired.layout() instanceof RouteLayout.SplitClusters test) {
            addGroups(resources, service, test);
        }
        add(resources, ResourceType.ROUTE, service.name(), Routes.route(desired));
        if (service.integration() instanceof EnvoyIntegration.Everything everything) {
            add(resources, ResourceType.LISTENER, service.name(), Listeners.listener(service, everything.listen()));
        }
        return new ServiceResources(resources);
    }

    /** Without a test both of the owner's clusters have all instances, so that traffic is natural whatever the clusters weigh. */
    private static void addEndpoints(Map<ResourceKey, VersionedResource<?>> resources, String name,
            DesiredRouting desired, Group group) {
        Service service = desired.service();
        add(resources, ResourceType.ENDPOINTS, name,
                Clusters.endpoints(name, desired.layout() instanceof RouteLayout.SplitClusters test
                        ? WeightCalculator.endpoints(service, test, group)
                        : WeightCalculator.natural(service.instances())));
    }

    private static void addGroups(Map<ResourceKey, VersionedResource<?>> resources, Service service,
            RouteLayout.SplitClusters test) {
        Set<Group> groups = new LinkedHashSet<>(WeightCalculator.groups(test.redirect()));
        if (test.redirect().partial()) {
            groups.add(Group.PEERS);
        }
        groups.remove(Group.FLEET);
        for (Group group : groups) {
            String name = ResourceNames.cluster(service, test, group);
            // Two clusters never share endpoints by name. Over incremental xDS Envoy (1.40) does not ask for endpoints that an
            // older cluster has already: the younger one would stay without, and not be acknowledged in time.
            add(resources, ResourceType.CLUSTER, name, Clusters.cluster(name, service));
            add(resources, ResourceType.ENDPOINTS, name,
                    Clusters.endpoints(name, WeightCalculator.endpoints(service, test, group)));
        }
    }

    private static void add(Map<ResourceKey, VersionedResource<?>> resources, ResourceType type, String name,
            Message message) {
        resources.put(type.key(name), VersionedResource.create(message, ContentHash.of(message.toByteString())));
    }

    /**
     * Returns the versions that have to be acknowledged. Listeners are not among them: a share can be in force while the port of
     * another service is taken.
     */
    Map<ResourceKey, String> wanted() {
        Map<ResourceKey, String> wanted = new LinkedHashMap<>();
        resources.forEach((key, resource) -> {
            if (!key.type().equals(ResourceType.LISTENER.name())) {
                wanted.put(key, resource.version());
            }
        });
        return wanted;
    }
}
