// SPDX-License-Identifier: Apache-2.0
package io.redliner.controller.core.run;

import io.redliner.contract.redirect.Share;
import io.redliner.controller.plan.Profile;
import java.time.Duration;
import java.util.List;
import java.util.Random;

/** A step plan at random. */
final class SimulatedPlan {

    private SimulatedPlan() {}

    static StepPlan of(Random random, Share natural, double rate) {
        LoadGoal goal = random.nextBoolean()
                ? LoadGoal.ofRate(rate * natural.ratio() * (0.5 + 2 * random.nextDouble()))
                : LoadGoal.ofShare(Share.ofRatio(natural.ratio() * (0.5 + 2 * random.nextDouble())));
        Duration ramp = Duration.ofSeconds(random.nextInt(10));
        Duration hold = Duration.ofSeconds(2 + random.nextInt(10));
        return switch (random.nextInt(4)) {
            case 0 -> new StepPlan.Hold(Profile.SMOKE, LoadGoal.ofShare(natural), Duration.ZERO, hold, null);
            case 1 -> new StepPlan.Hold(Profile.LOAD, goal, ramp, hold, null);
            case 2 -> new StepPlan.Overload(Profile.STRESS, goal, ramp, hold, Duration.ofSeconds(10));
            default -> new StepPlan.Staircase(1.1 + random.nextDouble() / 2, hold, List.of("failure"));
        };
    }
}
