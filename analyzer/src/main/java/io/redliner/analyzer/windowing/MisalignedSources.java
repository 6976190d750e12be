// SPDX-License-Identifier: Apache-2.0
package io.redliner.analyzer.windowing;

import io.redliner.analyzer.windowing.InstanceObservation.Source;
import io.redliner.analyzer.windowing.WindowingState.Misplacement;
import java.time.Duration;
import java.time.Instant;
import java.util.Comparator;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;

/**
 * Tracks sources that report other windows than the ones being judged: their clock is wrong, or they report too late. Their
 * observations are missing in the windows that are judged meanwhile. For one thread.
 */
final class MisalignedSources {

    private record Misalignment(long untilMillis, String reason) {}

    /** Windows for which a reason is kept, of the longer length. By then it was reported again, or is over. */
    private static final int RETAINED_WINDOWS = 2;

    private final Duration length;

    /** Sources in a fixed order, so that every process names the same one first. */
    private final TreeMap<Source, Misalignment> misalignments = new TreeMap<>(
            Comparator.comparing(Source::collector).thenComparing(Source::instance));

    /** @param length of the windows that are judged */
    MisalignedSources(Duration length) {
        this.length = length;
    }

    /** Records a source whose window has not begun yet. */
    void early(InstanceObservation observation, Instant now) {
        double seconds = (observation.windowStartMillis() - now.toEpochMilli()) / 1e3;
        put(observation, now,
                "windows that begin %.1f s in the future: check the clocks of its proxies and of the analyzer",
                seconds);
    }

    /** Records a source whose window was judged without it. */
    void late(InstanceObservation observation, Instant now) {
        double seconds = (now.toEpochMilli() - observation.windowStartMillis()
                - observation.length().toMillis())
                / 1e3;
        put(observation, now, "windows that ended %.1f s before: check the clocks of its proxies, and what delays it",
                seconds);
    }

    /** Records a source whose windows have another length than the windows that are judged. */
    void otherLength(InstanceObservation observation, Instant now) {
        put(observation, now, "windows of %d ms, and others are judged: check whether it has received the run",
                observation.length().toMillis());
    }

    /** Records a source that used the sequence number of another observation again. */
    void repeated(InstanceObservation observation, Instant now) {
        put(observation, now,
                "with number %d, which it has used before: a collector that is started again needs a new name",
                observation.sequence());
    }

    /** Describes the first misaligned source that is missing in a window; empty without one. */
    Optional<String> missingIn(Set<Source> received) {
        return misalignments.entrySet().stream().filter(entry -> !received.contains(entry.getKey())).findFirst()
                .map(entry -> "collector " + entry.getKey().collector() + " reports " + entry.getKey().instance() + " "
                        + entry.getValue().reason());
    }

    /** Forgets the reasons that are kept until a time before this one. */
    void forgetBefore(long millis) {
        misalignments.values().removeIf(misalignment -> misalignment.untilMillis() < millis);
    }

    List<Misplacement> state() {
        return misalignments.entrySet().stream().map(entry -> new Misplacement(entry.getKey().collector(),
                entry.getKey().instance(), entry.getValue().untilMillis(), entry.getValue().reason())).toList();
    }

    void resume(List<Misplacement> state) {
        state.forEach(one -> misalignments.put(new Source(one.collector(), one.instance()),
                new Misalignment(one.untilMillis(), one.reason())));
    }

    private void put(InstanceObservation observation, Instant now, String reason, Number figure) {
        var itsLength = observation.length();
        var lasts = (itsLength.compareTo(length) > 0 ? itsLength : length).multipliedBy(RETAINED_WINDOWS);
        misalignments.put(observation.source(),
                new Misalignment(now.plus(lasts).toEpochMilli(), String.format(Locale.ROOT, reason, figure)));
    }
}
