// SPDX-License-Identifier: Apache-2.0
package io.redliner.testkit;

import io.redliner.embedded.EmbeddedDatabase;
import io.redliner.embedded.EmbeddedKafka;
import io.redliner.embedded.EnvoyBinary;
import io.redliner.embedded.EnvoyBootstrap;
import io.redliner.embedded.EnvoyProcess;
import java.nio.file.Path;
import java.time.Duration;

/** The broker in this process, PostgreSQL and Envoy as its children. */
final class EmbeddedProvider implements InfrastructureProvider {

    @Override
    public TestBroker broker() {
        return broker(EmbeddedKafka.startTemporary());
    }

    @Override
    public TestBroker broker(Path folder, int port) {
        return broker(EmbeddedKafka.start(folder, port));
    }

    private static TestBroker broker(EmbeddedKafka kafka) {
        return new TestBroker() {

            @Override
            public String bootstrapServers() {
                return kafka.bootstrapServers();
            }

            @Override
            public String topicPrefix() {
                return kafka.topicPrefix();
            }

            @Override
            public void close() {
                kafka.close();
            }
        };
    }

    @Override
    public TestDatabase database() {
        return database(EmbeddedDatabase.startTemporary());
    }

    @Override
    public TestDatabase database(Path folder, int port) {
        return database(EmbeddedDatabase.start(folder, port));
    }

    private static TestDatabase database(EmbeddedDatabase database) {
        return new TestDatabase() {

            @Override
            public String jdbcUrl() {
                return database.jdbcUrl();
            }

            @Override
            public void close() {
                database.close();
            }
        };
    }

    @Override
    public TestProxy proxy(EnvoyBootstrap bootstrap, Path folder) {
        return proxy(EnvoyBinary.locate(), bootstrap, folder);
    }

    static TestProxy proxy(Path binary, EnvoyBootstrap bootstrap, Path folder) {
        EnvoyProcess process = EnvoyProcess.start(binary, bootstrap, folder);
        return new TestProxy() {

            @Override
            public int adminPort() {
                return process.adminPort();
            }

            @Override
            public boolean isAlive() {
                return process.isAlive();
            }

            @Override
            public void awaitLive(Duration timeout) {
                process.awaitLive(timeout);
            }

            @Override
            public void close() {
                process.close();
            }
        };
    }
}
