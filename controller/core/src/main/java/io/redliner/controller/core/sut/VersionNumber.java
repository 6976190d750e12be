// SPDX-License-Identifier: Apache-2.0
package io.redliner.controller.core.sut;

import java.math.BigInteger;
import java.util.List;
import java.util.Optional;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/**
 * A version that is made of numbers alone, {@code 2.10.1} or {@code v2.10.1}: the only kind whose order is beyond doubt.
 *
 * @param parts most significant first
 */
record VersionNumber(List<BigInteger> parts) implements Comparable<VersionNumber> {

    private static final Pattern NUMBERS = Pattern.compile("v?\\d{1,18}(?:\\.\\d{1,18}){0,9}");

    /** Parses a version; empty for any other text, such as one with a build or a pre-release. */
    static Optional<VersionNumber> of(String version) {
        return NUMBERS.matcher(version).matches()
                ? Optional.of(new VersionNumber(Stream
                        .of((version.startsWith("v") ? version.substring(1) : version).split("\\.", -1))
                        .map(BigInteger::new)
                        .toList()))
                : Optional.empty();
    }

    /** A part that is missing counts as 0. */
    @Override
    public int compareTo(VersionNumber other) {
        for (int place = 0; place < Math.max(parts.size(), other.parts.size()); place++) {
            int order = part(place).compareTo(other.part(place));
            if (order != 0) {
                return order;
            }
        }
        return 0;
    }

    private BigInteger part(int place) {
        return place < parts.size() ? parts.get(place) : BigInteger.ZERO;
    }
}
