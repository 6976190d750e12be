// SPDX-License-Identifier: Apache-2.0
package io.redliner.standalone.stack;

import java.nio.file.Path;

/**
 * What one process of RedLiner is to run with.
 *
 * @param data where everything is kept
 * @param services the services file: what the proxy is to serve
 * @param dashboardPort TCP port of the REST API and the dashboard, 0 for a free one
 * @param envoy the proxy's binary
 */
public record StackSettings(DataFolder data, Path services, int dashboardPort, Path envoy) {

    public StackSettings {
        if (dashboardPort < 0 || dashboardPort > 65_535) {
            throw new IllegalArgumentException("A TCP port is between 0 and 65535: " + dashboardPort);
        }
    }
}
