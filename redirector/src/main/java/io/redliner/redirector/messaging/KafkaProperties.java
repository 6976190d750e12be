// SPDX-License-Identifier: Apache-2.0
package io.redliner.redirector.messaging;

import java.util.HashMap;
import java.util.Map;
import org.apache.kafka.clients.CommonClientConfigs;
import org.springframework.boot.context.properties.ConfigurationProperties;
import org.springframework.boot.context.properties.bind.DefaultValue;

/**
 * Where Kafka is.
 *
 * @param bootstrapServers comma-separated {@code host:port} of brokers
 * @param properties further settings of each Kafka client by Kafka's names, e.g. {@code security.protocol} and what it needs
 */
@ConfigurationProperties("redliner.kafka")
public record KafkaProperties(@DefaultValue("127.0.0.1:9092") String bootstrapServers,
        @DefaultValue Map<String, String> properties) {

    public KafkaProperties {
        if (bootstrapServers.isBlank()) {
            throw new IllegalArgumentException("redliner.kafka.bootstrap-servers must not be empty");
        }
        properties = Map.copyOf(properties);
    }

    /** The settings of a client: its room's own go before those of {@code redliner.kafka.properties}. */
    Map<String, Object> client(Map<String, ?> own) {
        Map<String, Object> settings = new HashMap<>(properties);
        settings.putAll(own);
        settings.put(CommonClientConfigs.BOOTSTRAP_SERVERS_CONFIG, bootstrapServers);
        return settings;
    }
}
