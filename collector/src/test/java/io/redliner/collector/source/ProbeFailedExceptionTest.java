// SPDX-License-Identifier: Apache-2.0
package io.redliner.collector.source;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

class ProbeFailedExceptionTest {

    @Test
    void the_first_ten_are_named_and_the_others_counted() {
        List<String> twelve = IntStream.range(0, 12).mapToObj(Integer::toString).toList();

        assertThat(ProbeFailedException.join(twelve)).isEqualTo("0; 1; 2; 3; 4; 5; 6; 7; 8; 9; and 2 more");
        assertThat(ProbeFailedException.join(twelve.subList(0, 2))).isEqualTo("0; 1");
    }
}
