// SPDX-License-Identifier: Apache-2.0
package io.redliner.controller.service.security;

import java.util.Objects;

/** A text that must not be shown: it is printed as stars. */
final class SecretText {

    private final String text;

    private SecretText(String text) {
        this.text = text;
    }

    /** Creates a secret from a setting; called by Spring. It validates nothing, because a failure would print the text. */
    public static SecretText of(String text) {
        return new SecretText(Objects.requireNonNull(text));
    }

    String text() {
        return text;
    }

    @Override
    public String toString() {
        return "***";
    }
}
