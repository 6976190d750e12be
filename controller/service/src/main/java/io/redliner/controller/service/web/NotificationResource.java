// SPDX-License-Identifier: Apache-2.0
package io.redliner.controller.service.web;

import io.redliner.controller.service.persistence.NotificationQueries;
import io.redliner.controller.service.persistence.RunReadRepository;
import io.redliner.controller.service.security.Permissions;
import java.time.InstantSource;
import java.util.List;
import java.util.Locale;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.springframework.http.ResponseEntity;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.PathVariable;
import org.springframework.web.bind.annotation.PostMapping;
import org.springframework.web.bind.annotation.RequestParam;
import org.springframework.web.bind.annotation.RestController;

/** Messages that were, will be or could not be delivered. */
@RestController
class NotificationResource {

    private static final int MOST = 200;

    private final NotificationQueries queries;

    private final Permissions permissions;

    private final InstantSource clock;

    NotificationResource(NotificationQueries queries, Permissions permissions, InstantSource clock) {
        this.queries = queries;
        this.permissions = permissions;
        this.clock = clock;
    }

    /** One page, newest first. */
    record NotificationPage(List<NotificationQueries.View> items, @Nullable String nextPageToken) {}

    /** Receivers that did not take something, the newest failures first. */
    record UnreachedList(List<NotificationQueries.Unreached> items) {}

    @GetMapping("/api/v1/notifications:unreached")
    UnreachedList unreached() {
        return new UnreachedList(queries.unreached(MOST));
    }

    @GetMapping("/api/v1/notifications")
    NotificationPage list(@RequestParam(required = false) @Nullable String state,
            @RequestParam(defaultValue = "50") int limit, @RequestParam(required = false) @Nullable String pageToken) {
        if (limit < 1 || limit > MOST) {
            throw new ProblemException(ProblemType.INVALID_PARAMETER, "limit is between 1 and " + MOST).with("field",
                    "limit");
        }
        RunReadRepository.Position from = pageToken == null ? null : PageToken.read(pageToken);
        List<NotificationQueries.View> found = queries.list(state(state), from == null ? null : from.submittedAt(),
                from == null ? null : from.id(), limit + 1);
        List<NotificationQueries.View> page = found.subList(0, Math.min(limit, found.size()));
        return new NotificationPage(page, found.size() > limit
                ? PageToken.after(page.getLast().createdAt(), page.getLast().id())
                : null);
    }

    @GetMapping("/api/v1/notifications/{id:[^:]+}")
    NotificationQueries.View get(@PathVariable String id) {
        return queries.find(id)
                .orElseThrow(
                        () -> new ProblemException(ProblemType.NOT_FOUND, "there is no notification " + id));
    }

    @PostMapping("/api/v1/notifications/{id}:retry")
    ResponseEntity<NotificationQueries.View> retry(@PathVariable String id) {
        permissions.requireOperator(get(id).service());
        if (!queries.retry(id, clock.instant())) {
            throw new ProblemException(ProblemType.NOT_FOUND, "there is no notification " + id);
        }
        return ResponseEntity.accepted().body(get(id));
    }

    private static NotificationQueries.@Nullable State state(@Nullable String state) {
        if (state == null) {
            return null;
        }
        List<NotificationQueries.State> all = List.of(NotificationQueries.State.values());
        return all.stream()
                .filter(known -> word(known).equals(state))
                .findFirst()
                .orElseThrow(() -> new ProblemException(ProblemType.INVALID_PARAMETER, "there is no state " + state)
                        .with("field", "state")
                        .with("known", Stream.of(NotificationQueries.State.values())
                                .map(NotificationResource::word)
                                .toList()));
    }

    private static String word(NotificationQueries.State state) {
        return state.name().toLowerCase(Locale.ROOT);
    }
}
