// SPDX-License-Identifier: Apache-2.0
package io.redliner.cli.client;

import java.time.DateTimeException;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
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
                : of(node.asString(""));
    }

    /** Returns a text with blanks in place of control characters, and of those that turn the direction of writing. */
    public static String of(String text) {
        return text.replaceAll("[\\p{Cc}\\p{Cf}\\u2028\\u2029]", " ");
    }

    /** Returns an instant in whole seconds, or null when there is none. */
    public static @Nullable Instant instant(JsonNode node) {
        try {
            return node.isString() ? Instant.parse(node.asString("")).truncatedTo(ChronoUnit.SECONDS) : null;
        } catch (DateTimeException unreadable) {
            return null;
        }
    }

    /** Returns an instant in whole seconds as a text; another text as it is. */
    public static String time(JsonNode node) {
        Instant instant = instant(node);
        return instant == null ? text(node) : instant.toString();
    }

    /** Returns a number, or null when there is none. */
    public static @Nullable Double number(JsonNode node) {
        return node.isNumber() ? node.asDouble() : null;
    }
}
