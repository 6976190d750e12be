// SPDX-License-Identifier: Apache-2.0
package io.redliner.controller.service.scheduling;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.nio.charset.CharacterCodingException;
import java.nio.charset.Charset;
import java.nio.charset.StandardCharsets;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class IcsTextTest {

    private static byte[] latin(String bytes) {
        return bytes.getBytes(StandardCharsets.ISO_8859_1);
    }

    @ParameterizedTest
    @ValueSource(strings = {"\r\n ", "\n ", "\r\n\t", "\n\t"})
    void a_line_that_is_folded_inside_of_a_character_is_unfolded(String fold) throws CharacterCodingException {
        assertThat(IcsText.decode(latin("SUMMARY:f\u00c3" + fold + "\u00bcr alle\r\nUID:a\r\n")))
                .isEqualTo("SUMMARY:für alle\r\nUID:a\r\n");
    }

    @Test
    void other_text_stays_as_it_is() throws CharacterCodingException {
        String text = "SUMMARY:für\r\n  alle\r\nUID:a\r\n";

        assertThat(IcsText.decode(text.getBytes(StandardCharsets.UTF_8))).isEqualTo(text);
    }

    @ParameterizedTest
    @ValueSource(strings = {"ISO-8859-1", "windows-1252", "UTF-16", "UTF-16LE", "UTF-32"})
    void another_encoding_is_refused(String encoding) {
        byte[] text = "SUMMARY:f\u00fcr\r\n alle\r\n".getBytes(Charset.forName(encoding));

        assertThatThrownBy(() -> IcsText.decode(text)).isInstanceOf(CharacterCodingException.class);
    }

    @Test
    void the_place_of_another_encoding_is_one_of_the_file_also_behind_folds() {
        assertThatThrownBy(() -> IcsText.decode(latin("SUMMARY:f\u00c3\r\n \u00bcr\r\n  alle\r\nUID:\u00fc\r\n")))
                .hasMessage("is not UTF-8 (line 4, byte 5)");
    }

    @ParameterizedTest
    @ValueSource(strings = {"\u00c3", "\u00c3\r", "\u00c3\r\n", "\u00c3\n", "\u00c3\r\n "})
    void text_that_ends_inside_of_a_character_is_refused(String text) {
        assertThatThrownBy(() -> IcsText.decode(latin(text))).isInstanceOf(CharacterCodingException.class);
    }
}
