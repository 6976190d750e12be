// SPDX-License-Identifier: Apache-2.0
package io.redliner.standalone.stack;

import java.nio.file.Path;
import java.util.Map;

/**
 * Settings of one process of RedLiner.
 *
 * @param data the folder of all data
 * @param services the services file, which names what the proxy serves
 * @param dashboardPort TCP port of the REST API and the dashboard, 0 for a free one
 * @param envoy the proxy's binary
 * @param more further settings of all components by their Spring names; they override what the stack sets itself
 */
public record StackSettings(DataFolder data, Path services, int dashboardPort, Path envoy, Map<String, String> more) {

    public StackSettings {
        more = Map.copyOf(more);
        if (dashboardPort < 0 || dashboardPort > 65_535) {
            throw new IllegalArgumentException("A TCP port is between 0 and 65535: " + dashboardPort);
        }
    }

    /** Creates settings without further ones. */
    public StackSettings(DataFolder data, Path services, int dashboardPort, Path envoy) {
        this(data, services, dashboardPort, envoy, Map.of());
    }
}
