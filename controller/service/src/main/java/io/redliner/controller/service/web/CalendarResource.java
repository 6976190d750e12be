// SPDX-License-Identifier: Apache-2.0
package io.redliner.controller.service.web;

import io.redliner.controller.core.schedule.StoredCalendar;
import io.redliner.controller.plan.Blackout;
import io.redliner.controller.service.persistence.CalendarRepository;
import io.redliner.controller.service.problem.ProblemException;
import io.redliner.controller.service.problem.ProblemType;
import io.redliner.controller.service.scheduling.CalendarService;
import io.redliner.controller.service.scheduling.IcsCalendar;
import io.redliner.controller.service.scheduling.InvalidCalendarException;
import io.redliner.controller.service.security.RequestBodyReader;
import java.io.InputStream;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import org.springframework.http.ResponseEntity;
import org.springframework.web.bind.annotation.DeleteMapping;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.PathVariable;
import org.springframework.web.bind.annotation.PutMapping;
import org.springframework.web.bind.annotation.RequestMapping;
import org.springframework.web.bind.annotation.RequestParam;
import org.springframework.web.bind.annotation.RestController;

/** Calendars: iCalendar texts whose busy events are times at which nothing starts. */
@RestController
@RequestMapping("/api/v1/calendars")
class CalendarResource {

    private final CalendarRepository store;

    private final CalendarService service;

    CalendarResource(CalendarRepository store, CalendarService service) {
        this.store = store;
        this.service = service;
    }

    /**
     * A calendar; in lists without its content.
     *
     * @param busyEvents how many events it has at which nothing starts; in the answer to PUT alone, as the next two
     * @param freeEvents events that are cancelled, marked as free, or take no time
     * @param warnings what may be another thing than was meant
     */
    record CalendarView(String name, String hash, String source, Instant updatedAt, @Nullable String content,
            @Nullable Integer busyEvents, @Nullable Integer freeEvents, @Nullable List<String> warnings) {

        static CalendarView of(StoredCalendar stored, boolean whole) {
            return new CalendarView(stored.name(), stored.hash(), stored.folder() ? "folder" : "api",
                    stored.updatedAt(), whole ? stored.content() : null, null, null, null);
        }

        CalendarView with(IcsCalendar.Summary summary) {
            return new CalendarView(name, hash, source, updatedAt, content, summary.busy(), summary.free(),
                    summary.warnings());
        }
    }

    @GetMapping
    Page<CalendarView> list(@RequestParam(defaultValue = "50") int limit,
            @RequestParam(required = false) @Nullable String pageToken) {
        return Page.of(store.list(PageToken.readName(pageToken), RequestParameters.limit(limit) + 1), limit,
                calendar -> CalendarView.of(calendar, false), calendar -> PageToken.write(calendar.name()));
    }

    @GetMapping("/{name}")
    CalendarView get(@PathVariable String name) {
        return store.stored(name).map(stored -> CalendarView.of(stored, true)).orElseThrow(() -> unknown(name));
    }

    @PutMapping("/{name}")
    CalendarView put(@PathVariable String name, InputStream body) throws InvalidCalendarException {
        try {
            Blackout.Named.requireName(name);
        } catch (IllegalArgumentException invalid) {
            throw new ProblemException(ProblemType.INVALID_PARAMETER, "'" + name + "' " + invalid.getMessage())
                    .with("field", "name");
        }
        requireOwn(store.stored(name));
        String content = RequestBodyReader.read(body);
        if (content.indexOf(0) >= 0) {
            throw new ProblemException(ProblemType.INVALID_CALENDAR, "the calendar has a NUL character in it");
        }
        IcsCalendar.Summary summary = service.put(name, content, false);
        return get(name).with(summary);
    }

    @DeleteMapping("/{name}")
    ResponseEntity<Void> delete(@PathVariable String name) {
        Optional<StoredCalendar> stored = store.stored(name);
        if (stored.isEmpty()) {
            throw unknown(name);
        }
        requireOwn(stored);
        List<String> users = service.delete(name);
        if (!users.isEmpty()) {
            throw new ProblemException(ProblemType.CALENDAR_IN_USE,
                    "calendar " + name + " is needed by " + String.join(", ", users)).with("plans", users);
        }
        return ResponseEntity.noContent().build();
    }

    private static void requireOwn(Optional<StoredCalendar> stored) {
        if (stored.isPresent() && stored.get().folder()) {
            throw new ProblemException(ProblemType.OWNED_BY_FOLDER, "calendar " + stored.get().name()
                    + " comes from the plan folder and can only be changed there");
        }
    }

    private static ProblemException unknown(String name) {
        return new ProblemException(ProblemType.NOT_FOUND, "there is no calendar " + name);
    }
}
