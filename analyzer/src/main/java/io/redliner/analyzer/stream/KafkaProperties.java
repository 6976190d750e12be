// SPDX-License-Identifier: Apache-2.0
package io.redliner.analyzer.stream;

import org.springframework.boot.context.properties.ConfigurationProperties;
import org.springframework.boot.context.properties.bind.DefaultValue;

/**
 * Where Kafka is.
 *
 * @param bootstrapServers host:port, several separated by commas
 */
@ConfigurationProperties("redliner.kafka")
public record KafkaProperties(@DefaultValue("127.0.0.1:9092") String bootstrapServers) {

    public KafkaProperties {
        if (bootstrapServers.isBlank()) {
            throw new IllegalArgumentException("redliner.kafka.bootstrap-servers must not be blank");
        }
    }
}
