// SPDX-License-Identifier: Apache-2.0
package io.redliner.embedded;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.Objects;

/**
 * What an Envoy must know before it can ask the redirector for the rest: who it is, where the redirector's xDS and the
 * collector's access-log service listen (both on the loopback interface), and which runtime layer carries the shares.
 *
 * @param node the proxy's id in statuses and logs
 * @param xdsPort TCP port of the redirector
 * @param accessLogPort TCP port of the collector
 * @param adminPort TCP port on which the proxy's own admin interface is to listen
 */
public record EnvoyBootstrap(String node, int xdsPort, int accessLogPort, int adminPort) {

    public EnvoyBootstrap {
        if (!node.matches("[A-Za-z0-9._-]+")) {
            throw new IllegalArgumentException("A proxy's node id has letters, digits, '.', '_' and '-': " + node);
        }
    }

    /** The bootstrap as YAML. */
    public String yaml() {
        try (InputStream template = Objects
                .requireNonNull(EnvoyBootstrap.class.getResourceAsStream("envoy-bootstrap.yaml"))) {
            return new String(template.readAllBytes(), StandardCharsets.UTF_8).replace("${node}", node)
                    .replace("${xdsPort}", Integer.toString(xdsPort))
                    .replace("${accessLogPort}", Integer.toString(accessLogPort))
                    .replace("${adminPort}", Integer.toString(adminPort));
        } catch (IOException e) {
            throw new UncheckedIOException("Cannot read the bootstrap's template", e);
        }
    }
}
