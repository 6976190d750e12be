// SPDX-License-Identifier: Apache-2.0
package io.redliner.redirector.dataplane;

import java.util.Comparator;

/**
 * The version of Envoy that a proxy names when it opens a stream.
 *
 * @param major 0 when it names none
 * @param minor 0 when it names none
 */
public record EnvoyVersion(int major, int minor) implements Comparable<EnvoyVersion> {

    /** The proxy names none: it counts as older than any. */
    public static final EnvoyVersion UNKNOWN = new EnvoyVersion(0, 0);

    /** The first that heeds {@code use_hash_policy} of weighted clusters; older ones ignore it, and choose at random. */
    public static final EnvoyVersion HASH_POLICY = new EnvoyVersion(1, 36);

    private static final Comparator<EnvoyVersion> ORDER = Comparator.comparingInt(EnvoyVersion::major)
            .thenComparingInt(EnvoyVersion::minor);

    @Override
    public int compareTo(EnvoyVersion other) {
        return ORDER.compare(this, other);
    }

    @Override
    public String toString() {
        return equals(UNKNOWN) ? "unknown" : major + "." + minor;
    }
}
