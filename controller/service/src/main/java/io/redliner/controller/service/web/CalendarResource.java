// SPDX-License-Identifier: Apache-2.0
package io.redliner.controller.service.web;

import com.fasterxml.jackson.annotation.JsonUnwrapped;
import io.redliner.contract.text.NotUtf8Exception;
import io.redliner.controller.core.schedule.StoredCalendar;
import io.redliner.controller.core.schedule.StoredCalendar.CalendarSummary;
import io.redliner.controller.core.security.Caller;
import io.redliner.controller.plan.Blackout;
import io.redliner.controller.service.persistence.CalendarRepository;
import io.redliner.controller.service.problem.ProblemException;
import io.redliner.controller.service.problem.ProblemType;
import io.redliner.controller.service.scheduling.CalendarService;
import io.redliner.controller.service.scheduling.IcsText;
import io.redliner.controller.service.scheduling.InvalidCalendarException;
import io.redliner.controller.service.security.Permissions;
import io.redliner.controller.service.security.RequestBodyReader;
import java.io.InputStream;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.function.Consumer;
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

    private final CalendarRepository calendars;

    private final CalendarService service;

    private final Permissions permissions;

    CalendarResource(CalendarRepository calendars, CalendarService service, Permissions permissions) {
        this.permissions = permissions;
        this.calendars = calendars;
        this.service = service;
    }

    /**
     * A calendar; in lists without its content.
     *
     * @param team that may change it; absent without an owner
     * @param summary of its events when it was stored
     */
    record CalendarView(String name, @Nullable String team, String hash, String source, Instant updatedAt,
            @Nullable String content, @JsonUnwrapped SummaryView summary) {

        static CalendarView of(StoredCalendar stored, boolean whole) {
            CalendarSummary summary = stored.summary();
            return new CalendarView(stored.name(), stored.team(), stored.hash(), stored.folder() ? "folder" : "api",
                    stored.updatedAt(), whole ? stored.content() : null,
                    new SummaryView(summary.busy(), summary.free(), summary.warnings()));
        }
    }

    /**
     * The events of a calendar.
     *
     * @param busyEvents how many events it has at which nothing starts
     * @param freeEvents events that are cancelled, marked as free, or take no time
     * @param warnings events that block no start although their author may have meant them to
     */
    record SummaryView(int busyEvents, int freeEvents, List<String> warnings) {}

    @GetMapping
    Page<CalendarView> list(@RequestParam(defaultValue = "50") int limit,
            @RequestParam(required = false) @Nullable String pageToken) {
        return Page.of(calendars.list(PageToken.readName(pageToken), RequestParameters.limit(limit) + 1), limit,
                calendar -> CalendarView.of(calendar, false), calendar -> PageToken.write(calendar.name()));
    }

    @GetMapping("/{name}")
    CalendarView get(@PathVariable String name) {
        return calendars.stored(name).map(stored -> CalendarView.of(stored, true)).orElseThrow(() -> unknown(name));
    }

    @PutMapping("/{name}")
    CalendarView put(@PathVariable String name, @RequestParam(required = false) @Nullable String team,
            InputStream body) throws InvalidCalendarException {
        require("name", name, Blackout.Named::requireName);
        if (team != null) {
            require("team", team, ServiceOwnerRequestReader::team);
        }
        service.put(name, text(RequestBodyReader.bytes(body)), before -> owner(name, before, team));
        return get(name);
    }

    private static String text(byte[] body) {
        try {
            return IcsText.decode(body);
        } catch (NotUtf8Exception foreign) {
            throw new ProblemException(ProblemType.INVALID_CALENDAR, "the calendar " + foreign.getMessage());
        }
    }

    private static void require(String field, String text, Consumer<String> check) {
        try {
            check.accept(text);
        } catch (IllegalArgumentException invalid) {
            throw new ProblemException(ProblemType.INVALID_PARAMETER, "'" + text + "' " + invalid.getMessage())
                    .with("field", field);
        }
    }

    /**
     * Returns the team that owns a calendar after the caller stored it: the requested one, else the one before, else the caller's
     * only team.
     */
    private @Nullable String owner(String name, Optional<StoredCalendar> before, @Nullable String requestedTeam) {
        before.ifPresent(this::requireChangeable);
        Caller caller = permissions.caller();
        if (requestedTeam != null) {
            if (!caller.mayOperate(requestedTeam)) {
                throw new ProblemException(ProblemType.NOT_OWNER,
                        "you are not of team " + requestedTeam + ", so calendar " + name + " cannot be given to it")
                        .with("calendar", name);
            }
            return requestedTeam;
        }
        if (before.isPresent()) {
            return before.get().team();
        }
        return caller.teams().size() == 1 ? caller.teams().iterator().next() : null;
    }

    @DeleteMapping("/{name}")
    ResponseEntity<Void> delete(@PathVariable String name) {
        List<String> users = service.delete(name, stored -> requireChangeable(stored.orElseThrow(() -> unknown(name))));
        if (!users.isEmpty()) {
            throw new ProblemException(ProblemType.CALENDAR_IN_USE,
                    "calendar " + name + " is needed by " + String.join(", ", users)).with("plans", users);
        }
        return ResponseEntity.noContent().build();
    }

    /** A calendar without an owner may be changed by callers that may operate the services of all plans that use it. */
    private void requireChangeable(StoredCalendar stored) {
        if (stored.folder()) {
            throw new ProblemException(ProblemType.OWNED_BY_FOLDER, "calendar " + stored.name()
                    + " comes from the plan folder and can only be changed there");
        }
        if (!permissions.caller().mayOperate(stored.team())) {
            throw new ProblemException(ProblemType.NOT_OWNER,
                    "calendar " + stored.name() + " is owned by team " + stored.team())
                    .with("calendar", stored.name());
        }
        if (stored.team() == null) {
            calendars.services(stored.name()).stream().filter(permissions.operable().negate()).findFirst().ifPresent(
                    service -> {
                        throw new ProblemException(ProblemType.NOT_OWNER, "a plan of service " + service
                                + ", which another team owns, rests on calendar " + stored.name())
                                .with("calendar", stored.name())
                                .with("service", service);
                    });
        }
    }

    private static ProblemException unknown(String name) {
        return new ProblemException(ProblemType.NOT_FOUND, "there is no calendar " + name);
    }
}
