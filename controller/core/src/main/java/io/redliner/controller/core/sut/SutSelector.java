// SPDX-License-Identifier: Apache-2.0
package io.redliner.controller.core.sut;

import io.redliner.controller.plan.SutChoice.Label;
import io.redliner.controller.plan.SutChoice.Select;
import io.redliner.controller.plan.SutChoice.Selected;
import java.time.Instant;
import java.util.Comparator;
import java.util.List;
import java.util.Locale;
import java.util.Objects;
import java.util.Set;
import java.util.TreeMap;
import java.util.random.RandomGenerator;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * Chooses an instance as a pure function of what is known and of a source of randomness. An instance of which something is not
 * known never counts as having it.
 */
public final class SutSelector {

    private static final int MAX_LISTED = 10;

    private static final Comparator<SutCandidate> BY_LAST_TEST = Comparator.comparing(SutCandidate::testedAt,
            Comparator.nullsFirst(Comparator.naturalOrder()));

    private SutSelector() {}

    /**
     * Selects one instance of the fleet.
     *
     * @param without addresses that are not to be taken
     * @param deployment that starts the run, to be recorded; absent without one
     * @param random decides between instances that fit equally well
     * @throws NoMatchingInstanceException when no known instance matches the selection
     */
    public static SutSelection choose(Selected wanted, CandidateFleet fleet, Set<String> without,
            @Nullable String deployment,
            RandomGenerator random) throws NoMatchingInstanceException {
        List<SutCandidate> labelled = fleet.candidates()
                .stream()
                .filter(candidate -> candidate.has(wanted))
                .toList();
        VersionOrder versions = new VersionOrder(fleet);
        VersionOrder.Named version = switch (wanted.select()) {
            case RANDOM, LABEL -> null;
            case NEWEST -> versions.newest(versionsOf(labelled));
            case PREVIOUS -> versions.previous();
        };
        // Only now: the newest version is the newest, also when its instance is taken otherwise.
        List<SutCandidate> fitting = labelled.stream()
                .filter(candidate -> !without.contains(candidate.address()))
                .filter(candidate -> version == null || version.version().equals(candidate.facts().version()))
                .toList();
        if (fitting.isEmpty()) {
            throw noMatch(wanted, fleet, versions, version);
        }
        boolean any = wanted.select() == Select.RANDOM;
        List<SutCandidate> best = any ? fitting : leastRecent(fitting);
        SutCandidate taken = best.get(random.nextInt(best.size()));
        return new SutSelection(taken.address(), wanted.select().name().toLowerCase(Locale.ROOT),
                taken.facts().version(), fitting.size(), reason(wanted, version, fitting, taken, best.size()),
                deployment);
    }

    private static List<String> versionsOf(List<SutCandidate> candidates) {
        return candidates.stream()
                .map(candidate -> candidate.facts().version())
                .filter(Objects::nonNull)
                .distinct()
                .sorted()
                .toList();
    }

    private static List<SutCandidate> leastRecent(List<SutCandidate> fitting) {
        SutCandidate first = fitting.stream().min(BY_LAST_TEST).orElseThrow();
        return fitting.stream()
                .filter(candidate -> BY_LAST_TEST.compare(candidate, first) == 0)
                .toList();
    }

    private static String reason(Selected wanted, VersionOrder.@Nullable Named version, List<SutCandidate> fitting,
            SutCandidate taken, int equal) {
        String labels = wanted.labels().isEmpty() ? "" : " with " + wanted.describe();
        String of = version == null ? labels : " of version " + version.version() + " (" + version.why() + ")" + labels;
        if (fitting.size() == 1) {
            return "the only instance" + of;
        }
        if (wanted.select() == Select.RANDOM) {
            return "drawn by lot from " + fitting.size() + " instances" + of;
        }
        Instant tested = taken.testedAt();
        return "of " + fitting.size() + " instances" + of + " the one that was tested least recently, "
                + (tested == null ? "not lately" : "at " + tested)
                + (equal > 1 ? ", drawn by lot from " + equal + " such" : "");
    }

    private static NoMatchingInstanceException noMatch(Selected wanted, CandidateFleet fleet, VersionOrder versions,
            VersionOrder.@Nullable Named version) {
        Rollout rollout = fleet.rollout();
        boolean gone = version != null && (wanted.select() == Select.PREVIOUS || rollout != null);
        String labels = wanted.labels().isEmpty() ? "" : " with " + wanted.describe();
        String of = version == null ? labels : " of version " + version.version() + " (" + version.why() + ")" + labels;
        String superseded = gone && rollout != null && wanted.select() == Select.NEWEST
                ? ": version " + rollout.version() + " was deployed since, at " + rollout.at()
                : "";
        return new NoMatchingInstanceException(gone, "service " + fleet.service() + " has no instance" + of
                + (gone ? " left" : ", as far as is known") + superseded + "; " + availableLabels(wanted, fleet) + ". "
                + versions.whatToDo());
    }

    /** Lists the labels that the candidates have, for the message of a failure. */
    private static String availableLabels(Selected wanted, CandidateFleet fleet) {
        if (fleet.candidates().isEmpty()) {
            return "no instance can be chosen"
                    + (fleet.others() > 0 ? ", for " + fleet.others() + " get no traffic or are above maxShare" : "");
        }
        Label label = wanted.labels().isEmpty() ? Label.VERSION : wanted.labels().keySet().iterator().next();
        return "known are " + fleet.candidates()
                .stream()
                .collect(Collectors.groupingBy(candidate -> described(label, candidate.value(label)), TreeMap::new,
                        Collectors.counting()))
                .entrySet()
                .stream()
                .limit(MAX_LISTED)
                .map(one -> one.getValue() + " of " + one.getKey())
                .collect(Collectors.joining(", "));
    }

    private static String described(Label label, @Nullable String value) {
        return value == null ? "unknown " + label.field() : label.field() + " " + value;
    }

    /**
     * The instance that was selected for a plan that names none. It is recorded with the reason, and stays the same for the
     * whole run.
     *
     * @param select how, as in the plan
     * @param version that the instance was known to run; absent when unknown
     * @param among how many instances fitted, this one included
     * @param why one sentence for people
     * @param deployment that the run was started by; absent when something else started it
     */
    public record SutSelection(String instance, String select, @Nullable String version, int among, String why,
            @Nullable String deployment) {}
}
