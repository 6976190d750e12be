// SPDX-License-Identifier: Apache-2.0
package io.redliner.contract.document;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

class YamlMistakeTest {

    @Test
    void the_last_place_counts_which_is_that_of_the_problem() {
        assertThat(YamlMistake.in("""
                while scanning a quoted scalar
                 in reader, line 1, column 4:
                    a: 'x
                       ^
                found unexpected end of stream
                 in reader, line 7, column 6:
                    a: 'x
                         ^
                """, "")).contains(new YamlMistake(7, 6, "found unexpected end of stream"));
    }

    @Test
    void a_text_that_looks_like_a_place_is_none() {
        assertThat(YamlMistake.in("""
                mapping values are not allowed here
                 in reader, line 2, column 3:
                     in reader, line 9, column 9:
                      ^
                """, "")).contains(new YamlMistake(2, 3, "mapping values are not allowed here"));
    }

    @Test
    void a_message_without_a_place_names_none() {
        assertThat(YamlMistake.in("Number value length (1001) exceeds the maximum allowed", "")).isEmpty();
    }
}
