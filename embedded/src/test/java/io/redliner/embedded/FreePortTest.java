// SPDX-License-Identifier: Apache-2.0
package io.redliner.embedded;

import static org.assertj.core.api.Assertions.assertThat;

import java.net.InetAddress;
import java.net.ServerSocket;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

class FreePortTest {

    @Test
    void can_be_listened_on_and_is_none_that_the_system_gives_away() throws Exception {
        int port = FreePort.next();

        try (ServerSocket socket = new ServerSocket(port, 1, InetAddress.getLoopbackAddress())) {
            assertThat(socket.getLocalPort()).isEqualTo(port).isLessThan(32_768);
            assertThat(IntStream.range(0, 1_000).map(number -> FreePort.next())).doesNotContain(port);
        }
    }

    @Test
    void is_given_once() {
        assertThat(IntStream.range(0, 1_000).map(number -> FreePort.next())).doesNotHaveDuplicates();
    }
}
