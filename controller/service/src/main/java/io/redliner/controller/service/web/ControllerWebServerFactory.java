// SPDX-License-Identifier: Apache-2.0
package io.redliner.controller.service.web;

import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.time.Duration;
import java.util.Objects;
import org.apache.catalina.connector.Connector;
import org.apache.coyote.ContinueResponseTiming;
import org.apache.coyote.http11.AbstractHttp11Protocol;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.boot.tomcat.servlet.TomcatServletWebServerFactory;

/**
 * Makes Tomcat with two connectors, each with a pool of platform threads and {@link LimitedHttpProtocol} of its own: the main
 * port, and the port of emergency calls. Virtual threads would not do: none is interrupted while it computes, and all share as
 * many platform threads as there are processors.
 */
public final class ControllerWebServerFactory extends TomcatServletWebServerFactory {

    private static final Logger LOG = LoggerFactory.getLogger(ControllerWebServerFactory.class);

    /** More threads than {@code RequestLimitFilter} and {@code UnreadBodyValve} use: the others are for emergency calls. */
    private static final int MAX_THREADS = 320;

    private static final int MIN_SPARE_THREADS = 10;

    /** Between them are the usual ports of the other components. */
    private static final int ABOVE_MAIN_PORT = 4;

    private static final int EMERGENCY_MAX_THREADS = 64;

    private static final int EMERGENCY_MIN_SPARE_THREADS = 4;

    private static final int EMERGENCY_MAX_CONNECTIONS = 500;

    private static final int MAX_CHUNK_EXTENSION_LENGTH = 32;

    private static final Duration EMERGENCY_WRITE_TIMEOUT = Duration.ofSeconds(1);

    private static final int EMERGENCY_CONNECTION_TIMEOUT_MS = 2000;

    private static final int EMERGENCY_KEEP_ALIVE_TIMEOUT_MS = 5000;

    private final @Nullable EmergencyProperties emergencyProperties;

    private @Nullable Connector emergencyConnector;

    /** Makes one without emergency calls: Spring Boot does for a management port of its own. */
    public ControllerWebServerFactory() {
        this(null);
    }

    ControllerWebServerFactory(@Nullable EmergencyProperties emergencyProperties) {
        this.emergencyProperties = emergencyProperties;
        setProtocol(LimitedHttpProtocol.class.getName());
    }

    @Override
    protected void customizeConnector(Connector connector) {
        super.customizeConnector(connector);
        threads(connector, MIN_SPARE_THREADS, MAX_THREADS);
        if (emergencyProperties != null) {
            Connector emergency = new Connector(LimitedHttpProtocol.class.getName());
            emergency.setThrowOnFailure(true);
            // Address, certificates and headers are those of the main port.
            super.customizeConnector(emergency);
            emergency.setPort(emergencyPort(emergencyProperties));
            AbstractHttp11Protocol<?> protocol = threads(emergency, EMERGENCY_MIN_SPARE_THREADS, EMERGENCY_MAX_THREADS);
            protocol.setMaxConnections(EMERGENCY_MAX_CONNECTIONS);
            protocol.setMaxKeepAliveRequests(1);
            ((LimitedHttpProtocol) protocol).setWriteTimeout(EMERGENCY_WRITE_TIMEOUT);
            protocol.setConnectionTimeout(EMERGENCY_CONNECTION_TIMEOUT_MS);
            protocol.setKeepAliveTimeout(EMERGENCY_KEEP_ALIVE_TIMEOUT_MS);
            addAdditionalConnectors(emergency);
            emergencyConnector = emergency;
        }
    }

    private static AbstractHttp11Protocol<?> threads(Connector connector, int minSpare, int max) {
        AbstractHttp11Protocol<?> protocol = (AbstractHttp11Protocol<?>) connector.getProtocolHandler();
        protocol.setExecutor(null);
        protocol.setMinSpareThreads(minSpare);
        protocol.setMaxThreads(max);
        // A client that waits for 100 Continue sends no body when its request is rejected.
        protocol.setContinueResponseTiming(ContinueResponseTiming.ON_REQUEST_BODY_READ.toString());
        // The reader of a chunk's header and of trailers cannot be interrupted, and nobody uses them.
        protocol.setMaxExtensionSize(MAX_CHUNK_EXTENSION_LENGTH);
        protocol.setMaxTrailerSize(MAX_CHUNK_EXTENSION_LENGTH);
        return protocol;
    }

    private int emergencyPort(EmergencyProperties properties) {
        if (properties.port() != null) {
            return properties.port();
        }
        if (getPort() <= 0) {
            return 0;
        }
        int usual = getPort() + ABOVE_MAIN_PORT;
        if (free(usual)) {
            return usual;
        }
        LOG.warn("port {} is taken; aborts and the kill switch get a free port, unless"
                + " redliner.controller.emergency.port is set", usual);
        return 0;
    }

    /**
     * Returns whether nothing listens on the port. It does not listen itself: a process that is started at the same time inherits
     * the socket for some milliseconds, and would keep the connector from the port.
     */
    private boolean free(int port) {
        InetAddress address = getAddress();
        try (Socket socket = new Socket()) {
            socket.setReuseAddress(true);
            socket.bind(new InetSocketAddress(address, port));
            return socket.isBound();
        } catch (IOException | IllegalArgumentException taken) {
            return false;
        }
    }

    /** Returns whether the connector is the one of emergency calls. */
    boolean emergency(Connector connector) {
        return connector.equals(emergencyConnector);
    }

    /** Returns the port of emergency calls, once the server listens. */
    int emergencyPort() {
        return Objects.requireNonNull(emergencyConnector, "it has no port of emergency calls").getLocalPort();
    }
}
