// SPDX-License-Identifier: Apache-2.0
package io.redliner.controller.service.scheduling;

import io.redliner.controller.core.safety.RejectionReason;
import io.redliner.controller.core.safety.RunRejectedException;
import io.redliner.controller.core.series.SeriesPlanner;
import io.redliner.controller.core.series.SeriesState;
import io.redliner.controller.core.sut.SutSelector.SutSelection;
import io.redliner.controller.plan.Plan;
import io.redliner.controller.plan.Profile;
import io.redliner.controller.plan.ProfileSettings;
import io.redliner.controller.plan.SutChoice;
import io.redliner.controller.service.submission.RunSubmissionService;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/** Chooses the instances of a regression that its plan does not name, once and before its first run. */
final class RegressionInstanceSelector {

    private static final String UNKNOWN_HARDWARE = "hardware that nobody reported";

    private final RunSubmissionService submission;

    RegressionInstanceSelector(RunSubmissionService submission) {
        this.submission = submission;
    }

    /**
     * Chooses the new one first, for without it nothing is to be compared, and then an old one on the same hardware. Instances of which
     * nobody reported any are taken for alike.
     *
     * @throws RunRejectedException when one of them is not there, or when the hardware of the two differs or is known of one only
     */
    List<SeriesState.Side> choose(Plan plan, String id, @Nullable String deployment) {
        if (!(plan.settings() instanceof ProfileSettings.Regression regression)) {
            return List.of();
        }
        Choice choice = new Choice(plan, id, deployment, submission.hardware(plan.service()));
        return switch (regression.before()) {
            case SutChoice.Named before -> switch (regression.after()) {
                case SutChoice.Named after -> {
                    choice.requireAlike(before.instance(), after.instance());
                    yield List.of();
                }
                case SutChoice.Selected wanted -> List.of(choice.like(before.instance(), SeriesPlanner.NEW, wanted));
            };
            case SutChoice.Selected before -> switch (regression.after()) {
                case SutChoice.Named after -> List.of(choice.like(after.instance(), SeriesPlanner.OLD, before));
                case SutChoice.Selected wanted -> choice.pair(before, wanted);
            };
        };
    }

    /** The choice for one series. */
    private final class Choice {

        private final Plan plan;

        private final String id;

        private final @Nullable String deployment;

        /** The hardware of the service's instances, by address. */
        private final Map<String, String> hardware;

        Choice(Plan plan, String id, @Nullable String deployment, Map<String, String> hardware) {
            this.plan = plan;
            this.id = id;
            this.deployment = deployment;
            this.hardware = hardware;
        }

        /** Chooses both sides: a new one whose hardware an old one has, too. */
        List<SeriesState.Side> pair(SutChoice.Selected before, SutChoice.Selected after) {
            SeriesState.Side first = side(SeriesPlanner.NEW, after, Set.of());
            SeriesState.Side chosen = first;
            Set<String> without = new HashSet<>();
            while (true) {
                Optional<SeriesState.Side> old = tried(SeriesPlanner.OLD, before, unlike(chosen.chosen().instance()));
                if (old.isPresent()) {
                    return List.of(chosen, old.get());
                }
                without.addAll(alike(chosen.chosen().instance()));
                Optional<SeriesState.Side> next = tried(SeriesPlanner.NEW, after, without);
                if (next.isEmpty()) {
                    // Refuses by itself when there is no old one on any hardware.
                    SeriesState.Side other = side(SeriesPlanner.OLD, before, Set.of(first.chosen().instance()));
                    throw unlike(other.chosen().instance(), first.chosen().instance());
                }
                chosen = next.get();
            }
        }

        /** Chooses one side for another that the plan names. */
        SeriesState.Side like(String named, String label, SutChoice.Selected wanted) {
            return tried(label, wanted, unlike(named)).orElseGet(() -> {
                String other = side(label, wanted, Set.of(named)).chosen().instance();
                throw label.equals(SeriesPlanner.NEW) ? unlike(named, other) : unlike(other, named);
            });
        }

        void requireAlike(String before, String after) {
            if (unlike(before).contains(after)) {
                throw unlike(before, after);
            }
        }

        private SeriesState.Side side(String label, SutChoice.Selected wanted, Set<String> without) {
            return new SeriesState.Side(label, submission.choose(plan, wanted, without, id, deployment,
                    "$.spec.regression." + label + ".select"));
        }

        private Optional<SeriesState.Side> tried(String label, SutChoice.Selected wanted, Set<String> without) {
            try {
                return Optional.of(side(label, wanted, without));
            } catch (RunRejectedException none) {
                return Optional.empty();
            }
        }

        /** Returns the instance itself, and those whose hardware is not the same. */
        private Set<String> unlike(String instance) {
            Set<String> unlike = new HashSet<>(submission.instances(plan));
            unlike.removeAll(alike(instance));
            unlike.add(instance);
            return unlike;
        }

        private Set<String> alike(String instance) {
            return submission.instances(plan).stream()
                    .filter(other -> Objects.equals(hardware.get(other), hardware.get(instance)))
                    .collect(Collectors.toSet());
        }

        private RunRejectedException unlike(String before, String after) {
            return new RunRejectedException(RejectionReason.UNLIKE_HARDWARE, difference(before, after, hardware),
                    "$.spec.regression", List.of());
        }
    }

    private static String difference(String before, String after, Map<String, String> hardware) {
        return "old " + before + " runs on " + hardware.getOrDefault(before, UNKNOWN_HARDWARE) + " and new " + after
                + " on " + hardware.getOrDefault(after, UNKNOWN_HARDWARE)
                + ", and a difference would be that of the machines: compare instances of one hardware, as reported of"
                + " both";
    }

    /** Returns the reason why a member cannot be run: its instance is no longer what was chosen. Null when it is. */
    @Nullable
    String objection(SeriesState state, String service, SeriesState.Member member, @Nullable String versionNow) {
        String chosenFor = state.chosen(member).map(SutSelection::version).orElse(null);
        if (chosenFor != null && !chosenFor.equals(versionNow)) {
            return "instance " + member.instance() + " was chosen as the " + member.label() + " one with version "
                    + chosenFor + ", and runs " + (versionNow == null ? "an unknown version" : versionNow) + " now";
        }
        if (state.profile() != Profile.REGRESSION) {
            return null;
        }
        Map<String, String> hardware = submission.hardware(service);
        String before = instance(state, SeriesPlanner.OLD);
        String after = instance(state, SeriesPlanner.NEW);
        return Objects.equals(hardware.get(before), hardware.get(after)) ? null : difference(before, after, hardware);
    }

    private static String instance(SeriesState state, String label) {
        return state.members().stream().filter(member -> member.label().equals(label)).findFirst().orElseThrow()
                .instance();
    }
}
