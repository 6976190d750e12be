// SPDX-License-Identifier: Apache-2.0
package io.redliner.testkit;

import io.redliner.contract.TopicNames;
import io.redliner.embedded.FreePort;
import io.redliner.embedded.TemporaryFolder;
import io.redliner.embedded.TopicAdmin;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import org.apache.kafka.clients.admin.Admin;
import org.jspecify.annotations.Nullable;

/** A view of the one broker of this JVM, with topics under its own prefix. The broker stops when the JVM ends. */
final class SharedBroker implements TestBroker {

    private static final AtomicInteger PREFIXES = new AtomicInteger();

    private static @Nullable Server server;

    private final Server sharedServer;

    private final TopicNames names;

    private final AtomicBoolean closed = new AtomicBoolean();

    private SharedBroker(Server sharedServer, TopicNames names) {
        this.sharedServer = sharedServer;
        this.names = names;
    }

    static SharedBroker create(InfrastructureProvider provider) {
        Server sharedServer = server(provider);
        var names = new TopicNames("t" + PREFIXES.incrementAndGet() + ".");
        TopicAdmin.create(sharedServer.admin, names);
        return new SharedBroker(sharedServer, names);
    }

    private static synchronized Server server(InfrastructureProvider provider) {
        Server running = server;
        if (running == null) {
            running = Server.start(provider);
            server = running;
        }
        return running;
    }

    @Override
    public String bootstrapServers() {
        return sharedServer.broker.bootstrapServers();
    }

    @Override
    public String topicPrefix() {
        return names.prefix();
    }

    @Override
    public void close() {
        if (closed.compareAndSet(false, true)) {
            TopicAdmin.delete(sharedServer.admin, names);
        }
    }

    /** The broker, and an admin client of it. */
    private record Server(TestBroker broker, Admin admin) {

        /**
         * Starts the broker. Its folder is deleted only after it has stopped: without its files a broker ends the JVM with an
         * error.
         */
        static Server start(InfrastructureProvider provider) {
            Path folder = folder();
            TestBroker broker = provider.broker(folder, FreePort.next());
            var started = new Server(broker, Admin.create(Map.of("bootstrap.servers", broker.bootstrapServers())));
            Runtime.getRuntime().addShutdownHook(Thread.ofPlatform().unstarted(() -> {
                started.admin.close();
                broker.close();
                delete(folder);
            }));
            return started;
        }

        private static Path folder() {
            try {
                return Files.createTempDirectory("redliner-shared-kafka");
            } catch (IOException e) {
                throw new UncheckedIOException("Cannot create a temporary folder", e);
            }
        }

        private static void delete(Path folder) {
            try {
                TemporaryFolder.delete(folder);
            } catch (UncheckedIOException e) {
                // Files that a container wrote belong to root; they stay in the temporary folder.
            }
        }
    }
}
