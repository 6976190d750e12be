// SPDX-License-Identifier: Apache-2.0
package io.redliner.controller.service.web;

import io.redliner.contract.text.PlainText;
import io.redliner.controller.core.port.TimestampRange;
import io.redliner.controller.service.persistence.CapacityRepository;
import io.redliner.controller.service.persistence.RunReadRepository;
import io.redliner.controller.service.problem.ProblemException;
import java.nio.charset.StandardCharsets;
import java.time.DateTimeException;
import java.time.Instant;
import java.util.Base64;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/** The place where the next page of a list begins, after the last item; opaque to clients. */
final class PageToken {

    private PageToken() {}

    /** Returns the place after an item of a list that is ordered by these values. Only the last of them may have spaces. */
    static String write(String... values) {
        return Base64.getUrlEncoder().withoutPadding()
                .encodeToString(String.join(" ", values).getBytes(StandardCharsets.UTF_8));
    }

    /** Returns the place after an item of a list that is ordered by time. */
    static String after(Instant at, String id) {
        return write(at.toString(), id);
    }

    /** Returns the place after an item of a list that is ordered by number. */
    static String afterId(long id) {
        return Long.toString(id, Character.MAX_RADIX);
    }

    /** Returns the number after which the page begins. */
    static long readId(String token) {
        try {
            return Long.parseLong(token, Character.MAX_RADIX);
        } catch (NumberFormatException malformed) {
            throw unknown();
        }
    }

    /** Returns the name after which the page begins; without a token the empty name, which is before all others. */
    static String readName(@Nullable String token) {
        return token == null ? "" : read(token, 1, values -> values[0]);
    }

    /** Returns the time and the id after which the page begins. */
    static RunReadRepository.Position read(String token) {
        return read(token, 2, values -> new RunReadRepository.Position(instant(values[0]), values[1]));
    }

    /** Returns the place in a history of capacities; absent without a token. */
    static CapacityRepository.@Nullable Position readCapacity(@Nullable String token) {
        return token == null
                ? null
                : read(token, 2,
                        values -> new CapacityRepository.Position(instant(values[0]), Long.parseLong(values[1])));
    }

    /** Returns the service and the instance after which the page begins; without a token, the start. */
    static CapacityRepository.Place readInstance(@Nullable String token) {
        return token == null
                ? CapacityRepository.Place.START
                : read(token, 2, values -> new CapacityRepository.Place(values[0], values[1]));
    }

    private static <T> T read(String token, int values, Function<String[], T> place) {
        try {
            String text = new String(Base64.getUrlDecoder().decode(token), StandardCharsets.UTF_8);
            String[] parts = text.split(" ", values);
            if (parts.length == values && PlainText.line(text)) {
                return place.apply(parts);
            }
        } catch (IllegalArgumentException | DateTimeException malformed) {
            throw unknown();
        }
        throw unknown();
    }

    private static Instant instant(String text) {
        Instant at = Instant.parse(text);
        if (!TimestampRange.include(at)) {
            throw new DateTimeException("nothing is of this time");
        }
        return at;
    }

    private static ProblemException unknown() {
        return RequestParameters.refuse("pageToken", "pageToken is none that was given out");
    }
}
