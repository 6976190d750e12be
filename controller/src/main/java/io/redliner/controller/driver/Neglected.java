// SPDX-License-Identifier: Apache-2.0
package io.redliner.controller.driver;

import io.redliner.controller.jdbc.StoredRun;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Predicate;

/**
 * Finds live runs that nobody drives: their registration was committed and its answer lost, or their controller gave
 * them up. Whoever drives a run stores a decision at least with each renewal of its lease, so one whose version stands
 * still for many renewals has no driver; the age of a run alone says nothing, as another controller may drive it.
 */
final class Neglected {

    private final Duration patience;

    private final Map<String, Seen> seen = new HashMap<>();

    Neglected(Duration patience) {
        this.patience = patience;
    }

    private record Seen(long version, Instant since) {}

    /** Of the live runs those that this controller does not drive, and that have not changed for too long. */
    List<StoredRun> among(List<StoredRun> live, Predicate<String> driven, Instant now) {
        Map<String, Seen> still = new HashMap<>();
        List<StoredRun> neglected = new ArrayList<>();
        for (StoredRun run : live) {
            if (driven.test(run.id())) {
                continue;
            }
            Seen before = seen.get(run.id());
            Seen current = before != null && before.version() == run.version() ? before : new Seen(run.version(), now);
            still.put(run.id(), current);
            if (now.isAfter(current.since().plus(patience))) {
                neglected.add(run);
            }
        }
        seen.clear();
        seen.putAll(still);
        return neglected;
    }
}
