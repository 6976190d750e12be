// SPDX-License-Identifier: Apache-2.0
package io.redliner.controller.service.scheduling;

import io.redliner.controller.core.safety.RejectionReason;
import io.redliner.controller.core.safety.RunRejectedException;
import io.redliner.controller.core.series.SeriesPlanner;
import io.redliner.controller.core.series.SeriesState;
import io.redliner.controller.core.sut.SutSelector.SutSelection;
import io.redliner.controller.plan.Plan;
import io.redliner.controller.plan.ProfileSettings;
import io.redliner.controller.plan.SutChoice;
import io.redliner.controller.service.submission.RunSubmissionService;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** Chooses the instances of a regression that its plan does not name, once and before its first run. */
final class RegressionInstanceSelector {

    private static final String UNKNOWN_HARDWARE = "hardware that nobody reported";

    private final RunSubmissionService submission;

    RegressionInstanceSelector(RunSubmissionService submission) {
        this.submission = submission;
    }

    /**
     * Chooses the new one first, for without it nothing is to be compared; the old one is another one, on the same hardware.
     *
     * @throws RunRejectedException when one of them is not there, or when their hardware is not known to be the same. Instances of
     *             which nobody reported any are taken for alike.
     */
    List<SeriesState.Side> choose(Plan plan, String id, @Nullable String deployment) {
        List<SeriesState.Side> sides = new ArrayList<>();
        if (plan.settings() instanceof ProfileSettings.Regression regression) {
            String after = switch (regression.after()) {
                case SutChoice.Named named -> named.instance();
                case SutChoice.Selected wanted -> side(plan, SeriesPlanner.NEW, wanted, named(regression.before()), id,
                        deployment, sides);
            };
            String before = switch (regression.before()) {
                case SutChoice.Named named -> named.instance();
                case SutChoice.Selected wanted -> side(plan, SeriesPlanner.OLD,
                        submission.hardware(plan, after).map(wanted::onHardware).orElse(wanted), Set.of(after), id,
                        deployment, sides);
            };
            requireLikeHardware(plan, before, after);
        }
        return sides;
    }

    private String side(Plan plan, String label, SutChoice.Selected wanted, Set<String> taken, String id,
            @Nullable String deployment, List<SeriesState.Side> sides) {
        SutSelection selection = submission.choose(plan, wanted, taken, id, deployment,
                "$.spec.regression." + label + ".select");
        sides.add(new SeriesState.Side(label, selection));
        return selection.instance();
    }

    private static Set<String> named(SutChoice side) {
        return side instanceof SutChoice.Named named ? Set.of(named.instance()) : Set.of();
    }

    private void requireLikeHardware(Plan plan, String before, String after) {
        Optional<String> old = submission.hardware(plan, before);
        Optional<String> changed = submission.hardware(plan, after);
        if (!old.equals(changed)) {
            throw new RunRejectedException(RejectionReason.UNLIKE_HARDWARE,
                    "old " + before + " runs on " + old.orElse(UNKNOWN_HARDWARE) + " and new " + after + " on "
                            + changed.orElse(UNKNOWN_HARDWARE)
                            + ", and a difference would be that of the machines: compare instances of one hardware, as"
                            + " reported of both",
                    "$.spec.regression", List.of());
        }
    }

    /** Returns the reason why a member cannot be run: its instance runs another version now. Null when it does not. */
    static @Nullable String objection(SeriesState state, SeriesState.Member member, @Nullable String versionNow) {
        String chosenFor = state.chosen(member).map(SutSelection::version).orElse(null);
        return chosenFor == null || chosenFor.equals(versionNow)
                ? null
                : "instance " + member.instance() + " was chosen as the " + member.label() + " one with version "
                        + chosenFor + ", and runs " + (versionNow == null ? "an unknown version" : versionNow) + " now";
    }
}
