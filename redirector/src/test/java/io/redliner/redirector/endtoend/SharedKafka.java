// SPDX-License-Identifier: Apache-2.0
package io.redliner.redirector.endtoend;

import io.redliner.testkit.TestBroker;
import io.redliner.testkit.TestKit;

/** One Kafka for all tests of this JVM, none of which breaks it. Each test uses service names of its own. */
final class SharedKafka {

    private static final TestBroker BROKER = TestKit.broker();

    private SharedKafka() {}

    static String bootstrapServers() {
        return BROKER.bootstrapServers();
    }
}
