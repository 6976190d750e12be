// SPDX-License-Identifier: Apache-2.0
package io.redliner.cli.commands;

import io.redliner.contract.duration.Durations;
import java.time.DateTimeException;
import java.time.DayOfWeek;
import java.time.Duration;
import java.time.Instant;
import java.time.LocalDate;
import java.time.LocalTime;
import java.time.OffsetDateTime;
import java.time.ZonedDateTime;
import java.time.format.DateTimeFormatter;
import java.time.format.DateTimeFormatterBuilder;
import java.time.temporal.TemporalAdjusters;
import java.util.Locale;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * Instants as people write them: {@code 2h}, {@code 2h ago}, {@code in 30m}, {@code 03:00}, {@code tomorrow 03:00}, {@code monday},
 * {@code 2026-12-24 18:00} and ISO 8601. Days and times without an offset are those of a zone.
 */
final class InstantText {

    private static final String HOW = "is no time; write it as 2h, 'tomorrow 03:00', 'friday 18:00', '2026-12-24 18:00'"
            + " or 2026-12-24T18:00:00Z";

    private static final Pattern AMOUNT = Pattern.compile("(in |\\+|-)?((?:\\d+(?:\\.\\d+)?(?:d|h|m|s))+)( ago)?");

    private static final Pattern DAYS = Pattern.compile("(\\d{1,4})d(.*)");

    private static final int DAYS_OF_A_WEEK = 7;

    private static final DateTimeFormatter TIME = DateTimeFormatter.ofPattern("H:mm[:ss]", Locale.ROOT);

    private static final DateTimeFormatter SHOWN = new DateTimeFormatterBuilder()
            .appendPattern("EEE uuuu-MM-dd HH:mm:ss ").appendZoneId().toFormatter(Locale.ENGLISH);

    /** The side of now on which a weekday, or a time without a day, is meant. */
    enum Side {
        /** A time that was. */
        PAST,
        /** A time that comes. */
        FUTURE
    }

    private InstantText() {}

    /**
     * Reads an instant.
     *
     * @param now in the zone of the user
     * @throws IllegalArgumentException when the text is no instant; the message follows the text and says how to write one
     */
    static Instant parse(String text, ZonedDateTime now, Side side) {
        return parse(text, now, now, side);
    }

    /**
     * Reads an instant, of which a weekday or a time alone is the nearest one on a side of another instant than now.
     *
     * @param now in the zone of the user; amounts, and words as tomorrow, count from it
     * @throws IllegalArgumentException when the text is no instant; the message follows the text and says how to write one
     */
    static Instant parse(String text, ZonedDateTime now, ZonedDateTime other, Side side) {
        String words = text.strip().toLowerCase(Locale.ROOT).replaceAll("\\s+", " ");
        if (words.equals("now")) {
            return now.toInstant();
        }
        try {
            Optional<Instant> distant = distant(words, now, side);
            return distant.isPresent() ? distant.get() : calendar(words, now, other, side);
        } catch (DateTimeException | ArithmeticException malformed) {
            throw new IllegalArgumentException(HOW, malformed);
        }
    }

    /** Returns the instant for people, in their zone. */
    static String show(Instant instant, ZonedDateTime now) {
        return SHOWN.format(instant.atZone(now.getZone()));
    }

    /** Returns the instant at a distance from now, when the words are one. */
    private static Optional<Instant> distant(String words, ZonedDateTime now, Side side) {
        Matcher amount = AMOUNT.matcher(words);
        if (!amount.matches()) {
            return Optional.empty();
        }
        String before = amount.group(1) == null ? "" : amount.group(1);
        boolean isAgo = amount.group(3) != null;
        if (isAgo && !before.isEmpty()) {
            throw new DateTimeException("two directions");
        }
        boolean isPast = isAgo || before.equals("-") || (before.isEmpty() && side == Side.PAST);
        Duration duration = duration(amount.group(2));
        return Optional.of(now.toInstant().plus(isPast ? duration.negated() : duration));
    }

    private static Duration duration(String text) {
        Matcher days = DAYS.matcher(text);
        boolean hasDays = days.matches();
        String rest = hasDays ? days.group(2) : text;
        try {
            Duration parsed = rest.isEmpty() ? Duration.ZERO : Durations.parse(rest);
            return hasDays ? parsed.plusDays(Long.parseLong(days.group(1))) : parsed;
        } catch (IllegalArgumentException malformed) {
            throw new DateTimeException("no duration", malformed);
        }
    }

    private static Instant calendar(String words, ZonedDateTime now, ZonedDateTime other, Side side) {
        if (words.matches("\\d{4}-\\d\\d-\\d\\dt.*(?:z|[+-]\\d\\d:?\\d\\d)")) {
            return OffsetDateTime.parse(words.toUpperCase(Locale.ROOT)).toInstant();
        }
        String[] parts = words.split("(?<=^\\d{4}-\\d\\d-\\d\\d)t| (?:at )?", 2);
        if (parts.length == 1 && words.contains(":")) {
            return nearest(other.toLocalDate(), LocalTime.parse(words, TIME), 1, other, side);
        }
        LocalTime time = parts.length == 1 ? LocalTime.MIDNIGHT : LocalTime.parse(parts[1], TIME);
        Optional<DayOfWeek> weekday = weekday(parts[0]);
        return weekday.isPresent()
                ? nearest(other.toLocalDate().with(side == Side.FUTURE
                        ? TemporalAdjusters.nextOrSame(weekday.get())
                        : TemporalAdjusters.previousOrSame(weekday.get())), time, DAYS_OF_A_WEEK, other, side)
                : day(parts[0], now.toLocalDate()).atTime(time).atZone(now.getZone()).toInstant();
    }

    /**
     * Returns the nearest instant on a side at which clocks show a time.
     *
     * @param day when they show it first, maybe on the other side
     * @param interval until they show it again, in days
     */
    private static Instant nearest(LocalDate day, LocalTime time, int interval, ZonedDateTime other, Side side) {
        boolean isPast = !day.atTime(time).atZone(other.getZone()).isAfter(other);
        int days = side == Side.FUTURE ? isPast ? interval : 0 : isPast ? 0 : -interval;
        return day.plusDays(days).atTime(time).atZone(other.getZone()).toInstant();
    }

    private static LocalDate day(String word, LocalDate today) {
        return switch (word) {
            case "today" -> today;
            case "tomorrow" -> today.plusDays(1);
            case "yesterday" -> today.minusDays(1);
            default -> LocalDate.parse(word);
        };
    }

    private static Optional<DayOfWeek> weekday(String word) {
        for (DayOfWeek day : DayOfWeek.values()) {
            String name = day.name().toLowerCase(Locale.ROOT);
            if (word.equals(name) || word.equals(name.substring(0, 3))) {
                return Optional.of(day);
            }
        }
        return Optional.empty();
    }
}
