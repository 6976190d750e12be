// SPDX-License-Identifier: Apache-2.0
package io.redliner.controller.service.security;

import static org.assertj.core.api.Assertions.assertThat;

import java.security.SecureRandom;
import java.util.HashSet;
import java.util.Set;
import org.junit.jupiter.api.Test;

class ApiTokenFormatTest {

    @Test
    void each_token_is_another_and_well_formed() {
        Set<String> texts = new HashSet<>();
        for (int i = 0; i < 1000; i++) {
            String text = ApiTokenFormat.random(new SecureRandom());
            assertThat(ApiTokenFormat.wellFormed(text)).isTrue();
            texts.add(text);
        }
        assertThat(texts).hasSize(1000);
    }

    @Test
    void a_mistyped_token_is_seen_without_asking_anybody() {
        String text = ApiTokenFormat.random(new SecureRandom());
        for (int i = 0; i < text.length(); i++) {
            char other = text.charAt(i) == 'x' ? 'y' : 'x';
            assertThat(ApiTokenFormat.wellFormed(text.substring(0, i) + other + text.substring(i + 1))).isFalse();
        }
        assertThat(ApiTokenFormat.wellFormed(text + "x")).isFalse();
        assertThat(ApiTokenFormat.wellFormed("")).isFalse();
    }
}
