// SPDX-License-Identifier: Apache-2.0
package io.redliner.cli.client;

import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;

/** Reads values of the API for printing, so that text of others cannot move the cursor of a terminal, or colour it. */
public final class TerminalSafeText {

    private TerminalSafeText() {}

    /**
     * Returns a text whose control characters, and those that turn the direction of writing, are blanks; empty when there is none.
     */
    public static String text(JsonNode node) {
        return node.isMissingNode() || node.isNull()
                ? ""
                : node.asString("").replaceAll("[\\p{Cc}\\p{Cf}\\u2028\\u2029]", " ");
    }

    /** Returns a number, or null when there is none. */
    public static @Nullable Double number(JsonNode node) {
        return node.isNumber() ? node.asDouble() : null;
    }
}
