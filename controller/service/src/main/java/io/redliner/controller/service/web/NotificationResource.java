// SPDX-License-Identifier: Apache-2.0
package io.redliner.controller.service.web;

import io.redliner.controller.service.persistence.NotificationQueries;
import io.redliner.controller.service.persistence.NotificationRepository;
import io.redliner.controller.service.persistence.RunReadRepository;
import io.redliner.controller.service.problem.ProblemException;
import io.redliner.controller.service.problem.ProblemType;
import io.redliner.controller.service.security.Permissions;
import java.time.InstantSource;
import java.util.List;
import java.util.Locale;
import java.util.function.Function;
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

    private final NotificationQueries queries;

    private final NotificationRepository notifications;

    private final Permissions permissions;

    private final InstantSource clock;

    NotificationResource(NotificationQueries queries, NotificationRepository notifications, Permissions permissions,
            InstantSource clock) {
        this.queries = queries;
        this.notifications = notifications;
        this.permissions = permissions;
        this.clock = clock;
    }

    /** Receivers that did not take something, the newest failures first. */
    @GetMapping("/api/v1/notifications:unreached")
    Page<NotificationQueries.Unreached> unreached() {
        return Page.whole(queries.unreached(RequestParameters.MAX_ITEMS));
    }

    @GetMapping("/api/v1/notifications")
    Page<NotificationQueries.View> list(@RequestParam(required = false) @Nullable String state,
            @RequestParam(defaultValue = "50") int limit, @RequestParam(required = false) @Nullable String pageToken) {
        RunReadRepository.Position from = pageToken == null ? null : PageToken.read(pageToken);
        return Page.of(queries.list(state(state), from == null ? null : from.submittedAt(),
                from == null ? null : from.id(), RequestParameters.limit(limit) + 1), limit, Function.identity(),
                view -> PageToken.after(view.createdAt(), view.id()));
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
        if (!notifications.retry(id, clock.instant())) {
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
