// SPDX-License-Identifier: Apache-2.0
package io.redliner.controller.plan;

import java.util.regex.Pattern;

/**
 * Which instance is tested.
 *
 * @param instance {@code host:port}
 */
public record SutChoice(String instance) {

    private static final Pattern ADDRESS = Pattern.compile("(?:\\[[0-9A-Fa-f:.]+]|[A-Za-z0-9._-]{1,253}):\\d{1,5}");

    /** @throws IllegalArgumentException when it is no {@code host:port} */
    public SutChoice {
        if (!ADDRESS.matcher(instance).matches()
                || Integer.parseInt(instance.substring(instance.lastIndexOf(':') + 1)) > 65_535) {
            throw new IllegalArgumentException("is no instance; write it as host:port");
        }
    }
}
