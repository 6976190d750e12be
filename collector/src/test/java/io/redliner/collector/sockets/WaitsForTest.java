// SPDX-License-Identifier: Apache-2.0
package io.redliner.collector.sockets;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

class WaitsForTest {

    private static final long FULL = 16_384;

    @Test
    void a_full_receive_queue_of_the_client_is_a_slow_client() {
        assertThat(WaitsFor.of(0, false, FULL, FULL)).isEqualTo(WaitsFor.SLOW_CLIENT);
        assertThat(WaitsFor.of(1_000_000, false, FULL, FULL)).isEqualTo(WaitsFor.SLOW_CLIENT);
    }

    @Test
    void a_client_far_away_is_slow_when_it_takes_no_more_bytes() {
        assertThat(WaitsFor.of(1, true, 0, FULL)).isEqualTo(WaitsFor.SLOW_CLIENT);
    }

    @Test
    void an_empty_send_queue_of_the_server_is_a_slow_server() {
        assertThat(WaitsFor.of(0, false, 0, FULL)).isEqualTo(WaitsFor.SLOW_SERVER);
    }

    @Test
    void a_full_send_queue_with_the_clients_empty_is_a_slow_network() {
        assertThat(WaitsFor.of(FULL, false, 0, FULL)).isEqualTo(WaitsFor.SLOW_NETWORK);
        assertThat(WaitsFor.of(FULL, false, FULL - 1, FULL)).isEqualTo(WaitsFor.SLOW_NETWORK);
    }

    @Test
    void a_few_bytes_under_way_are_nobodys_fault() {
        assertThat(WaitsFor.of(FULL - 1, false, 0, FULL)).isEqualTo(WaitsFor.NOBODY);
        assertThat(WaitsFor.of(0, false, 1, FULL)).isEqualTo(WaitsFor.NOBODY);
    }
}
