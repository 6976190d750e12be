// SPDX-License-Identifier: Apache-2.0
package io.redliner.controller.service.kafka;

import org.springframework.boot.context.properties.ConfigurationProperties;
import org.springframework.boot.context.properties.bind.DefaultValue;

/**
 * Which topics the controller creates.
 *
 * @param create whether those that are missing are created at all; else they are only waited for
 * @param partitions of each topic: more than analyzers and services that are tested at the same time
 * @param replicationFactor copies of each record, -1 for what the broker takes by itself
 */
@ConfigurationProperties("redliner.controller.topics")
public record TopicProperties(@DefaultValue("true") boolean create, @DefaultValue("4") int partitions,
        @DefaultValue("-1") short replicationFactor) {

    /** @throws IllegalArgumentException below one partition or copy */
    public TopicProperties {
        if (partitions < 1) {
            throw new IllegalArgumentException("redliner.controller.topics.partitions is below 1");
        }
        if (replicationFactor < 1 && replicationFactor != -1) {
            throw new IllegalArgumentException(
                    "redliner.controller.topics.replication-factor is 1 or more, or -1 for the broker's own");
        }
    }
}
