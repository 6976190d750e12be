// SPDX-License-Identifier: Apache-2.0
package io.redliner.benchmarks.lab.redliner;

import io.redliner.analyzer.run.RunContext.Stage;
import io.redliner.analyzer.search.NoiseGate;
import io.redliner.analyzer.search.SearchAdvice;
import io.redliner.analyzer.search.SearchSettings;
import io.redliner.benchmarks.lab.traffic.HarmCalculator;
import io.redliner.benchmarks.lab.traffic.ServerFleet;
import io.redliner.controller.core.capacity.KnownCapacity;
import io.redliner.controller.core.run.LoadProfile;
import io.redliner.controller.core.run.ProfileFindings;
import io.redliner.controller.core.run.StepPlan;
import io.redliner.controller.core.run.StepPlanDecider;
import io.redliner.controller.core.run.StepPlanProgress;
import io.redliner.controller.core.run.RunEnd;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** Full runs of a server, and rechecks of it after its capacity has moved. */
public final class LabRecheck {

    private static final Duration BASELINE = Duration.ofSeconds(5);

    private static final Duration HOLD = Duration.ofSeconds(40);

    private static final double MAX_SECONDS = 200;

    private final RedLinerMethod method;

    private final boolean cpu;

    /** @param cpu true when the CPU is measured */
    public LabRecheck(RedLinerMethod method, boolean cpu) {
        this.method = method;
        this.cpu = cpu;
    }

    /** Capacity and load profile of full runs. */
    public record Known(KnownCapacity capacity, LoadProfile profile) {

        /** Returns what would have been found if the server had had this part of its capacity. */
        public Known times(double factor) {
            return new Known(
                    new KnownCapacity(capacity.capacity() * factor, capacity.low() * factor, capacity.high() * factor,
                            capacity.runs()),
                    new LoadProfile(profile.rule(), profile.points().stream()
                            .map(point -> new LoadProfile.Point(point.requestsPerSecond() * factor, point.levels(),
                                    point.requests(), point.exceeding(), point.dispersion()))
                            .toList()));
        }
    }

    /**
     * The end of a recheck.
     *
     * @param answer null when it did not end in time
     * @param low smallest factor of the capacity; NaN when it was not computed
     * @param high largest factor of the capacity; NaN when it was not computed
     * @param serviceRequests of the whole service in the run
     */
    public record Checked(@Nullable RunEnd answer, double low, double high, double serviceRequests,
            HarmCalculator.Sum harm) {}

    /** Returns what full runs find, the capacity of the first of them; empty when it has no answer. */
    public Optional<Known> known(List<ServerFleet> fleets) {
        var runs = fleets.stream().map(fleet -> method.recorded(fleet, cpu)).toList();
        runs.forEach(LabRun::answer);
        var windows = runs.stream().filter(run -> run.known().isPresent()).flatMap(run -> run.windows().stream())
                .toList();
        var newest = runs.getFirst();
        return newest.known().flatMap(known -> LabWindow.profile(newest.limitingRule(), windows)
                .map(profile -> new Known(
                        new KnownCapacity(known.capacity(), known.low(), known.high(), known.runs()), profile)));
    }

    /** Checks a server on a later day. */
    public Checked check(ServerFleet fleet, Known known) {
        var plan = StepPlan.Recheck.of(HOLD, known.capacity(), known.profile());
        var analysis = new LabAnalysis(fleet, method.rules(fleet.kind()),
                io.redliner.analyzer.search.SearchGoal.NONE, run -> new NoiseGate(SearchSettings.defaults()), true,
                cpu);
        var controller = new LabController(fleet.largestShare());
        for (int i = 0; i < fleet.windowsBefore(); i++) {
            analysis.seen(fleet.before());
        }
        analysis.hear(Stage.BASELINE);
        StepPlanProgress progress = null;
        RunEnd answer = null;
        double requests = 0;
        while (answer == null && fleet.seconds() < MAX_SECONDS) {
            var seen = fleet.next(controller.share());
            requests += seen.requestsPerSecond() * seen.seconds();
            for (var result : analysis.seen(seen)) {
                var advice = StepPlanDecider.advise(plan, progress,
                        new LabWindow(result, controller.share()).sample(fleet.largestShare()), BASELINE);
                progress = advice.progress();
                answer = answer == null ? advice.end() : answer;
                controller.follow(result.evaluation().sla().judgement(),
                        new SearchAdvice(SearchAdvice.Action.GO, advice.load().targetRequestsPerSecond(),
                                SearchAdvice.Phase.RAMPING, "", advice.load().step(), Optional.empty()),
                        result.serviceRequestsPerSecond());
            }
        }
        var findings = ProfileFindings.of(plan, progress);
        return new Checked(answer, figure(findings, "capacity.factor.low"), figure(findings, "capacity.factor.high"),
                requests, fleet.end());
    }

    private static double figure(ProfileFindings findings, String name) {
        return findings.figure(name).map(ProfileFindings.Figure::value).orElse(Double.NaN);
    }
}
