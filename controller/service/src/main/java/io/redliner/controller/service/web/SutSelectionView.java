// SPDX-License-Identifier: Apache-2.0
package io.redliner.controller.service.web;

import io.redliner.controller.core.series.SeriesState;
import io.redliner.controller.core.sut.SutSelector.SutSelection;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The instance that was chosen for a plan that names none.
 *
 * @param side of a regression, {@code old} or {@code new}; absent of a single run
 * @param select how, as in the plan
 * @param version that it was known to run; absent when unknown
 * @param among how many instances fitted
 * @param why one sentence for people
 * @param deploymentId what started the run; absent when something else did
 */
record SutSelectionView(@Nullable String side, String instance, String select, @Nullable String version, int among,
        String why, @Nullable String deploymentId) {

    static SutSelectionView of(SutSelection selection) {
        return of(null, selection);
    }

    static @Nullable SutSelectionView ofIfAny(@Nullable SutSelection selection) {
        return selection == null ? null : of(null, selection);
    }

    static List<SutSelectionView> of(List<SeriesState.Side> sides) {
        return sides.stream().map(side -> of(side.label(), side.chosen())).toList();
    }

    private static SutSelectionView of(@Nullable String side, SutSelection selection) {
        return new SutSelectionView(side, selection.instance(), selection.select(), selection.version(),
                selection.among(),
                selection.why(), selection.deployment());
    }
}
