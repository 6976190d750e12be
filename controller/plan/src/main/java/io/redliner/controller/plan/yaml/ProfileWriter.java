// SPDX-License-Identifier: Apache-2.0
package io.redliner.controller.plan.yaml;

import io.redliner.controller.plan.DurationText;
import io.redliner.controller.plan.LoadTarget;
import io.redliner.controller.plan.ProfileSettings;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** Writes the settings of a profile in the form that {@link ProfileReader} reads. */
final class ProfileWriter {

    private ProfileWriter() {}

    static Map<String, Object> content(ProfileSettings settings) {
        Map<String, Object> content = new LinkedHashMap<>();
        switch (settings) {
            case ProfileSettings.Smoke smoke -> load(content, smoke.target(), null, smoke.hold());
            case ProfileSettings.Load load -> load(content, load.target(), load.ramp(), load.hold());
            case ProfileSettings.Breakpoint breakpoint -> {
                content.put("step", breakpoint.step().toString());
                content.put("dwell", DurationText.write(breakpoint.dwell()));
                content.put("until", breakpoint.until().stream().map(rule -> {
                    Map<String, Object> entry = new LinkedHashMap<>();
                    entry.put("name", rule.name());
                    entry.put("expr", rule.expression());
                    return entry;
                }).toList());
            }
            case ProfileSettings.Stress stress -> {
                load(content, stress.target(), stress.ramp(), stress.hold());
                content.put("recovery", DurationText.write(stress.recovery()));
            }
            case ProfileSettings.Spike spike -> {
                load(content, spike.target(), null, spike.hold());
                content.put("recovery", DurationText.write(spike.recovery()));
            }
            case ProfileSettings.Endurance endurance -> {
                load(content, endurance.target(), endurance.ramp(), endurance.hold());
                content.put("drift", endurance.drift().toString());
            }
            case ProfileSettings.Recheck recheck -> load(content, null, null, recheck.hold());
            case ProfileSettings.Scalability scalability -> content.put("points",
                    scalability.points().stream().map(point -> {
                        Map<String, Object> entry = new LinkedHashMap<>();
                        entry.put("instance", point.sut().instance());
                        entry.put("size", point.size().toPlainString());
                        return entry;
                    }).toList());
            case ProfileSettings.Regression regression -> regression(content, regression);
        }
        return content;
    }

    private static void regression(Map<String, Object> content, ProfileSettings.Regression regression) {
        content.put("old", SutReader.contentOrName(regression.before()));
        content.put("new", SutReader.contentOrName(regression.after()));
        content.put("rounds", regression.rounds());
        content.put("compare", PlanReader.written(regression.compare()));
        content.put("worseBy", regression.worseBy().toString());
        ProfileSettings.Load load = regression.load();
        if (load != null) {
            content.put("load", content(load));
        }
    }

    private static void load(Map<String, Object> content, @Nullable LoadTarget target, @Nullable Duration ramp,
            Duration hold) {
        if (target != null) {
            content.put(target.kind().field(), target.toString());
        }
        if (ramp != null) {
            content.put("ramp", DurationText.write(ramp));
        }
        content.put("hold", DurationText.write(hold));
    }
}
