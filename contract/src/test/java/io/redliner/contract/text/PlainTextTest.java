// SPDX-License-Identifier: Apache-2.0
package io.redliner.contract.text;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class PlainTextTest {

    @ParameterizedTest
    @ValueSource(strings = {"a\u202eb", "a\u2066b", "\u200fa", "a\ufeff", "a\u00adb", "a\u200bb", "a\u2028b", "a\u2029",
        "a\u0085b", "a\u001bb", "a\u007f", "\u0000", "\udb40\udc41a", "\u3164", "a\u115fb",
        "\u1160", "\u2800\u2800", "a\uffa0", "\u17b5", "\ue000", "\uf8ffa", "\udbc0\udc00", "\uffff", "\ufdd0",
        "\ud83f\udffe",
        "a\ud800"})
    void what_people_do_not_see_as_it_is_stored_is_refused(String text) {
        assertThat(PlainText.line(text)).isFalse();
        assertThatThrownBy(() -> PlainText.requireLine(text)).hasMessageContaining("U+");
        assertThatThrownBy(() -> PlainText.requireLines(text)).hasMessageContaining("U+");
        assertThat(PlainText.shown(text)).contains("\ufffd");
    }

    @ParameterizedTest
    @ValueSource(strings = {"\u200d", "\u200ca", "a\u200d", "a \u200cb", "a\u200c b", "a\u200c\u200db"})
    void a_joiner_that_joins_nothing_is_refused(String text) {
        assertThat(PlainText.line(text)).isFalse();
        assertThatThrownBy(() -> PlainText.requireLine(text)).hasMessageContaining("outside of a word");
    }

    @ParameterizedTest
    @ValueSource(strings = {"a\nb", "a\rb", "a\tb"})
    void line_breaks_and_tabs_are_in_no_name(String text) {
        assertThat(PlainText.line(text)).isFalse();
        assertThatThrownBy(() -> PlainText.requireLine(text)).hasMessageContaining("one line");
        assertThat(PlainText.requireLines(text)).isEqualTo(text);
        assertThat(PlainText.shown(text)).isEqualTo(text);
    }

    @ParameterizedTest
    @ValueSource(strings = {"latency", "p99 <= 100 ms", "Latenz für Käufer", "遅延", "زمان\u200cپاسخ", "שלום",
        "👩\u200d🚀", ""})
    void all_languages_are_plain(String text) {
        assertThat(PlainText.line(text)).isTrue();
        assertThat(PlainText.requireLine(text)).isEqualTo(text);
        assertThat(PlainText.shown(text)).isEqualTo(text);
    }

    @Test
    void a_character_is_named_as_people_look_it_up() {
        assertThatThrownBy(() -> PlainText.requireLine("a\u202eb")).hasMessageStartingWith("has the character U+202E");
    }
}
