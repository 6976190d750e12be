// SPDX-License-Identifier: Apache-2.0
package io.redliner.acceptance.browser;

import io.redliner.acceptance.OwnService;
import java.time.DayOfWeek;

/** Plans that the tests run, YAML. */
final class Plans {

    private Plans() {}

    /**
     * Ramps slowly, finds nothing on the way, and stays at its cap for more than a minute: until it has seen the ten thousand
     * requests that it takes to tell of one in a thousand.
     */
    static String ramping(OwnService service) {
        return plan("ramping", service, "latency.p999", "60%", "5m");
    }

    /** Is at its cap after seconds, and says that the capacity is at least what it saw. */
    static String quick(OwnService service) {
        return plan("quick", service, "latency.p99", "32%", "3m");
    }

    /** Is {@link #quick}, and would start by itself on one day of the week. */
    static String weekly(OwnService service, DayOfWeek day) {
        return plan("weekly", service, "latency.p99", "32%", "3m") + "  schedule: {cron: \"0 9 * * "
                + day.name().substring(0, 3) + "\", zone: UTC, jitter: 10m}\n";
    }

    private static String plan(String name, OwnService service, String latency, String maxShare,
            String maxDuration) {
        return """
                apiVersion: redliner.io/v1
                kind: CapacityTest
                metadata: {name: %s}
                spec:
                  service: %s
                  sut: {instance: "%s"}
                  sla:
                    - {name: latency, expr: "%s <= duration('5s')"}
                  limits: {maxShare: %s, maxRaise: 2x, maxDuration: %s, harmBudget: 20%%, window: 1s}
                """.formatted(name, service.name(), service.instance(0), latency, maxShare, maxDuration);
    }
}
