// SPDX-License-Identifier: Apache-2.0
package io.redliner.collector.series;

import java.time.Instant;
import java.util.Optional;

/** One series that is followed, and what it is for: a known measurement or custom gauges. */
final class Follow {

    private final Series series;

    private final Track track;

    private final Optional<Known> known;

    private final String part;

    private final CustomGauges custom;

    private double level = Double.NaN;

    private boolean rose;

    Follow(Point first, Optional<Known> known, CustomGauges custom, SeriesLedger ledger) {
        this.series = first.series();
        this.track = new Track(ledger);
        this.known = known;
        this.part = known.map(it -> it.part(series.labels())).orElse("");
        this.custom = custom;
    }

    Reading read(Point point, Instant now) {
        Reading reading = track.read(point, now);
        if (reading instanceof Reading.At at) {
            double value = at.value() * series.factor();
            rose = value > level;
            level = value;
        }
        return reading;
    }

    Series series() {
        return series;
    }

    Track track() {
        return track;
    }

    Optional<Known> known() {
        return known;
    }

    CustomGauges custom() {
        return custom;
    }

    boolean is(Meaning meaning, Known.Role role) {
        return known.isPresent() && known.get().meaning() == meaning && known.get().role() == role;
    }

    /** What the known measurement is finer in; empty: nothing. */
    String part() {
        return part;
    }

    /** The last one, in the base unit; NaN before. */
    double level() {
        return level;
    }

    /** Whether the last level is above the one before it. */
    boolean rose() {
        return rose;
    }
}
