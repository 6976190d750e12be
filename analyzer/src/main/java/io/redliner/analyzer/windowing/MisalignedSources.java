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
 * Sources that report other windows than the ones being judged: their clock is wrong, or they report too late. Their observations
 * are missing in the windows that are judged meanwhile. For one thread.
 */
final class MisalignedSources {

    private record Misalignment(long untilMillis, String reason) {}

    /** A reason is kept for so many windows, of the longer length; by then it was reported again, or is over. */
    private static final int LASTS = 2;

    private final Duration length;

    /** In a fixed order, so that the first one to be named is the same in every process. */
    private final TreeMap<Source, Misalignment> misalignments = new TreeMap<>(
            Comparator.comparing(Source::collector).thenComparing(Source::instance));

    /** @param length of the windows that are judged */
    MisalignedSources(Duration length) {
        this.length = length;
    }

    /** Its window has not begun yet. */
    void early(InstanceObservation observation, Instant now) {
        double seconds = (observation.windowStartMillis() - now.toEpochMilli()) / 1e3;
        put(observation, now,
                "windows that begin %.1f s in the future: check the clocks of its proxies and of the analyzer",
                seconds);
    }

    /** Its window was judged without it. */
    void late(InstanceObservation observation, Instant now) {
        double seconds = (now.toEpochMilli() - observation.windowStartMillis()
                - observation.measured().length().toMillis())
                / 1e3;
        put(observation, now, "windows that ended %.1f s before: check the clocks of its proxies, and what delays it",
                seconds);
    }

    /** Its window is longer or shorter than the ones that are judged. */
    void otherLength(InstanceObservation observation, Instant now) {
        put(observation, now, "windows of %d ms, and others are judged: check whether it has received the run",
                observation.measured().length().toMillis());
    }

    /** Its number belongs to something else. */
    void repeated(InstanceObservation observation, Instant now) {
        put(observation, now,
                "with number %d, which it has used before: a collector that is started again needs a new name",
                observation.sequence());
    }

    /** The first misaligned source that a window lacks, as a sentence. */
    Optional<String> missingIn(Set<Source> received) {
        return misalignments.entrySet().stream().filter(entry -> !received.contains(entry.getKey())).findFirst()
                .map(entry -> "collector " + entry.getKey().collector() + " reports " + entry.getKey().instance() + " "
                        + entry.getValue().reason());
    }

    /** Forgets the reasons that lasted until then. */
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
        var itsLength = observation.measured().length();
        var lasts = (itsLength.compareTo(length) > 0 ? itsLength : length).multipliedBy(LASTS);
        misalignments.put(observation.source(),
                new Misalignment(now.plus(lasts).toEpochMilli(), String.format(Locale.ROOT, reason, figure)));
    }
}
