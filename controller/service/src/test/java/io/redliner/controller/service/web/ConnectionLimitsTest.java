// SPDX-License-Identifier: Apache-2.0
package io.redliner.controller.service.web;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.redliner.controller.service.web.ConnectionLimits.Admission;
import java.util.List;
import org.junit.jupiter.api.Test;

class ConnectionLimitsTest {

    private long nanos;

    private final ConnectionLimits<String> limits = new ConnectionLimits<>(4, 2, () -> nanos);

    private void open(String connection, String address) {
        assertThat(limits.admit(address)).isEqualTo(new Admission<>(true, null));
        limits.opened(connection, address);
    }

    @Test
    void beyond_the_bound_of_an_address_its_connection_that_waited_longest_is_closed() {
        open("a1", "a");
        open("b1", "b");
        open("a2", "a");

        assertThat(limits.admit("a")).isEqualTo(new Admission<>(false, "a1"));
        limits.closed("a1");
        open("a3", "a");
        assertThat(limits.admit("a")).isEqualTo(new Admission<>(false, "a2"));
    }

    @Test
    void beyond_the_bound_of_all_the_address_with_the_most_connections_loses_one() {
        open("b1", "b");
        open("a1", "a");
        open("a2", "a");
        open("c1", "c");

        assertThat(limits.admit("d")).isEqualTo(new Admission<>(false, "a1"));
        limits.closed("a1");
        open("d1", "d");
    }

    @Test
    void a_connection_that_was_just_accepted_stays_while_others_have_waited_for_a_second() {
        open("b1", "b");
        nanos = 500_000_000;
        open("c1", "c");
        nanos = 1_100_000_000;
        open("a1", "a");
        open("a2", "a");

        assertThat(limits.admit("d")).as("though a has more").isEqualTo(new Admission<>(false, "b1"));
        limits.closed("b1");
        open("d1", "d");
        assertThat(limits.admit("e")).as("none has waited for a second").isEqualTo(new Admission<>(false, "a1"));
        nanos = 1_600_000_000;
        assertThat(limits.admit("e")).isEqualTo(new Admission<>(false, "c1"));
        nanos = 9_000_000_000L;
        assertThat(limits.admit("e")).as("all have").isEqualTo(new Admission<>(false, "a1"));
    }

    @Test
    void of_addresses_with_as_many_connections_the_one_that_waited_longest_loses_one() {
        for (String address : List.of("c", "a", "d", "b")) {
            nanos++;
            open(address + "1", address);
        }

        assertThat(limits.admit("e")).isEqualTo(new Admission<>(false, "c1"));
    }

    @Test
    void a_connection_with_a_request_is_never_closed_for_another_one() {
        open("a1", "a");
        open("a2", "a");
        limits.busy("a1", "a");

        assertThat(limits.admit("a")).isEqualTo(new Admission<>(false, "a2"));
        limits.busy("a2", "a");
        assertThat(limits.admit("a")).as("the new one is closed").isEqualTo(new Admission<>(false, null));
        limits.waiting("a1");
        assertThat(limits.admit("a")).isEqualTo(new Admission<>(false, "a1"));
    }

    @Test
    void a_connection_waits_from_its_last_request_on() {
        open("a1", "a");
        open("a2", "a");
        limits.busy("a1", "a");
        limits.waiting("a1");

        assertThat(limits.admit("a")).isEqualTo(new Admission<>(false, "a2"));
    }

    @Test
    void a_connection_whose_first_request_is_there_before_it_is_counted_counts_once() {
        limits.busy("a1", "a");
        limits.opened("a1", "a");
        open("a2", "a");

        assertThat(limits.admit("a")).isEqualTo(new Admission<>(false, "a2"));
        limits.closed("a1");
        limits.closed("a1");
        limits.waiting("a1");
        open("a3", "a");
        assertThat(limits.admit("a")).isEqualTo(new Admission<>(false, "a2"));
    }

    @Test
    void an_address_without_connections_is_forgotten() {
        for (int connection = 0; connection < 100; connection++) {
            open("one", "address-" + connection);
            limits.closed("one");
        }

        assertThat(limits.admit("a")).isEqualTo(new Admission<>(true, null));
    }

    @Test
    void bounds_that_contradict_each_other_are_refused() {
        assertThatThrownBy(() -> new ConnectionLimits<String>(1, 2, () -> nanos))
                .isInstanceOf(IllegalArgumentException.class);
        assertThatThrownBy(() -> new ConnectionLimits<String>(1, 0, () -> nanos))
                .isInstanceOf(IllegalArgumentException.class);
    }
}
