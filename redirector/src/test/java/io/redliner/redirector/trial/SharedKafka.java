// SPDX-License-Identifier: Apache-2.0
package io.redliner.redirector.trial;

import io.redliner.fixture.Broker;
import io.redliner.fixture.Fixture;

/** One Kafka for all tests of this JVM, none of which breaks it. Each test uses service names of its own. */
final class SharedKafka {

    private static final Broker BROKER = Fixture.broker();

    private SharedKafka() {}

    static String bootstrapServers() {
        return BROKER.bootstrapServers();
    }
}
