// SPDX-License-Identifier: Apache-2.0
package io.redliner.contract.text;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.nio.charset.CharacterCodingException;
import java.nio.charset.Charset;
import java.nio.charset.StandardCharsets;
import java.util.HexFormat;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class Utf8Test {

    @Test
    void letters_of_every_script_are_kept() throws CharacterCodingException {
        String text = "metadata: {name: Prüfung-Ω-検査-😀}";

        assertThat(Utf8.decode(text.getBytes(StandardCharsets.UTF_8))).isEqualTo(text);
        assertThat(Utf8.decodeFile(text.getBytes(StandardCharsets.UTF_8))).isEqualTo(text);
    }

    @ParameterizedTest
    @ValueSource(strings = {"UTF-16", "UTF-16LE", "UTF-16BE", "UTF-32", "ISO-8859-1", "windows-1252", "Shift_JIS"})
    void another_encoding_is_refused(String encoding) {
        String text = encoding.equals("Shift_JIS") ? "name: 検査" : "name: Prüfung";

        assertThatThrownBy(() -> Utf8.decodeFile(text.getBytes(Charset.forName(encoding))))
                .isInstanceOf(CharacterCodingException.class);
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', value = {"fc | 1 | 1", "61 0a 62 fc 63 | 2 | 2", "61 0a c3 bc c3 28 | 2 | 3",
        "61 0d 0a 00 | 2 | 1",
        "61 62 c3 | 1 | 3", "ed a0 80 | 1 | 1"})
    void the_place_is_named(String bytes, int line, int position) {
        byte[] text = HexFormat.ofDelimiter(" ").parseHex(bytes);

        assertThatThrownBy(() -> Utf8.decodeFile(text)).isInstanceOf(CharacterCodingException.class)
                .hasMessage("is not UTF-8 (line " + line + ", byte " + position + ")");
    }

    @ParameterizedTest
    @ValueSource(strings = {"UTF-16LE", "UTF-32BE"})
    void another_encoding_is_refused_without_a_letter_beyond_ASCII(String encoding) {
        assertThatThrownBy(() -> Utf8.decodeFile("name: shop".getBytes(Charset.forName(encoding))))
                .isInstanceOf(CharacterCodingException.class);
    }
}
