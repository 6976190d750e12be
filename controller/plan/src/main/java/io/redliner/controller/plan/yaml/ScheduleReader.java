// SPDX-License-Identifier: Apache-2.0
package io.redliner.controller.plan.yaml;

import io.redliner.contract.document.NodeReader;
import io.redliner.contract.document.YamlNode;
import io.redliner.controller.plan.AllowedHours;
import io.redliner.controller.plan.Blackout;
import io.redliner.controller.plan.DurationText;
import io.redliner.controller.plan.Schedule;
import io.redliner.controller.plan.Schedule.MisfirePolicy;
import io.redliner.controller.plan.Schedule.Misfires;
import io.redliner.controller.plan.Timing;
import java.time.DateTimeException;
import java.time.DayOfWeek;
import java.time.Duration;
import java.time.Instant;
import java.time.ZoneId;
import java.time.ZoneOffset;
import java.util.EnumSet;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** Reads the schedule of a plan. */
final class ScheduleReader {

    static final String DEPLOYMENT = "deployment";

    private static final int MAX_ENTRIES = 100;

    private ScheduleReader() {}

    /** Reads the section {@code schedule}; null when it has mistakes. */
    static @Nullable Schedule read(NodeReader reader) {
        Timing timing = timing(reader);
        ZoneId zone = reader.optional("zone", ScheduleReader::zone, Schedule.USUAL_ZONE);
        Duration jitter = reader.optional("jitter", text -> Schedule.requireJitter(DurationText.parse(text)),
                Duration.ZERO);
        boolean onDeployment = !reader.convert(reader.list("on", false), ScheduleReader::event).isEmpty();
        Duration delay = reader.optional("delay", text -> Schedule.requireDelay(DurationText.parse(text)),
                Duration.ZERO);
        List<AllowedHours> only = reader.read(limited(reader, "only"), ScheduleReader::hours);
        List<Blackout> except = reader.convert(limited(reader, "except").stream().map(ScheduleReader::scalar).toList(),
                Blackout::parse).stream().distinct().toList();
        MisfirePolicy policy = reader.optional("missed", text -> PlanReader.known(MisfirePolicy.values(), text),
                MisfirePolicy.SKIP);
        Duration within = reader.optional("missedWithin",
                text -> Misfires.requireWithin(DurationText.parse(text)), Misfires.USUAL_WITHIN);
        if (reader.complete()) {
            needs(reader, "delay", onDeployment, "is for schedules that a deployment starts; add on: [deployment]");
            needs(reader, "jitter", timing != null, "is for schedules with cron or interval");
        }
        return reader.make(() -> new Schedule(timing, zone, jitter, onDeployment, delay, only, except,
                new Misfires(policy, within)));
    }

    private static void needs(NodeReader reader, String field, boolean met, String message) {
        if (reader.has(field) && !met) {
            reader.mistake(field, message);
        }
    }

    private static @Nullable Timing timing(NodeReader reader) {
        Timing cron = reader.optional("cron", Timing.Cron::new);
        Timing every = reader.optional("interval", text -> new Timing.Every(DurationText.parse(text)));
        if (reader.has("cron") && reader.has("interval")) {
            reader.mistake("interval", "does not go with cron; use one of the two");
        }
        return cron == null ? every : cron;
    }

    static ZoneId zone(String text) {
        try {
            ZoneId zone = ZoneId.of(text);
            return zone.getRules().isFixedOffset() ? zone.getRules().getOffset(Instant.EPOCH) : zone;
        } catch (DateTimeException unknown) {
            throw new IllegalArgumentException("is no time zone; use a name as Europe/Berlin, or UTC", unknown);
        }
    }

    static String written(ZoneId zone) {
        return zone.equals(ZoneOffset.UTC) ? "UTC" : zone.getId();
    }

    private static String event(String text) {
        if (!text.equals(DEPLOYMENT)) {
            throw new IllegalArgumentException("is unknown; known is " + DEPLOYMENT);
        }
        return text;
    }

    private static @Nullable AllowedHours hours(NodeReader hours) {
        List<DayOfWeek> named = hours.convert(hours.list("days", false), AllowedHours::day);
        Set<DayOfWeek> days = hours.has("days") ? new HashSet<>(named) : EnumSet.allOf(DayOfWeek.class);
        int from = hours.optional("from", AllowedHours::minute, 0);
        int to = hours.optional("to", AllowedHours::minute, AllowedHours.minute("24:00"));
        return hours.make(() -> new AllowedHours(days, from, to));
    }

    /** {@code - quarter-end: 5d} is an object in YAML. */
    private static YamlNode scalar(YamlNode entry) {
        if (entry instanceof YamlNode.Fields one && one.fields().size() == 1) {
            Map.Entry<String, YamlNode.Field> only = one.fields().entrySet().iterator().next();
            if (only.getValue().value() instanceof YamlNode.Scalar days) {
                return new YamlNode.Scalar(entry.location(), only.getKey() + ": " + days.text());
            }
        }
        return entry;
    }

    private static List<YamlNode> limited(NodeReader reader, String field) {
        return reader.list(field, MAX_ENTRIES, "is one entry too many; there may be " + MAX_ENTRIES);
    }
}
