// SPDX-License-Identifier: Apache-2.0
package io.redliner.embedded;

import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import org.junit.jupiter.api.Test;

class OpenFilesTest {

    @Test
    void too_few_are_named_with_what_to_do() {
        assertThatThrownBy(() -> OpenFiles.require(256)).hasMessageContaining("256")
                .hasMessageContaining("ulimit -n 1024");
    }

    @Test
    void enough_or_a_limit_that_nobody_knows_will_do() {
        assertThatCode(() -> {
            OpenFiles.require(1024);
            OpenFiles.require(Long.MAX_VALUE);
            OpenFiles.require(-1);
            OpenFiles.require();
        }).doesNotThrowAnyException();
    }
}
