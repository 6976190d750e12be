// SPDX-License-Identifier: Apache-2.0
package io.redliner.embedded;

import com.sun.management.UnixOperatingSystemMXBean;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.lang.management.ManagementFactory;
import java.nio.charset.StandardCharsets;
import java.util.Objects;

/**
 * The bootstrap configuration of an Envoy, which gets the rest of its configuration from the redirector.
 *
 * @param node the proxy's id in statuses and logs; letters, digits, {@code . _ -}
 * @param adminPort TCP port on which the proxy's own admin interface is to listen
 * @param yaml the bootstrap itself, with the same node and port
 */
public record EnvoyBootstrap(String node, int adminPort, String yaml) {

    private static final String MAX_CONNECTIONS = "max_active_downstream_connections: ";

    /** File descriptors that are not for users: listeners, connections to RedLiner, health checks, files. */
    private static final long RESERVE = 1_000;

    /** Maximum number of connections: more would exhaust an Envoy's memory before its file descriptors. */
    private static final long CONNECTION_LIMIT = 500_000;

    /** The level of integration: how much of a proxy's configuration comes from the redirector: the bootstraps of {@code deploy/envoy}. */
    public enum Level {
        /** Only shares. */
        RUNTIME_ONLY("runtime-only.yaml"),
        /** Endpoints of two clusters, and shares. */
        ENDPOINTS_ONLY("endpoints-only.yaml"),
        /** All but listeners. */
        ROUTES_AND_ENDPOINTS("routes-and-endpoints.yaml"),
        /** Everything. */
        EVERYTHING("everything.yaml");

        private final String file;

        Level(String file) {
            this.file = file;
        }
    }

    public EnvoyBootstrap {
        if (!node.matches("[A-Za-z0-9._-]+")) {
            throw new IllegalArgumentException("A proxy's node id has letters, digits, '.', '_' and '-': " + node);
        }
    }

    /**
     * Creates the bootstrap of a proxy all of whose configuration comes from the redirector.
     *
     * @param xdsPort TCP port of the redirector, on the loopback interface
     * @param accessLogPort TCP port of the collector, on the loopback interface
     */
    public static EnvoyBootstrap everything(String node, int xdsPort, int accessLogPort, int adminPort) {
        return of(Level.EVERYTHING, node, xdsPort, accessLogPort, adminPort);
    }

    /** Creates a bootstrap like {@link #everything} for the given level. */
    public static EnvoyBootstrap of(Level level, String node, int xdsPort, int accessLogPort, int adminPort) {
        String yaml = deployed(level.file)
                .replace("id: proxy-1", "id: " + node)
                .replace("port_value: 18000", "port_value: " + xdsPort)
                .replace("port_value: 18090", "port_value: " + accessLogPort)
                .replace("port_value: 9901", "port_value: " + adminPort)
                .replace(MAX_CONNECTIONS + "10000", MAX_CONNECTIONS + maxConnections(descriptors()));
        return new EnvoyBootstrap(node, adminPort, yaml);
    }

    /** Returns this process's limit of open files, which the proxies that it starts inherit. */
    private static long descriptors() {
        return ManagementFactory.getOperatingSystemMXBean() instanceof UnixOperatingSystemMXBean unix
                ? unix.getMaxFileDescriptorCount()
                : 0;
    }

    /**
     * Returns how many connections users may have to a proxy, so that each can have one to an instance and descriptors are left.
     *
     * @param descriptors the proxy's limit of open files
     */
    static long maxConnections(long descriptors) {
        long reserve = Math.min(RESERVE, descriptors / 4);
        return Math.clamp((descriptors - reserve) / 2, 1, CONNECTION_LIMIT);
    }

    /** Adds the overlay of {@code deploy/envoy} that makes a proxy report ejected instances; its keys are at the top level. */
    public EnvoyBootstrap reportingEjections() {
        return withYaml(yaml + deployed("ejection-reports.yaml").replace("value: proxy-1", "value: " + node));
    }

    /** Returns the same proxy with another bootstrap. */
    public EnvoyBootstrap withYaml(String other) {
        return new EnvoyBootstrap(node, adminPort, other);
    }

    private static String deployed(String file) {
        try (InputStream stream = Objects.requireNonNull(EnvoyBootstrap.class.getResourceAsStream("envoy/" + file))) {
            return new String(stream.readAllBytes(), StandardCharsets.UTF_8);
        } catch (IOException e) {
            throw new UncheckedIOException("Cannot read the bootstrap " + file, e);
        }
    }
}
