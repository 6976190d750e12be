// SPDX-License-Identifier: Apache-2.0
package io.redliner.testkit;

import io.redliner.embedded.EnvoyBinary;
import io.redliner.embedded.EnvoyBootstrap;
import java.nio.file.Path;

/**
 * Kafka, PostgreSQL and Envoy for tests. The system property {@code redliner.testkit} selects the provider:
 * {@code embedded} (default) or {@code testcontainers}.
 */
public final class TestKit {

    private static final String PROPERTY = "redliner.testkit";

    private static final InfrastructureProvider PROVIDER = provider(System.getProperty(PROPERTY, "embedded"));

    private TestKit() {}

    static InfrastructureProvider provider(String name) {
        return switch (name) {
            case "embedded" -> new EmbeddedProvider();
            case "testcontainers" -> new TestcontainersProvider();
            default -> throw new IllegalArgumentException(
                    PROPERTY + " is embedded or testcontainers, not " + name);
        };
    }

    /** Starts a broker with all topics, empty, whose data is deleted when it is closed: for tests that disturb it. */
    public static TestBroker broker() {
        return PROVIDER.broker();
    }

    /**
     * Creates all topics, empty, with a prefix of their own on the one broker of this process. The broker is started at the first
     * use and stopped when the process ends. For tests that do not disturb the broker itself.
     */
    public static TestBroker sharedBroker() {
        return SharedBroker.create(PROVIDER);
    }

    /**
     * Starts a broker with all topics, whose data stays in a folder.
     *
     * @param port TCP port of the loopback interface
     */
    public static TestBroker broker(Path folder, int port) {
        return PROVIDER.broker(folder, port);
    }

    /** Starts a server with an empty database that is deleted when it is closed, or when the process ends. */
    public static TestDatabase database() {
        return PROVIDER.database();
    }

    /** Creates an empty database on the one server of this JVM. For tests that do not break the server. */
    public static TestDatabase sharedDatabase() {
        return Shared.DATABASE.create();
    }

    /**
     * Creates a copy of a database on the one server of this JVM: some ten milliseconds instead of all its migrations.
     *
     * @param template made by {@link #sharedDatabase()}; without connections to it
     */
    public static TestDatabase sharedDatabase(TestDatabase template) {
        return Shared.DATABASE.create(template.name());
    }

    /** Started when a test first asks for it. */
    private static final class Shared {

        static final SharedDatabase DATABASE = new SharedDatabase(PROVIDER.database());
    }

    /**
     * Starts a server whose data stays in a folder.
     *
     * @param port TCP port of the loopback interface
     */
    public static TestDatabase database(Path folder, int port) {
        return PROVIDER.database(folder, port);
    }

    /** Starts a proxy; files that its bootstrap names are in the folder. */
    public static TestProxy proxy(EnvoyBootstrap bootstrap, Path folder) {
        return PROVIDER.proxy(bootstrap, folder);
    }

    /** Like {@link #proxy}, of one version of Envoy, and always a process. */
    public static TestProxy proxyOfVersion(String version, EnvoyBootstrap bootstrap, Path folder) {
        return EmbeddedProvider.proxy(EnvoyBinary.ofVersion(version), bootstrap, folder);
    }
}
