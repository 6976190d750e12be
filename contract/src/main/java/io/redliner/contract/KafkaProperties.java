// SPDX-License-Identifier: Apache-2.0
package io.redliner.contract;

import java.util.HashMap;
import java.util.Map;
import org.apache.kafka.clients.CommonClientConfigs;
import org.springframework.boot.context.properties.ConfigurationProperties;
import org.springframework.boot.context.properties.bind.DefaultValue;

/**
 * Settings of the Kafka clients, and of the names of RedLiner's topics.
 *
 * @param bootstrapServers host:port, several separated by commas
 * @param topicPrefix before the names of topics; installations that share a cluster need different ones, see {@link TopicNames}
 * @param properties further settings of each Kafka client by Kafka's names, e.g. {@code security.protocol} and what it needs
 */
@ConfigurationProperties("redliner.kafka")
public record KafkaProperties(@DefaultValue("127.0.0.1:9092") String bootstrapServers,
        @DefaultValue(TopicNames.DEFAULT_PREFIX) String topicPrefix, @DefaultValue Map<String, String> properties) {

    private static final int METADATA_MILLIS = 10_000;

    public KafkaProperties {
        if (bootstrapServers.isBlank()) {
            throw new IllegalArgumentException("redliner.kafka.bootstrap-servers must not be blank");
        }
        properties = Map.copyOf(properties);
        new TopicNames(topicPrefix);
    }

    /** Returns the names of this installation's topics, groups and clients. */
    public TopicNames topics() {
        return new TopicNames(topicPrefix);
    }

    /**
     * Returns the settings of a client; its own take precedence over {@code redliner.kafka.properties}. Partitions that are added
     * to a topic are seen within {@value #METADATA_MILLIS} ms.
     */
    public Map<String, Object> client(Map<String, ?> own) {
        Map<String, Object> settings = new HashMap<>();
        settings.put(CommonClientConfigs.METADATA_MAX_AGE_CONFIG, METADATA_MILLIS);
        settings.putAll(properties);
        settings.putAll(own);
        settings.put(CommonClientConfigs.BOOTSTRAP_SERVERS_CONFIG, bootstrapServers);
        return settings;
    }
}
