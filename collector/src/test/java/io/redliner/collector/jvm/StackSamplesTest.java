// SPDX-License-Identifier: Apache-2.0
package io.redliner.collector.jvm;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.TreeSet;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Test;

class StackSamplesTest {

    @Test
    void of_many_threads_each_is_read_in_its_turn() throws Exception {
        var read = new TreeSet<Long>();
        var samples = new StackSamples((ids, frames) -> {
            LongStream.of(ids).forEach(read::add);
            return new Object[0];
        });
        for (int look = 0; look < 4; look++) {
            samples.mostRun(LongStream.range(0, 100).toArray());
        }

        assertThat(read).hasSize(100);
        assertThat(samples.mostRun(new long[0])).isEmpty();
        assertThat(samples.mostRun(new long[]{1})).isEmpty();
    }
}
