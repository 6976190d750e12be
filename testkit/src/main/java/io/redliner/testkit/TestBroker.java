// SPDX-License-Identifier: Apache-2.0
package io.redliner.testkit;

/** RedLiner's topics on a Kafka broker of the loopback interface. */
public interface TestBroker extends AutoCloseable {

    /** Address for clients. */
    String bootstrapServers();

    /** Returns the prefix of its topics, for {@code redliner.kafka.topic-prefix}. */
    String topicPrefix();

    /** Stops the broker; data in a folder that the caller named stays. For a shared broker only the topics are deleted. */
    @Override
    void close();
}
