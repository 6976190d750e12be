// SPDX-License-Identifier: Apache-2.0
package io.redliner.controller.service.web;

import org.jspecify.annotations.Nullable;
import org.springframework.boot.context.properties.ConfigurationProperties;

/**
 * The port that serves aborts and the kill switch alone.
 *
 * @param port 0 for a free one; absent: four above {@code server.port}, or a free one where that is taken
 */
@ConfigurationProperties("redliner.controller.emergency")
record EmergencyProperties(@Nullable Integer port) {

    private static final int MAX_PORT = 65_535;

    EmergencyProperties {
        if (port != null && (port < 0 || port > MAX_PORT)) {
            throw new IllegalArgumentException("redliner.controller.emergency.port is between 0 and " + MAX_PORT);
        }
    }
}
