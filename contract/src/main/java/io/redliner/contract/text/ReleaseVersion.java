// SPDX-License-Identifier: Apache-2.0
package io.redliner.contract.text;

import java.util.Objects;

/** Says which version of RedLiner runs. The build writes it into the manifest of each jar. */
public final class ReleaseVersion {

    private ReleaseVersion() {}

    /** Returns the version, such as 0.1.0; {@code unreleased} for classes that are in no jar. */
    public static String get() {
        return Objects.requireNonNullElse(ReleaseVersion.class.getPackage().getImplementationVersion(), "unreleased");
    }
}
