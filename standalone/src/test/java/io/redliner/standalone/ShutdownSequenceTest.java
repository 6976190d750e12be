// SPDX-License-Identifier: Apache-2.0
package io.redliner.standalone;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

class ShutdownSequenceTest {

    private final List<String> stopped = new ArrayList<>();

    private final ShutdownSequence ending = new ShutdownSequence(line -> {}, "Stopping");

    @Test
    void stops_the_newest_part_first_and_each_once() {
        ending.register(part("users"));
        ending.register(part("stack"));

        ending.close();
        ending.close();

        assertThat(stopped).containsExactly("stack", "users");
    }

    @Test
    void stops_the_others_when_one_cannot_be_stopped() {
        ending.register(part("users"));
        ending.register(() -> {
            throw new IllegalStateException("stuck");
        });

        ending.close();

        assertThat(stopped).containsExactly("users");
        assertThat(ending.interrupted()).isFalse();
    }

    private AutoCloseable part(String name) {
        return () -> stopped.add(name);
    }
}
