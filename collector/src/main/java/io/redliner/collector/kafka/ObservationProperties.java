// SPDX-License-Identifier: Apache-2.0
package io.redliner.collector.kafka;

import java.time.Duration;
import org.springframework.boot.context.properties.ConfigurationProperties;
import org.springframework.boot.context.properties.bind.DefaultValue;

/**
 * Settings of the sending of observations to Kafka.
 *
 * @param buffer how many wait at most while Kafka is away; beyond that the oldest are dropped
 * @param unacknowledged how many are under way to Kafka at once
 * @param linger how long to wait for company, so that more go in one request
 * @param deliveryTimeout after which an observation is given up; at least a second
 */
@ConfigurationProperties("redliner.collector.observations")
public record ObservationProperties(@DefaultValue("10000") int buffer, @DefaultValue("1000") int unacknowledged,
        @DefaultValue("5ms") Duration linger, @DefaultValue("10s") Duration deliveryTimeout) {

    public ObservationProperties {
        if (buffer < 1 || unacknowledged < 1) {
            throw new IllegalArgumentException(
                    "redliner.collector.observations: buffer and unacknowledged are at least 1");
        }
        if (linger.isNegative() || deliveryTimeout.minus(linger).toMillis() < 1_000) {
            throw new IllegalArgumentException(
                    "redliner.collector.observations.delivery-timeout is at least a second longer than linger");
        }
    }
}
