// SPDX-License-Identifier: Apache-2.0
package io.redliner.controller.plan.yaml;

import io.redliner.controller.plan.AllowedHours;
import io.redliner.controller.plan.Blackout;
import io.redliner.controller.plan.DurationText;
import io.redliner.controller.plan.Schedule;
import io.redliner.controller.plan.Timing;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** Writes the canonical content of a schedule. */
final class ScheduleWriter {

    private ScheduleWriter() {}

    static Map<String, Object> content(Schedule schedule) {
        Map<String, Object> content = new LinkedHashMap<>();
        Timing timing = schedule.timing();
        if (timing != null) {
            switch (timing) {
                case Timing.Cron cron -> content.put("cron", cron.expression());
                case Timing.Every every -> content.put("interval", DurationText.write(every.interval()));
            }
        }
        content.put("zone", ScheduleReader.written(schedule.zone()));
        if (!schedule.jitter().isZero()) {
            content.put("jitter", DurationText.write(schedule.jitter()));
        }
        if (schedule.onDeployment()) {
            content.put("on", List.of(ScheduleReader.DEPLOYMENT));
        }
        if (!schedule.delay().isZero()) {
            content.put("delay", DurationText.write(schedule.delay()));
        }
        if (!schedule.only().isEmpty()) {
            content.put("only", schedule.only().stream().map(ScheduleWriter::hours).toList());
        }
        if (!schedule.except().isEmpty()) {
            content.put("except", schedule.except().stream().map(Blackout::text).toList());
        }
        content.put("missed", PlanReader.written(schedule.misfires().policy()));
        content.put("missedWithin", DurationText.write(schedule.misfires().within()));
        return content;
    }

    private static Map<String, Object> hours(AllowedHours hours) {
        Map<String, Object> content = new LinkedHashMap<>();
        content.put("days", hours.days().stream().map(AllowedHours::written).toList());
        content.put("from", AllowedHours.written(hours.from()));
        content.put("to", AllowedHours.written(hours.to()));
        return content;
    }
}
