// SPDX-License-Identifier: Apache-2.0
package io.redliner.controller.service.scheduling;

import io.redliner.controller.core.safety.RunRejectedException;
import io.redliner.controller.core.series.SeriesPlanner;
import io.redliner.controller.core.series.SeriesState;
import io.redliner.controller.core.sut.SutSelector.SutSelection;
import io.redliner.controller.plan.Plan;
import io.redliner.controller.plan.ProfileSettings;
import io.redliner.controller.plan.SutChoice;
import io.redliner.controller.service.submission.RunSubmissionService;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** Chooses the instances of a regression that its plan does not name, once and before its first run. */
final class RegressionInstanceSelector {

    private final RunSubmissionService submission;

    RegressionInstanceSelector(RunSubmissionService submission) {
        this.submission = submission;
    }

    /**
     * The new one first, for without it nothing is to be compared; the old one is another one.
     *
     * @throws RunRejectedException when one of them is not there
     */
    List<SeriesState.Side> choose(Plan plan, String id, @Nullable String deployment) {
        List<SeriesState.Side> sides = new ArrayList<>();
        if (plan.settings() instanceof ProfileSettings.Regression regression) {
            Set<String> taken = new HashSet<>();
            name(regression.before(), taken);
            name(regression.after(), taken);
            Map<String, SutChoice> choices = new LinkedHashMap<>();
            choices.put(SeriesPlanner.NEW, regression.after());
            choices.put(SeriesPlanner.OLD, regression.before());
            choices.forEach((label, side) -> {
                if (side instanceof SutChoice.Selected wanted) {
                    SutSelection selection = submission.choose(plan, wanted, Set.copyOf(taken), id, deployment,
                            "$.spec.regression." + label + ".select");
                    taken.add(selection.instance());
                    sides.add(new SeriesState.Side(label, selection));
                }
            });
        }
        return sides;
    }

    private static void name(SutChoice side, Set<String> taken) {
        if (side instanceof SutChoice.Named named) {
            taken.add(named.instance());
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
