// SPDX-License-Identifier: Apache-2.0
package io.redliner.controller.api;

import io.redliner.controller.folder.FolderStatus;
import io.redliner.controller.folder.PlanFolder;
import io.redliner.controller.jdbc.PlanStore;
import io.redliner.controller.jdbc.StoredPlan;
import io.redliner.controller.plan.InvalidPlanException;
import io.redliner.controller.plan.Plan;
import io.redliner.controller.plan.yaml.PlanReader;
import io.redliner.controller.plan.yaml.PlanWriter;
import io.redliner.controller.schedule.Calendars;
import io.redliner.controller.schedule.ScheduleCheck;
import io.redliner.controller.schedule.calendar.CalendarStore;
import java.io.InputStream;
import java.net.URI;
import java.time.Instant;
import java.time.InstantSource;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.springframework.http.ResponseEntity;
import org.springframework.web.bind.annotation.DeleteMapping;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.PathVariable;
import org.springframework.web.bind.annotation.PostMapping;
import org.springframework.web.bind.annotation.PutMapping;
import org.springframework.web.bind.annotation.RequestMapping;
import org.springframework.web.bind.annotation.RequestParam;
import org.springframework.web.bind.annotation.RestController;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/** Plans: declared capacity tests, as YAML or JSON. */
@RestController
@RequestMapping("/api/v1")
class PlanResource {

    private static final JsonMapper JSON = JsonMapper.builder().build();

    private final PlanStore store;

    private final PlanReader reader;

    private final PlanWriter writer;

    private final Calendars calendars;

    private final PlanFolder folder;

    private final InstantSource clock;

    PlanResource(PlanStore store, PlanReader reader, PlanWriter writer, CalendarStore calendars, PlanFolder folder,
            InstantSource clock) {
        this.store = store;
        this.reader = reader;
        this.writer = writer;
        this.calendars = calendars;
        this.folder = folder;
        this.clock = clock;
    }

    /** A stored plan; {@code plan} is its canonical content. */
    record PlanView(String name, int version, String hash, Instant createdAt, Instant updatedAt, String source,
            @Nullable String file, JsonNode plan) {

        static PlanView of(StoredPlan stored) {
            return new PlanView(stored.name(), stored.version(), stored.hash(), stored.createdAt(), stored.updatedAt(),
                    stored.source().word(), stored.file(), JSON.readTree(stored.content()));
        }
    }

    /** The answer to a validation; a plan with mistakes is answered with a problem. */
    record ValidView(boolean valid, String hash, Map<String, Object> plan) {}

    /** One page of plans by name. */
    record PlanPage(List<PlanView> items, @Nullable String nextPageToken) {}

    /** One page of versions, newest first; {@code nextBelow} is the {@code below} of the next page. */
    record VersionPage(List<PlanStore.Version> items, @Nullable Integer nextBelow) {}

    @GetMapping("/plans")
    PlanPage list(@RequestParam(defaultValue = "50") int limit,
            @RequestParam(required = false) @Nullable String pageToken) {
        List<StoredPlan> found = store.list(PageToken.readName(pageToken), Limits.require(limit) + 1);
        List<StoredPlan> page = found.subList(0, Math.min(limit, found.size()));
        return new PlanPage(page.stream().map(PlanView::of).toList(),
                found.size() > limit ? PageToken.afterName(page.getLast().name()) : null);
    }

    /** What became of the watched folder. */
    @GetMapping("/plans:folder")
    FolderStatus folder() {
        return folder.status();
    }

    @GetMapping("/plans/{name}/versions")
    VersionPage versions(@PathVariable String name, @RequestParam(defaultValue = "50") int limit,
            @RequestParam(required = false) @Nullable Integer below) {
        find(name);
        List<PlanStore.Version> found = store.versions(name, below == null ? Integer.MAX_VALUE : below,
                Limits.require(limit) + 1);
        List<PlanStore.Version> page = found.subList(0, Math.min(limit, found.size()));
        return new VersionPage(page, found.size() > limit ? page.getLast().version() : null);
    }

    private Plan read(InputStream body) throws InvalidPlanException {
        return reader.read(Body.read(body), plan -> ScheduleCheck.fault(plan, calendars, clock.instant()));
    }

    @PostMapping("/plans")
    ResponseEntity<PlanView> create(InputStream body) throws InvalidPlanException {
        Plan plan = read(body);
        if (!store.create(plan.name(), writer.write(plan), writer.hash(plan), clock.instant())) {
            throw new ProblemException(ProblemType.PLAN_EXISTS,
                    "plan " + plan.name() + " exists; use PUT to give it a new version")
                    .with("field", "$.metadata.name");
        }
        return ResponseEntity.created(URI.create("/api/v1/plans/" + plan.name())).body(find(plan.name()));
    }

    @PostMapping("/plans:validate")
    ValidView validate(InputStream body) throws InvalidPlanException {
        Plan plan = read(body);
        return new ValidView(true, writer.hash(plan), writer.content(plan));
    }

    @GetMapping("/plans/{name}")
    PlanView get(@PathVariable String name, @RequestParam(required = false) @Nullable Integer version) {
        if (version == null) {
            return find(name);
        }
        return PlanView.of(store.find(name, version)
                .orElseThrow(() -> new ProblemException(ProblemType.UNKNOWN_PLAN,
                        "there is no version " + version + " of plan " + name)));
    }

    @PutMapping("/plans/{name}")
    PlanView replace(@PathVariable String name, InputStream body) throws InvalidPlanException {
        Plan plan = read(body);
        if (!plan.name().equals(name)) {
            throw new ProblemException(ProblemType.NAME_DIFFERS,
                    "the plan is named " + plan.name() + ", the address says " + name).with("field", "$.metadata.name");
        }
        Instant now = clock.instant();
        if (!store.replace(name, writer.write(plan), writer.hash(plan), now)
                && !store.create(name, writer.write(plan), writer.hash(plan), now)) {
            store.replace(name, writer.write(plan), writer.hash(plan), now);
        }
        return find(name);
    }

    @DeleteMapping("/plans/{name}")
    ResponseEntity<Void> delete(@PathVariable String name) {
        if (!store.delete(name)) {
            throw unknown(name);
        }
        return ResponseEntity.noContent().build();
    }

    private PlanView find(String name) {
        return PlanView.of(store.find(name).orElseThrow(() -> unknown(name)));
    }

    private static ProblemException unknown(String name) {
        return new ProblemException(ProblemType.UNKNOWN_PLAN, "there is no plan " + name);
    }
}
