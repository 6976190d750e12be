// SPDX-License-Identifier: Apache-2.0
package io.redliner.collector.source;

import java.time.Instant;
import java.util.List;

/** The instances that a source looks at, which come and go. */
@FunctionalInterface
public interface LocalTargets {

    /** Those of a moment. */
    List<Target> at(Instant now);
}
