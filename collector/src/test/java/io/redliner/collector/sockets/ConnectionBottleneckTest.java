// SPDX-License-Identifier: Apache-2.0
package io.redliner.collector.sockets;

import static org.assertj.core.api.Assertions.assertThat;

import io.redliner.collector.sockets.QueuedConnections.ConnectionBottleneck;
import org.junit.jupiter.api.Test;

class ConnectionBottleneckTest {

    private static final long FULL = 16_384;

    @Test
    void a_full_receive_queue_of_the_client_is_a_slow_client() {
        assertThat(ConnectionBottleneck.of(0, false, FULL, FULL)).isEqualTo(ConnectionBottleneck.SLOW_CLIENT);
        assertThat(ConnectionBottleneck.of(1_000_000, false, FULL, FULL)).isEqualTo(ConnectionBottleneck.SLOW_CLIENT);
    }

    @Test
    void a_client_far_away_is_slow_when_it_takes_no_more_bytes() {
        assertThat(ConnectionBottleneck.of(1, true, 0, FULL)).isEqualTo(ConnectionBottleneck.SLOW_CLIENT);
    }

    @Test
    void an_empty_send_queue_of_the_server_is_a_slow_server() {
        assertThat(ConnectionBottleneck.of(0, false, 0, FULL)).isEqualTo(ConnectionBottleneck.SLOW_SERVER);
    }

    @Test
    void a_full_send_queue_with_the_clients_empty_is_a_slow_network() {
        assertThat(ConnectionBottleneck.of(FULL, false, 0, FULL)).isEqualTo(ConnectionBottleneck.SLOW_NETWORK);
        assertThat(ConnectionBottleneck.of(FULL, false, FULL - 1, FULL)).isEqualTo(ConnectionBottleneck.SLOW_NETWORK);
    }

    @Test
    void a_few_bytes_under_way_are_nobodys_fault() {
        assertThat(ConnectionBottleneck.of(FULL - 1, false, 0, FULL)).isEqualTo(ConnectionBottleneck.NOBODY);
        assertThat(ConnectionBottleneck.of(0, false, 1, FULL)).isEqualTo(ConnectionBottleneck.NOBODY);
    }
}
