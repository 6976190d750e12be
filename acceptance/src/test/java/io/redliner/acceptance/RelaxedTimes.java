// SPDX-License-Identifier: Apache-2.0
package io.redliner.acceptance;

import java.util.HashMap;
import java.util.Map;

/** Times of a stack that leave room for the pauses of a busy machine: how soon traffic is restored is tested elsewhere. */
public final class RelaxedTimes {

    private static final Map<String, String> SETTINGS = Map.of("redliner.controller.driver.lease-ttl", "15s",
            "redliner.controller.driver.acknowledgement", "12s",
            "redliner.controller.driver.redirector-silence", "12s",
            "redliner.controller.driver.preparation", "60s",
            "redliner.controller.driver.takeover-after", "10s",
            "redliner.redirector.loop.acknowledgement-deadline", "10s",
            "redliner.collector.window.grace", "1s",
            "redliner.analyzer.stream.grace", "2s");

    private RelaxedTimes() {}

    /** The settings, and further ones. */
    public static Map<String, String> and(Map<String, String> more) {
        Map<String, String> all = new HashMap<>(SETTINGS);
        all.putAll(more);
        return all;
    }
}
