// SPDX-License-Identifier: Apache-2.0
package io.redliner.controller.plan.yaml;

import io.redliner.controller.plan.AllowedHours;
import io.redliner.controller.plan.Blackout;
import io.redliner.controller.plan.DurationText;
import io.redliner.controller.plan.Schedule.Misfires;
import io.redliner.controller.plan.Schedule;
import io.redliner.controller.plan.Schedule.MisfirePolicy;
import io.redliner.controller.plan.Timing;
import java.time.DateTimeException;
import java.time.DayOfWeek;
import java.time.Duration;
import java.time.Instant;
import java.time.ZoneId;
import java.time.ZoneOffset;
import java.util.ArrayList;
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

    private final ValidationErrors errors;

    private final NodeReader reader;

    private ScheduleReader(NodeReader reader, ValidationErrors errors) {
        this.reader = reader;
        this.errors = errors;
    }

    /** Reads the section {@code schedule}; null when it is absent or has mistakes, which are added to the errors. */
    static @Nullable Schedule read(@Nullable NodeReader schedule, ValidationErrors errors) {
        return schedule == null ? null : new ScheduleReader(schedule, errors).read();
    }

    private @Nullable Schedule read() {
        int before = errors.size();
        Timing timing = timing();
        ZoneId zone = reader.optional("zone", ScheduleReader::zone, Schedule.USUAL_ZONE);
        Duration jitter = reader.optional("jitter", text -> Schedule.requireJitter(DurationText.parse(text)),
                Duration.ZERO);
        boolean onDeployment = onDeployment();
        Duration delay = reader.optional("delay", text -> Schedule.requireDelay(DurationText.parse(text)),
                Duration.ZERO);
        List<AllowedHours> only = only();
        List<Blackout> except = except();
        MisfirePolicy policy = reader.optional("missed", text -> PlanReader.known(MisfirePolicy.values(), text),
                MisfirePolicy.SKIP);
        Duration within = reader.optional("missedWithin",
                text -> Misfires.requireWithin(DurationText.parse(text)), Misfires.USUAL_WITHIN);
        reader.rejectOthers();
        if (errors.size() > before) {
            return null;
        }
        needs("delay", onDeployment, "is for schedules that a deployment starts; add on: [deployment]");
        needs("jitter", timing != null, "is for schedules with cron or interval");
        if (errors.size() > before) {
            return null;
        }
        try {
            return new Schedule(timing, zone, jitter, onDeployment, delay, only, except,
                    new Misfires(policy, within));
        } catch (IllegalArgumentException invalid) {
            errors.add(reader.object(), String.valueOf(invalid.getMessage()));
            return null;
        }
    }

    private void needs(String field, boolean met, String message) {
        YamlNode.Field given = reader.object().fields().get(field);
        if (given != null && !met) {
            errors.add(given.value(), message);
        }
    }

    private @Nullable Timing timing() {
        Timing cron = reader.optionalIfAny("cron", Timing.Cron::new);
        Timing every = reader.optionalIfAny("interval", text -> new Timing.Every(DurationText.parse(text)));
        Map<String, YamlNode.Field> given = reader.object().fields();
        YamlNode.Field both = given.get("interval");
        if (given.containsKey("cron") && both != null) {
            errors.add(both.value(), "does not go with cron; use one of the two");
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

    private boolean onDeployment() {
        boolean deployment = false;
        for (YamlNode entry : reader.list("on", false)) {
            String event = reader.convert(entry, ScheduleReader::event);
            deployment |= event != null;
        }
        return deployment;
    }

    private static String event(String text) {
        if (!text.equals(DEPLOYMENT)) {
            throw new IllegalArgumentException("is unknown; known is " + DEPLOYMENT);
        }
        return text;
    }

    private List<AllowedHours> only() {
        List<AllowedHours> only = new ArrayList<>();
        for (YamlNode entry : limited("only")) {
            NodeReader hours = NodeReader.of(entry, errors);
            int before = errors.size();
            Set<DayOfWeek> days = days(hours);
            int from = hours.optional("from", AllowedHours::minute, 0);
            int to = hours.optional("to", AllowedHours::minute, AllowedHours.minute("24:00"));
            hours.rejectOthers();
            if (errors.size() == before) {
                try {
                    only.add(new AllowedHours(days, from, to));
                } catch (IllegalArgumentException invalid) {
                    errors.add(entry, String.valueOf(invalid.getMessage()));
                }
            }
        }
        return only;
    }

    private static Set<DayOfWeek> days(NodeReader hours) {
        if (!hours.object().fields().containsKey("days")) {
            hours.list("days", false);
            return EnumSet.allOf(DayOfWeek.class);
        }
        Set<DayOfWeek> days = EnumSet.noneOf(DayOfWeek.class);
        for (YamlNode entry : hours.list("days", true)) {
            DayOfWeek day = hours.convert(entry, AllowedHours::day);
            if (day != null) {
                days.add(day);
            }
        }
        return days;
    }

    private List<Blackout> except() {
        List<Blackout> except = new ArrayList<>();
        Set<Blackout> distinct = new HashSet<>();
        for (YamlNode entry : limited("except")) {
            Blackout exclusion = reader.convert(scalar(entry), Blackout::parse);
            if (exclusion != null && distinct.add(exclusion)) {
                except.add(exclusion);
            }
        }
        return except;
    }

    /** {@code - quarter-end: 5d} is an object in YAML. */
    private static YamlNode scalar(YamlNode entry) {
        if (entry instanceof YamlNode.Fields one && one.fields().size() == 1) {
            Map.Entry<String, YamlNode.Field> only = one.fields().entrySet().iterator().next();
            if (only.getValue().value() instanceof YamlNode.Scalar days) {
                return new YamlNode.Scalar(entry.location(),
                        only.getKey() + ": " + days.text());
            }
        }
        return entry;
    }

    private List<YamlNode> limited(String field) {
        List<YamlNode> entries = reader.list(field, false);
        if (entries.size() > MAX_ENTRIES) {
            errors.add(entries.get(MAX_ENTRIES), "is one entry too many; there may be " + MAX_ENTRIES);
            return List.of();
        }
        return entries;
    }
}
