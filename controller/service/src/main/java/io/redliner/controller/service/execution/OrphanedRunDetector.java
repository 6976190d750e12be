// SPDX-License-Identifier: Apache-2.0
package io.redliner.controller.service.execution;

import io.redliner.controller.core.port.RunVersion;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Predicate;

/**
 * Finds live runs that nobody drives: their controller died, or their registration was committed and its answer lost. A
 * run is owned by whoever stores its decisions, and that is at least one with each renewal of its lease; so the version is
 * the owner's heartbeat, and one that stands still for longer than it may gives the run free. Only this process's clock
 * is asked, and only for how long it has seen the same version: controllers whose clocks differ come to the same answer.
 * A run that its driver let go is not waited for.
 */
final class OrphanedRunDetector {

    private final Duration patience;

    private final Map<String, Seen> seen = new HashMap<>();

    OrphanedRunDetector(Duration patience) {
        this.patience = patience;
    }

    private record Seen(long version, Instant since) {}

    /** Of the live runs those that this controller does not drive, and that have not changed for too long or were let go. */
    List<String> among(List<RunVersion> live, Predicate<String> driven, Instant now) {
        Map<String, Seen> still = new HashMap<>();
        List<String> neglected = new ArrayList<>();
        for (RunVersion run : live) {
            if (driven.test(run.runId())) {
                continue;
            }
            Seen before = seen.get(run.runId());
            Seen current = before != null && before.version() == run.version() ? before : new Seen(run.version(), now);
            still.put(run.runId(), current);
            if (run.free() || now.isAfter(current.since().plus(patience))) {
                neglected.add(run.runId());
            }
        }
        seen.clear();
        seen.putAll(still);
        return neglected;
    }
}
