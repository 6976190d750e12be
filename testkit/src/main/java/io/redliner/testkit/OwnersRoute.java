// SPDX-License-Identifier: Apache-2.0
package io.redliner.testkit;

import io.redliner.embedded.EnvoyBootstrap;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** Changes the weighted route in a bootstrap of {@code deploy/envoy} whose routes are its owner's. */
public final class OwnersRoute {

    private static final Pattern WEIGHTED = Pattern.compile("( +- )\\{name: ([^,]+), weight: \\d+}\n");

    private OwnersRoute() {}

    /**
     * Returns the route with another weight of one of its clusters.
     *
     * @throws IllegalArgumentException when the route has no such cluster
     */
    public static EnvoyBootstrap weight(EnvoyBootstrap bootstrap, String cluster, int weight) {
        Matcher entry = WEIGHTED.matcher(bootstrap.yaml());
        while (entry.find()) {
            if (entry.group(2).equals(cluster)) {
                return bootstrap.withYaml(bootstrap.yaml().substring(0, entry.start()) + entry(entry, cluster, weight)
                        + bootstrap.yaml().substring(entry.end()));
            }
        }
        throw new IllegalArgumentException("the route has no cluster " + cluster);
    }

    /**
     * Returns the route with one more cluster, which is no part of a test.
     *
     * @param address of its only instance, on the loopback interface
     */
    public static EnvoyBootstrap variant(EnvoyBootstrap bootstrap, String cluster, int weight, String address) {
        Matcher first = WEIGHTED.matcher(bootstrap.yaml());
        if (!first.find()) {
            throw new IllegalArgumentException("there is no weighted route");
        }
        String routed = bootstrap.yaml().substring(0, first.start()) + entry(first, cluster, weight)
                + bootstrap.yaml().substring(first.start());
        return bootstrap.withYaml(routed.replace("\n  clusters:\n", """

                  clusters:
                    - name: %s
                      type: STATIC
                      connect_timeout: 1s
                      load_assignment:
                        cluster_name: %s
                        endpoints:
                          - lb_endpoints:
                              - endpoint: {address: {socket_address: {address: 127.0.0.1, port_value: %s}}}
                """.formatted(cluster, cluster, address.substring(address.indexOf(':') + 1))));
    }

    private static String entry(Matcher like, String cluster, int weight) {
        return like.group(1) + "{name: " + cluster + ", weight: " + weight + "}\n";
    }
}
