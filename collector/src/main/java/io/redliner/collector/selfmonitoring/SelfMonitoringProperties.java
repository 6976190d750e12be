// SPDX-License-Identifier: Apache-2.0
package io.redliner.collector.selfmonitoring;

import java.time.Duration;
import org.springframework.boot.context.properties.ConfigurationProperties;
import org.springframework.boot.context.properties.bind.DefaultValue;

/**
 * Limits beyond which the collector marks its windows as impaired.
 *
 * @param tick how often it measures, 10 ms to 1 s
 * @param lag how long arrivals may wait, and how long the process may stand still; at least a tick
 * @param cpu the part of its CPU that it may use, above 0 to 1
 */
@ConfigurationProperties("redliner.collector.watch")
public record SelfMonitoringProperties(@DefaultValue("100ms") Duration tick, @DefaultValue("250ms") Duration lag,
        @DefaultValue("0.95") double cpu) {

    public SelfMonitoringProperties {
        if (tick.toMillis() < 10 || tick.toMillis() > 1_000 || lag.compareTo(tick) < 0) {
            throw new IllegalArgumentException(
                    "redliner.collector.watch: tick is 10ms to 1s, and lag is at least that; not " + tick + " and "
                            + lag);
        }
        if (!(cpu > 0 && cpu <= 1)) {
            throw new IllegalArgumentException("redliner.collector.watch.cpu is above 0 and at most 1; not " + cpu);
        }
    }
}
