// SPDX-License-Identifier: Apache-2.0
package io.redliner.controller.service.execution;

import io.redliner.controller.core.port.RunRepository.RunVersion;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Predicate;

/**
 * Finds live runs that no controller drives: their controller died, or their registration was committed and its answer was
 * lost. The controller that stores a run's decisions owns the run. It stores at least one decision with each renewal of the
 * lease, so the version of the run is the owner's heartbeat. A version that has not moved for the timeout makes the run an
 * orphan. Only this process's clock measures that time, so controllers whose clocks differ come to the same answer. A run that its
 * controller released is an orphan at once.
 */
final class OrphanedRunDetector {

    private final Duration timeout;

    private final Map<String, Seen> seen = new HashMap<>();

    OrphanedRunDetector(Duration timeout) {
        this.timeout = timeout;
    }

    private record Seen(long version, Instant since) {}

    /** The live runs that this controller does not drive, and that were released or have not changed for the timeout. */
    List<String> among(List<RunVersion> live, Predicate<String> driven, Instant now) {
        Map<String, Seen> still = new HashMap<>();
        List<String> orphaned = new ArrayList<>();
        for (RunVersion run : live) {
            if (driven.test(run.runId())) {
                continue;
            }
            Seen before = seen.get(run.runId());
            Seen current = before != null && before.version() == run.version() ? before : new Seen(run.version(), now);
            still.put(run.runId(), current);
            if (run.free() || now.isAfter(current.since().plus(timeout))) {
                orphaned.add(run.runId());
            }
        }
        seen.clear();
        seen.putAll(still);
        return orphaned;
    }
}
