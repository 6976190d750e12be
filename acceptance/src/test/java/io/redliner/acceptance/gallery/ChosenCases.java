// SPDX-License-Identifier: Apache-2.0
package io.redliner.acceptance.gallery;

import java.util.Arrays;
import java.util.List;

/** The cases that a property of the build asks for. */
final class ChosenCases {

    private ChosenCases() {}

    /**
     * Returns the constants that a property names, separated by commas; all without the property.
     *
     * @throws IllegalArgumentException for another name
     */
    static <E extends Enum<E>> List<E> of(Class<E> kind, String property) {
        String chosen = System.getProperty(property, "");
        return chosen.isEmpty()
                ? List.of(kind.getEnumConstants())
                : Arrays.stream(chosen.split(",")).map(name -> Enum.valueOf(kind, name)).toList();
    }
}
