// SPDX-License-Identifier: Apache-2.0
package io.redliner.collector.jvm;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import java.util.Set;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.constraints.IntRange;
import org.junit.jupiter.api.Test;

class HsPerfDataTest {

    private static final Set<String> NAMES = Set.of("sun.rt.safepointTime", "sun.os.hrt.frequency");

    private static Path own() {
        return HsPerfData.file(Path.of("/proc"), ProcessHandle.current().pid()).orElseThrow();
    }

    @Test
    void reads_the_counters_of_a_running_jvm() throws IOException {
        Map<String, Long> counters = HsPerfData.read(own(), NAMES);

        assertThat(counters).containsEntry("sun.os.hrt.frequency", 1_000_000_000L);
        assertThat(counters.get("sun.rt.safepointTime")).isPositive();
    }

    @Test
    void a_process_that_is_no_jvm_has_none() {
        assertThat(HsPerfData.file(Path.of("/proc"), 1L << 40)).isEmpty();
    }

    @Test
    void something_else_is_refused() {
        assertThatThrownBy(() -> HsPerfData.parse(ByteBuffer.allocate(100), NAMES))
                .isInstanceOf(IOException.class).hasMessageContaining("no performance data");
    }

    /** A real file with some bytes changed, or cut off: it is read or refused, in bounded time. */
    @Property(tries = 500)
    void any_damage_is_survived(@ForAll @IntRange(max = 400) int at, @ForAll int value,
            @ForAll @IntRange(min = 32, max = 40_000) int length) throws IOException {
        byte[] bytes = Files.readAllBytes(own());
        ByteBuffer damaged = ByteBuffer.wrap(bytes, 0, Math.min(length, bytes.length)).slice();
        damaged.putInt(Math.max(4, Math.min(at, damaged.capacity() - 4)), value);

        try {
            assertThat(HsPerfData.parse(damaged, NAMES).size()).isBetween(0, NAMES.size());
        } catch (IOException e) {
            assertThat(e).hasMessageContaining("performance data");
        }
    }
}
