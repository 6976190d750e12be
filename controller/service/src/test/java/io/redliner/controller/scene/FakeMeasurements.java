// SPDX-License-Identifier: Apache-2.0
package io.redliner.controller.scene;

import io.redliner.contract.v1.Estimate;
import io.redliner.contract.v1.Figure;
import io.redliner.contract.v1.Judgement;
import io.redliner.contract.v1.RuleVerdict;
import io.redliner.contract.v1.RunSpec;
import io.redliner.contract.v1.Traffic;
import io.redliner.contract.v1.Unit;

/** The parts of a verdict of {@link FakeDataPlane} that do not depend on its state. */
final class FakeMeasurements {

    private FakeMeasurements() {}

    static Estimate estimate(RunSpec run) {
        Estimate.Builder estimate = Estimate.newBuilder().setCapacity(395).setLow(390).setHigh(400)
                .setLimitingRule("latency").setLimitingValue(0.11).setLimitingThreshold(0.1)
                .setLastGood(390).setFirstBad(429);
        if (run.hasKnown()) {
            estimate.getCombinedBuilder().setCapacity(395).setLow(392).setHigh(398)
                    .setRuns(run.getKnown().getRuns() + 1);
        }
        return estimate.build();
    }

    static RuleVerdict.Builder latency(Judgement judgement, double p99) {
        return RuleVerdict.newBuilder()
                .setName("latency")
                .setExpression("latency.p99 <= duration('100ms')")
                .setJudgement(judgement)
                .setValue(p99)
                .setThreshold(0.1)
                .setUtilisation(p99 / 0.1)
                .setUnit(Unit.UNIT_SECONDS);
    }

    static Traffic.Builder traffic(double rate, int share) {
        return Traffic.newBuilder()
                .setRequestsPerSecond(rate)
                .setCompleted(Math.round(rate * FakeDataPlane.WINDOW_MS / 1000))
                .setSharePpm(share)
                .addGauges(Figure.newBuilder().setName("cpu").setValue(rate / FakeDataPlane.SERVICE_RATE)
                        .setUnit(Unit.UNIT_RATIO))
                .setShareRequests(Math.round(FakeDataPlane.SERVICE_RATE * FakeDataPlane.WINDOW_MS / 1000));
    }
}
