// SPDX-License-Identifier: Apache-2.0
package io.redliner.redirector.config;

import static org.assertj.core.api.Assertions.assertThatThrownBy;

import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class LocatedYamlTest {

    @ParameterizedTest
    @CsvSource(delimiter = '|', value = {
        "services:%n  - name: sh\u0007op               | 2:13 | U+0007",
        "services:%n# \ud83d\ude00\u0000x               | 2:4  | U+0000",
        "services:%n\u00a0\u00a0- name: shop%n  - x: y  | 2:1  | no-break space (U+00A0)",
        "services:%n  - name: shop%n   \u2003listen: 1 | 3:4  | em space (U+2003)",
        "services:%n  - name: shop%n  \u3000 listen: 1 | 3:3  | ideographic space (U+3000)"})
    void what_no_eye_can_see_is_named_at_its_place(String text, String place, String words) {
        assertThatThrownBy(() -> ServicesFileParser.parse("services.yaml", text.formatted()))
                .isInstanceOf(InvalidServicesFileException.class)
                .hasMessageStartingWith("services.yaml:" + place + ": ")
                .hasMessageContaining(words);
    }
}
