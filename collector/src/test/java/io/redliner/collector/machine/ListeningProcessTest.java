// SPDX-License-Identifier: Apache-2.0
package io.redliner.collector.machine;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;

class ListeningProcessTest {

    private final ListeningProcess listening = new ListeningProcess(Path.of("/proc"));

    @Test
    void finds_the_process_that_listens_on_a_port() throws IOException {
        try (ServerSocket socket = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
            assertThat(listening.on(socket.getLocalPort())).hasValue(ProcessHandle.current().pid());
        }
    }

    @Test
    void finds_nobody_where_nobody_listens() throws IOException {
        int port;
        try (ServerSocket socket = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
            port = socket.getLocalPort();
        }
        assertThat(listening.on(port)).isEmpty();
    }

    @Test
    void finds_nobody_without_the_kernels_tables() {
        assertThat(new ListeningProcess(Path.of("/nowhere")).on(80)).isEmpty();
    }
}
