// SPDX-License-Identifier: Apache-2.0
package io.redliner.controller.service.scheduling;

import java.io.Serial;
import java.time.Duration;
import java.time.Instant;
import java.time.LocalDateTime;
import java.time.ZoneId;
import java.time.ZoneOffset;
import java.util.ArrayList;
import java.util.Date;
import java.util.List;
import java.util.Set;
import java.util.TimeZone;
import org.jspecify.annotations.Nullable;
import biweekly.util.Google2445Utils;
import biweekly.util.ICalDate;
import biweekly.util.Recurrence;
import biweekly.util.com.google.ical.iter.RecurrenceIterator;
import biweekly.util.com.google.ical.iter.RecurrenceIteratorFactory;

/**
 * A busy event with all its occurrences. Rules are followed on the event's own clock, without changes of that clock, and
 * only what comes out is put into a zone.
 *
 * @param uid which event it is
 * @param start of the first occurrence, on its own clock
 * @param length of each occurrence, on its own clock, above 0
 * @param wholeDays whether it lasts for whole days
 * @param clock its own; null when it is meant in the zone of whoever asks
 * @param rules after which it recurs, with ends on its own clock
 * @param more starts that no rule gives
 * @param without starts that are left out
 */
record RecurringEvent(String uid, LocalDateTime start, Duration length, boolean wholeDays, @Nullable WallClock clock,
        List<Recurrence> rules, List<LocalDateTime> more, Set<LocalDateTime> without) {

    /** In a year; a calendar that has more closes everything sooner or later. */
    private static final int MOST = 10_000;

    private static final TimeZone UTC = TimeZone.getTimeZone("UTC");

    /** A time without a start. */
    record Busy(Instant from, Instant to) {}

    /** Something would occur too often to be followed. */
    static final class TooOftenException extends RuntimeException {

        @Serial
        private static final long serialVersionUID = 1;

        TooOftenException(String uid) {
            super("event " + uid + " has more than " + MOST + " occurrences in a year");
        }
    }

    /** The occurrences that overlap a time, in no order. */
    List<Busy> between(Instant from, Instant to, ZoneId asked) {
        WallClock own = clock == null ? new WallClock.Known(asked) : clock;
        LocalDateTime first = own.local(from).minus(length).minusDays(1);
        LocalDateTime last = own.local(to).plusDays(1);
        List<Busy> found = new ArrayList<>();
        for (LocalDateTime begin : starts(first, last)) {
            if (!without.contains(begin)) {
                Busy busy = new Busy(own.instant(begin), own.instant(begin.plus(length)));
                if (busy.to().isAfter(from) && busy.from().isBefore(to) && busy.to().isAfter(busy.from())) {
                    found.add(busy);
                }
            }
        }
        return found;
    }

    private List<LocalDateTime> starts(LocalDateTime first, LocalDateTime last) {
        List<LocalDateTime> starts = new ArrayList<>();
        if (rules.isEmpty()) {
            starts.add(start);
        }
        starts.addAll(more);
        starts.removeIf(begin -> begin.isBefore(first) || begin.isAfter(last));
        for (Recurrence rule : rules) {
            RecurrenceIterator occurrences = RecurrenceIteratorFactory.createRecurrenceIterator(rule,
                    Google2445Utils.convertUtc(date(start)), UTC);
            if (first.isAfter(start)) {
                occurrences.advanceTo(Google2445Utils.convertUtc(date(first)));
            }
            while (occurrences.hasNext()) {
                LocalDateTime begin = local(Google2445Utils.convertUtc(occurrences.next()));
                if (begin.isAfter(last)) {
                    break;
                }
                if (starts.size() >= MOST) {
                    throw new TooOftenException(uid);
                }
                starts.add(begin);
            }
        }
        return starts;
    }

    /** What a clock shows, as if it were UTC: that is how rules are followed. */
    static ICalDate date(LocalDateTime local) {
        return new ICalDate(Date.from(local.toInstant(ZoneOffset.UTC)), true);
    }

    private static LocalDateTime local(Date date) {
        return date.toInstant().atOffset(ZoneOffset.UTC).toLocalDateTime();
    }

    RecurringEvent without(Set<LocalDateTime> starts) {
        return new RecurringEvent(uid, start, length, wholeDays, clock, rules, more, starts);
    }
}
