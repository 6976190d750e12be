// SPDX-License-Identifier: Apache-2.0
package io.redliner.collector.source;

import java.time.Instant;
import java.util.List;

/** The instances that a source measures, which come and go. */
@FunctionalInterface
public interface LocalTargets {

    /** Returns the instances at this moment. */
    List<Target> at(Instant now);
}
