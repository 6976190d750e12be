// SPDX-License-Identifier: Apache-2.0
package io.redliner.controller.api;

import io.redliner.controller.driver.PlanCheck;
import io.redliner.controller.driver.RunRefusedException;
import io.redliner.controller.access.Permissions;
import io.redliner.controller.access.PlanSecrets;
import io.redliner.controller.jdbc.PlanStore;
import io.redliner.controller.jdbc.StoredPlan;
import io.redliner.controller.plan.InvalidPlanException;
import io.redliner.controller.plan.Plan;
import io.redliner.controller.plan.yaml.PlanReader;
import io.redliner.controller.plan.yaml.PlanWriter;
import java.io.InputStream;
import java.net.URI;
import java.time.Instant;
import java.time.InstantSource;
import java.util.List;
import java.util.Map;
import java.util.function.Predicate;
import org.springframework.http.ResponseEntity;
import org.springframework.web.bind.annotation.DeleteMapping;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.PathVariable;
import org.springframework.web.bind.annotation.PostMapping;
import org.springframework.web.bind.annotation.PutMapping;
import org.springframework.web.bind.annotation.RequestMapping;
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

    private final InstantSource clock;

    private final List<PlanCheck> checks;

    private final Permissions permissions;

    PlanResource(PlanStore store, PlanReader reader, PlanWriter writer, InstantSource clock,
            List<PlanCheck> checks, Permissions permissions) {
        this.store = store;
        this.reader = reader;
        this.writer = writer;
        this.clock = clock;
        this.checks = List.copyOf(checks);
        this.permissions = permissions;
    }

    /** A stored plan; {@code plan} is its canonical content, without secrets for those who may not change it. */
    record PlanView(String name, int version, String hash, Instant createdAt, Instant updatedAt, JsonNode plan) {

        static PlanView of(StoredPlan stored, boolean secretsToo) {
            JsonNode content = JSON.readTree(stored.content());
            return new PlanView(stored.name(), stored.version(), stored.hash(), stored.createdAt(), stored.updatedAt(),
                    secretsToo ? content : PlanSecrets.masked(content));
        }
    }

    /** The answer to a validation; a plan with mistakes is answered with a problem. */
    record ValidView(boolean valid, String hash, Map<String, Object> plan) {}

    /** All plans. */
    record PlanList(List<PlanView> items) {}

    @GetMapping("/plans")
    PlanList list() {
        Predicate<String> operable = permissions.operable();
        return new PlanList(store.list().stream().map(plan -> view(plan, operable)).toList());
    }

    @PostMapping("/plans")
    ResponseEntity<PlanView> create(InputStream body) throws InvalidPlanException, RunRefusedException {
        Plan plan = read(body);
        permissions.requireOperator(plan.service());
        if (!store.create(plan.name(), writer.write(plan), writer.hash(plan), clock.instant())) {
            throw new ProblemException(ProblemType.PLAN_EXISTS,
                    "plan " + plan.name() + " exists; use PUT to give it a new version")
                    .with("field", "$.metadata.name");
        }
        return ResponseEntity.created(URI.create("/api/v1/plans/" + plan.name())).body(find(plan.name()));
    }

    @PostMapping("/plans:validate")
    ValidView validate(InputStream body) throws InvalidPlanException, RunRefusedException {
        Plan plan = read(body);
        return new ValidView(true, writer.hash(plan), writer.content(plan));
    }

    @GetMapping("/plans/{name}")
    PlanView get(@PathVariable String name) {
        return find(name);
    }

    @PutMapping("/plans/{name}")
    PlanView replace(@PathVariable String name, InputStream body) throws InvalidPlanException, RunRefusedException {
        Plan plan = read(body);
        if (!plan.name().equals(name)) {
            throw new ProblemException(ProblemType.NAME_DIFFERS,
                    "the plan is named " + plan.name() + ", the address says " + name).with("field", "$.metadata.name");
        }
        permissions.requireOperator(plan.service());
        store.find(name).ifPresent(before -> permissions.requireOperator(serviceOf(before)));
        Instant now = clock.instant();
        if (!store.replace(name, writer.write(plan), writer.hash(plan), now)
                && !store.create(name, writer.write(plan), writer.hash(plan), now)) {
            store.replace(name, writer.write(plan), writer.hash(plan), now);
        }
        return find(name);
    }

    @DeleteMapping("/plans/{name}")
    ResponseEntity<Void> delete(@PathVariable String name) {
        store.find(name).ifPresent(before -> permissions.requireOperator(serviceOf(before)));
        if (!store.delete(name)) {
            throw unknown(name);
        }
        return ResponseEntity.noContent().build();
    }

    private Plan read(InputStream body) throws InvalidPlanException, RunRefusedException {
        Plan plan = reader.read(Body.read(body));
        for (PlanCheck check : checks) {
            check.check(plan);
        }
        return plan;
    }

    private PlanView find(String name) {
        return view(store.find(name).orElseThrow(() -> unknown(name)), permissions.operable());
    }

    private static PlanView view(StoredPlan stored, Predicate<String> operable) {
        return PlanView.of(stored, operable.test(serviceOf(stored)));
    }

    private static String serviceOf(StoredPlan stored) {
        return JSON.readTree(stored.content()).at("/spec/service").asString();
    }

    private static ProblemException unknown(String name) {
        return new ProblemException(ProblemType.UNKNOWN_PLAN, "there is no plan " + name);
    }
}
