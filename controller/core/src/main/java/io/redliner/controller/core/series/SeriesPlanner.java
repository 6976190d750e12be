// SPDX-License-Identifier: Apache-2.0
package io.redliner.controller.core.series;

import io.redliner.controller.plan.Plan;
import io.redliner.controller.plan.Profile;
import io.redliner.controller.plan.ProfileSettings;
import io.redliner.controller.plan.SutChoice;
import java.util.ArrayList;
import java.util.List;

/** Derives the runs of a series from its plan. */
public final class SeriesPlanner {

    public static final String OLD = "old";

    public static final String NEW = "new";

    private static final List<String> ROUND = List.of(OLD, NEW, NEW, OLD);

    private SeriesPlanner() {}

    /**
     * Creates the state of a series before its first run.
     *
     * @param sides the instances that were selected for sides whose instance the plan does not name
     * @throws IllegalArgumentException when the plan is that of a single run
     */
    public static SeriesState begin(String id, Plan plan, List<SeriesState.Side> sides) {
        return switch (plan.settings()) {
            case ProfileSettings.Scalability scalability -> new SeriesState(id, Profile.SCALABILITY, 0, true,
                    points(scalability), null, null, null, sides);
            case ProfileSettings.Regression regression -> new SeriesState(id, Profile.REGRESSION,
                    regression.worseBy().asDouble(),
                    regression.compare() == ProfileSettings.Regression.Compare.CAPACITY, rounds(regression, sides),
                    null, null, null, sides);
            case null, default -> throw new IllegalArgumentException("profile " + plan.profile() + " is no series");
        };
    }

    /** Returns the plan of one run; every limit, rule and guard is that of the series. It never starts by itself. */
    public static Plan member(Plan plan, SeriesState.Member member) {
        ProfileSettings.Load load = plan.settings() instanceof ProfileSettings.Regression regression
                ? regression.load()
                : null;
        return new Plan(plan.name(), plan.labels(), plan.service(), new SutChoice.Named(member.instance()),
                load == null ? Profile.CAPACITY : Profile.LOAD, plan.redirect(), plan.sla(), plan.guards(),
                plan.limits(), null, plan.notifications(), load, plan.safety());
    }

    private static List<SeriesState.Member> points(ProfileSettings.Scalability scalability) {
        List<SeriesState.Member> members = new ArrayList<>();
        for (ProfileSettings.Scalability.Point point : scalability.points()) {
            members.add(new SeriesState.Member(members.size() + 1, "size " + point.size().toPlainString(),
                    point.sut().instance(), point.size().doubleValue(), 1, null, null));
        }
        return members;
    }

    private static List<SeriesState.Member> rounds(ProfileSettings.Regression regression,
            List<SeriesState.Side> sides) {
        List<SeriesState.Member> members = new ArrayList<>();
        for (int round = 0; round < regression.rounds(); round++) {
            for (String label : ROUND) {
                SutChoice sut = label.equals(OLD) ? regression.before() : regression.after();
                members.add(new SeriesState.Member(members.size() + 1, label, instance(label, sut, sides), 0, 1, null,
                        null));
            }
        }
        return members;
    }

    private static String instance(String label, SutChoice sut, List<SeriesState.Side> sides) {
        return switch (sut) {
            case SutChoice.Named named -> named.instance();
            case SutChoice.Selected ignored -> sides.stream()
                    .filter(side -> side.label().equals(label))
                    .findFirst()
                    .orElseThrow(() -> new IllegalArgumentException("no instance was chosen for " + label))
                    .chosen()
                    .instance();
        };
    }

    static List<Measurement> measured(SeriesState state, boolean old) {
        List<Measurement> measured = new ArrayList<>();
        for (SeriesState.Member member : state.members()) {
            SeriesState.Result result = member.result();
            if (result != null && result.measurement() != null && member.label().equals(old ? OLD : NEW)) {
                measured.add(result.measurement());
            }
        }
        return measured;
    }
}
