// SPDX-License-Identifier: Apache-2.0
package io.redliner.controller.core.sut;

import java.math.BigInteger;
import java.util.Comparator;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * Finds the newest version and the one before it. The version that was deployed last is the newest, whatever its name: a
 * rollback is a deployment too. Where no deployment was reported, versions that are numbers are ordered by number. Other
 * versions then have no order.
 */
final class VersionOrder {

    private final CandidateFleet fleet;

    private final List<String> known;

    VersionOrder(CandidateFleet fleet) {
        this.fleet = fleet;
        this.known = fleet.candidates()
                .stream()
                .map(candidate -> candidate.facts().version())
                .filter(Objects::nonNull)
                .distinct()
                .sorted()
                .toList();
    }

    /**
     * A version, and the reason why it was selected.
     *
     * @param why clause that follows its name
     */
    record Named(String version, String why) {}

    /**
     * Returns the version that the run is started for, or the newest of those that instances are known to run.
     *
     * @param among the known versions to choose from
     */
    Named newest(List<String> among) throws NoMatchingInstanceException {
        Rollout cause = fleet.cause();
        if (cause != null) {
            return new Named(cause.version(), "whose deployment started the run");
        }
        if (among.isEmpty()) {
            throw unknown("of no instance that fits it is known which version it runs");
        }
        Rollout last = fleet.rollouts().isEmpty() ? null : fleet.rollouts().getFirst();
        if (last != null && !last.named() && !known.contains(last.version())) {
            throw unknown("version " + last.version() + " was deployed last, at " + last.at()
                    + ", and nobody said to which instances");
        }
        Optional<Rollout> deployed = fleet.rollouts()
                .stream()
                .filter(rollout -> among.contains(rollout.version()))
                .findFirst();
        return deployed.isPresent()
                ? new Named(deployed.get().version(), "deployed at " + deployed.get().at())
                : new Named(highest(among), among.size() == 1
                        ? "the only one that is known"
                        : "the highest number, for no deployment of any was reported");
    }

    /** Returns the version before the one that the run is started for, or before the newest. */
    Named previous() throws NoMatchingInstanceException {
        String newest = newest(known).version();
        boolean deployed = fleet.rollouts().stream().anyMatch(rollout -> rollout.version().equals(newest));
        Optional<Rollout> before = fleet.rollouts()
                .stream()
                .dropWhile(rollout -> !rollout.version().equals(newest))
                .skip(1)
                .findFirst();
        if (before.isPresent()) {
            return new Named(before.get().version(), "deployed at " + before.get().at() + ", the one before " + newest);
        }
        List<String> others = known.stream().filter(version -> !version.equals(newest)).toList();
        if (others.isEmpty()) {
            throw new NoMatchingInstanceException(true, "of service " + fleet.service() + " no version before " + newest
                    + " is known: no deployment of another one was reported, and no instance is known to run another one. "
                    + whatToDo());
        }
        return others.size() == 1 && deployed
                ? new Named(others.getFirst(), "the only one beside " + newest + " that is known")
                : new Named(highest(lower(others, newest)), "the highest number below " + newest
                        + ", for no deployment of any was reported");
    }

    private List<String> lower(List<String> versions, String than) throws NoMatchingInstanceException {
        requireNumbers(than, versions);
        VersionNumber limit = VersionNumber.of(than).orElseThrow();
        List<String> lower = versions.stream()
                .filter(version -> VersionNumber.of(version).orElseThrow().compareTo(limit) < 0)
                .toList();
        if (lower.isEmpty()) {
            throw new NoMatchingInstanceException(true, "of service " + fleet.service() + " no version below " + than
                    + " is known; known are " + String.join(", ", versions) + ". " + whatToDo());
        }
        return lower;
    }

    private String highest(List<String> versions) throws NoMatchingInstanceException {
        if (versions.size() == 1) {
            return versions.getFirst();
        }
        requireNumbers(null, versions);
        return versions.stream()
                .max(Comparator.comparing(version -> VersionNumber.of(version).orElseThrow()))
                .orElseThrow();
    }

    private void requireNumbers(@Nullable String other, List<String> versions) throws NoMatchingInstanceException {
        if ((other != null && VersionNumber.of(other).isEmpty())
                || versions.stream().anyMatch(version -> VersionNumber.of(version).isEmpty())) {
            throw unknown("no deployment of " + versions.stream().collect(Collectors.joining(", "))
                    + (other == null ? "" : " and " + other)
                    + " was reported, and they are no plain numbers, so which is newer is not known");
        }
    }

    private NoMatchingInstanceException unknown(String why) {
        return new NoMatchingInstanceException(false,
                "the newest version of service " + fleet.service() + " is not known: " + why + ". " + whatToDo());
    }

    /** Advice for the end of every message: how to report the versions. */
    String whatToDo() {
        return "Tell it by POST /api/v1/events/deployments with instances, or by PUT /api/v1/services/"
                + fleet.service() + "/instances/{address}";
    }

    /**
     * A version that is made of numbers alone, {@code 2.10.1} or {@code v2.10.1}: the only kind with a known order.
     *
     * @param parts most significant first
     */
    private record VersionNumber(List<BigInteger> parts) implements Comparable<VersionNumber> {

        private static final Pattern NUMBERS = Pattern.compile("v?\\d{1,18}(?:\\.\\d{1,18}){0,9}");

        /** Parses a version; empty for any other text, such as one with a build or a pre-release. */
        static Optional<VersionNumber> of(String version) {
            return NUMBERS.matcher(version).matches()
                    ? Optional.of(new VersionNumber(Stream
                            .of((version.startsWith("v") ? version.substring(1) : version).split("\\.", -1))
                            .map(BigInteger::new)
                            .toList()))
                    : Optional.empty();
        }

        /** Compares part by part; a missing part counts as 0. */
        @Override
        public int compareTo(VersionNumber other) {
            for (int place = 0; place < Math.max(parts.size(), other.parts.size()); place++) {
                int order = part(place).compareTo(other.part(place));
                if (order != 0) {
                    return order;
                }
            }
            return 0;
        }

        private BigInteger part(int place) {
            return place < parts.size() ? parts.get(place) : BigInteger.ZERO;
        }
    }
}
