// SPDX-License-Identifier: Apache-2.0
package io.redliner.analyzer.stream;

import io.redliner.analyzer.run.ServiceAnalysis;

/** A service that something is known of. */
final class LiveService {

    final String name;

    final ServiceAnalysis analysis;

    /** Its last state. */
    final Encoded encoded = new Encoded();

    private long gaps;

    /** Whether more is known than what is stored. */
    boolean unsaved;

    LiveService(String name, ServiceAnalysis analysis) {
        this.name = name;
        this.analysis = analysis;
    }

    /** Sightings that were found missing since this was last asked. */
    long newGaps() {
        long before = gaps;
        gaps = analysis.gaps();
        return gaps - before;
    }
}
