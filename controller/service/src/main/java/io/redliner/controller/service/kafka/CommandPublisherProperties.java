// SPDX-License-Identifier: Apache-2.0
package io.redliner.controller.service.kafka;

import java.time.Duration;
import org.springframework.boot.context.properties.ConfigurationProperties;
import org.springframework.boot.context.properties.bind.DefaultValue;

/**
 * Settings of the messages to Kafka.
 *
 * @param deliveryTimeout after which a record counts as not delivered; shorter than a lease's life, at least 500 ms
 */
@ConfigurationProperties("redliner.controller.messaging")
public record CommandPublisherProperties(@DefaultValue("2500ms") Duration deliveryTimeout) {

    /** @throws IllegalArgumentException below 500 ms */
    public CommandPublisherProperties {
        if (deliveryTimeout.compareTo(Duration.ofMillis(500)) < 0) {
            throw new IllegalArgumentException("redliner.controller.messaging.delivery-timeout is below 500 ms");
        }
    }
}
