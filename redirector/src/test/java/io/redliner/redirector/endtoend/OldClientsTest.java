// SPDX-License-Identifier: Apache-2.0
package io.redliner.redirector.endtoend;

import static org.assertj.core.api.Assertions.assertThat;

import io.redliner.embedded.EnvoyBootstrap.Level;
import io.redliner.redirector.endtoend.ProxiedService.Xds;
import java.io.IOException;
import java.net.InetAddress;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import org.junit.jupiter.api.Test;

/** HTTP/1.0 at a port that the redirector opens: nginx speaks it to its upstreams by default, and so do old health checks. */
class OldClientsTest {

    @Test
    void a_client_of_HTTP_1_0_is_served_with_and_without_a_host() throws IOException {
        try (ProxiedService proxied = ProxiedService
                .start(ProxiedServiceSettings.of(Level.EVERYTHING, Xds.WHOLE_STATE))) {
            proxied.traffic.send(10);

            for (String request : new String[]{"GET / HTTP/1.0\r\n\r\n", "GET /a?b HTTP/1.0\r\nHost: shop\r\n\r\n",
                "HEAD / HTTP/1.0\r\nConnection: close\r\n\r\n",
                "GET / HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n"}) {
                assertThat(answer(proxied.port, request)).as(request).matches("(?s)HTTP/1\\.[01] 200 OK\r\n.*");
            }
        }
    }

    /** All that comes until the proxy closes the connection. */
    private static String answer(int port, String request) throws IOException {
        try (Socket connection = new Socket(InetAddress.getLoopbackAddress(), port)) {
            connection.getOutputStream().write(request.getBytes(StandardCharsets.US_ASCII));
            return new String(connection.getInputStream().readAllBytes(), StandardCharsets.US_ASCII);
        }
    }
}
