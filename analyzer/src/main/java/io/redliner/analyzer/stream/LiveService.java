// SPDX-License-Identifier: Apache-2.0
package io.redliner.analyzer.stream;

import io.redliner.analyzer.run.ServiceAnalysis;
import io.redliner.analyzer.window.Sighting;
import java.time.Duration;
import java.time.Instant;

/** A service that something is known of. */
final class LiveService {

    final String name;

    final ServiceAnalysis analysis;

    /** Its last state. */
    final Encoded encoded = new Encoded();

    private long gaps;

    /** Whether more is known than what is stored. */
    boolean unsaved;

    private long takenOverMillis;

    /** Until then there may be observations of past windows that are yet to be read. */
    private Instant catchingUpUntil = Instant.MIN;

    LiveService(String name, ServiceAnalysis analysis) {
        this.name = name;
        this.analysis = analysis;
    }

    /**
     * It was another's until now.
     *
     * @param patience for how long what is yet to be read is waited for
     */
    void takenOver(Instant now, Duration patience) {
        takenOverMillis = now.toEpochMilli();
        catchingUpUntil = now.plus(patience);
    }

    /**
     * Notices that what was sent before the takeover has been read, and that it took no time: records come in the order in which
     * they were sent, and others of the same window may be the next ones.
     */
    void read(Sighting sighting, Instant now) {
        long end = sighting.windowStartMillis() + sighting.measured().length().toMillis();
        if (end > takenOverMillis && !analysis.isOver(end, now)) {
            catchingUpUntil = Instant.MIN;
        }
    }

    boolean catchingUp(Instant now) {
        return now.isBefore(catchingUpUntil);
    }

    /** Sightings that were found missing since this was last asked. */
    long newGaps() {
        long before = gaps;
        gaps = analysis.gaps();
        return gaps - before;
    }
}
