// SPDX-License-Identifier: Apache-2.0
package io.redliner.controller.service.web;

import io.redliner.controller.service.persistence.CapacityRecord;
import io.redliner.controller.service.persistence.CapacityRepository;
import io.redliner.controller.service.persistence.StoredCapacity;
import java.nio.charset.StandardCharsets;
import java.time.DateTimeException;
import java.time.Instant;
import java.util.Base64;
import org.jspecify.annotations.Nullable;

/** Where the next page of capacities begins; opaque to clients. */
final class CapacityPageToken {

    private CapacityPageToken() {}

    /** After a capacity in the order of history. */
    static String after(StoredCapacity last) {
        return write(last.record().recordedAt() + " " + last.id());
    }

    /** After an instance in the order of names. */
    static String after(CapacityRecord last) {
        return write(last.service() + " " + last.instance());
    }

    private static String write(String text) {
        return Base64.getUrlEncoder().withoutPadding().encodeToString(text.getBytes(StandardCharsets.UTF_8));
    }

    static CapacityRepository.@Nullable Position position(@Nullable String token) {
        if (token == null) {
            return null;
        }
        try {
            String[] parts = parts(token);
            return new CapacityRepository.Position(Instant.parse(parts[0]), Long.parseLong(parts[1]));
        } catch (IllegalArgumentException | DateTimeException malformed) {
            throw malformed();
        }
    }

    static CapacityRepository.Place place(@Nullable String token) {
        if (token == null) {
            return CapacityRepository.Place.START;
        }
        try {
            String[] parts = parts(token);
            return new CapacityRepository.Place(parts[0], parts[1]);
        } catch (IllegalArgumentException malformed) {
            throw malformed();
        }
    }

    private static String[] parts(String token) {
        String text = new String(Base64.getUrlDecoder().decode(token), StandardCharsets.UTF_8);
        String[] parts = text.split(" ", 2);
        if (parts.length != 2 || text.chars().anyMatch(Character::isISOControl)) {
            throw new IllegalArgumentException("no token");
        }
        return parts;
    }

    private static ProblemException malformed() {
        return new ProblemException(ProblemType.INVALID_PARAMETER, "pageToken is none that was given out")
                .with("field", "pageToken");
    }
}
