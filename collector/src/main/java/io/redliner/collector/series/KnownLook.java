// SPDX-License-Identifier: Apache-2.0
package io.redliner.collector.series;

import io.redliner.collector.window.Measurement;
import io.redliner.collector.window.Subject;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collection;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/** What the known series of one instance said in one look, and the measurements that come of it. */
final class KnownLook {

    private static final String ALL = "";

    private final Map<Meaning, TreeMap<String, Group>> groups = new EnumMap<>(Meaning.class);

    /** Takes what one series says. */
    void add(Follow follow, Known known, Reading reading) {
        Meaning meaning = known.meaning();
        switch (reading) {
            case Reading.At at -> level(at, follow, known);
            case Reading.Grown grown when meaning.way() == Meaning.Way.MEAN ->
                group(meaning, follow.part()).calls(grown, follow.series().factor());
            case Reading.Grown grown when meaning.way() == Meaning.Way.COLLECTIONS ->
                group(meaning, follow.part()).collections(grown, follow.series().factor());
            case Reading.Grown grown -> group(meaning, follow.part()).value(grown.from(), grown.to(),
                    grown.rate() * follow.series().factor());
            case Reading.Nothing unused -> {
            }
            case Reading.Refused unused -> {
            }
        }
    }

    /** @param all known series that are followed, for what this look did not say */
    List<Measurement> measurements(Collection<Follow> all, Subject subject, Duration hold) {
        for (Follow follow : all) {
            complete(follow);
        }
        List<Measurement> measured = new ArrayList<>();
        groups.forEach((meaning, parts) -> {
            if (meaning.way() == Meaning.Way.COLLECTIONS) {
                collections(parts, subject, hold, measured);
            } else {
                values(meaning, parts, subject, hold, measured);
            }
        });
        return measured;
    }

    private void level(Reading.At at, Follow follow, Known known) {
        switch (known.role()) {
            case VALUE -> group(known.meaning(), follow.part()).value(at.time(), at.time(), follow.level());
            case ZERO -> group(known.meaning(), follow.part()).value(at.time(), at.time(), 0);
            case BEGIN -> {
                double uptime = at.time().toEpochMilli() / 1e3 - follow.level();
                if (uptime >= 0) {
                    group(known.meaning(), follow.part()).value(at.time(), at.time(), uptime);
                }
            }
            case WHOLE, LARGEST -> {
            }
        }
    }

    private void complete(Follow follow) {
        follow.known().ifPresent(known -> {
            Group group = groups.getOrDefault(known.meaning(), new TreeMap<>()).get(follow.part());
            if (group != null && known.role() == Known.Role.WHOLE && follow.level() > 0) {
                group.whole(follow.level());
            }
            if (group != null && known.role() == Known.Role.LARGEST && follow.rose()) {
                group.collected().largest(follow.level());
            }
        });
    }

    private static void values(Meaning meaning, Map<String, Group> parts, Subject subject, Duration hold,
            List<Measurement> into) {
        Meaning.Way way = meaning.way();
        double most = Double.NEGATIVE_INFINITY;
        Group all = new Group();
        for (Map.Entry<String, Group> part : parts.entrySet()) {
            double value = part.getValue().value(way);
            if (!part.getKey().equals(ALL)) {
                write(meaning.gauge() + "[" + part.getKey() + "]", value, part.getValue(), subject, hold, into);
            }
            most = Double.isFinite(value) ? Math.max(most, value) : most;
            all.add(part.getValue());
        }
        write(meaning.gauge(), way == Meaning.Way.RATIO ? most : all.value(way), all, subject, hold, into);
    }

    private static void collections(Map<String, Group> parts, Subject subject, Duration hold,
            List<Measurement> into) {
        Group all = new Group();
        parts.forEach((part, group) -> {
            if (!part.equals(ALL)) {
                collections("[" + part + "]", group, subject, hold, into);
            }
            all.add(group);
        });
        collections("", all, subject, hold, into);
    }

    private static void collections(String part, Group group, Subject subject, Duration hold, List<Measurement> into) {
        Instant from = group.from();
        Instant to = group.to();
        if (from == null || to == null || !to.isAfter(from)) {
            return;
        }
        double seconds = Reading.seconds(from, to);
        Collected collected = group.collected();
        write("gc.pause" + part, collected.longest(), group, subject, Duration.ZERO, into);
        write("gc.time" + part, Math.min(1, collected.seconds() / seconds), group, subject, hold, into);
        write("gc.rate" + part, collected.count() / seconds, group, subject, hold, into);
    }

    private static void write(String name, double value, Group group, Subject subject, Duration hold,
            List<Measurement> into) {
        Instant from = group.from();
        Instant to = group.to();
        if (from != null && to != null && Double.isFinite(value)) {
            into.add(new Measurement(subject, name, value, from, to, hold));
        }
    }

    private Group group(Meaning meaning, String part) {
        return groups.computeIfAbsent(meaning, unused -> new TreeMap<>()).computeIfAbsent(part, unused -> new Group());
    }
}
