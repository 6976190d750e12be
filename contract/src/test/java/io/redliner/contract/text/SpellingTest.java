// SPDX-License-Identifier: Apache-2.0
package io.redliner.contract.text;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Optional;
import java.util.stream.Stream;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class SpellingTest {

    @ParameterizedTest
    @CsvSource({"timeoutt, timeout", "timoeut, timeout", "TIMEOUT, timeout", "maxshare, maxShare",
        "maxShares, maxShare",
        "max_share, maxShare", "dnns, dns", "dsn, ", "colour, ", "t, ", "maxDuration, "})
    void a_slip_for_every_third_letter_is_understood(String word, String meant) {
        assertThat(Spelling.nearest(word, Stream.of("timeout", "maxShare", "dns"))).isEqualTo(
                Optional.ofNullable(meant));
    }

    @ParameterizedTest
    @CsvSource({"abc, abc, 0", "abc, abd, 1", "abc, ab, 1", "ab, ba, 2", "'', abc, 3", "kitten, sitting, 3"})
    void the_distance_is_the_number_of_letters_to_change(String one, String other, int distance) {
        assertThat(Spelling.distance(one, other)).isEqualTo(distance).isEqualTo(Spelling.distance(other, one));
    }
}
