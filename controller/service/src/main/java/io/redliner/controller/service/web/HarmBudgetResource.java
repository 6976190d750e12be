// SPDX-License-Identifier: Apache-2.0
package io.redliner.controller.service.web;

import io.redliner.contract.document.InvalidDocumentException;
import io.redliner.contract.document.NodeReader;
import io.redliner.contract.document.YamlParser;
import io.redliner.controller.plan.NumberText;
import io.redliner.controller.plan.Plan;
import io.redliner.controller.service.persistence.SafetyRepository;
import io.redliner.controller.service.problem.ProblemException;
import io.redliner.controller.service.problem.ProblemType;
import io.redliner.controller.service.security.Permissions;
import io.redliner.controller.service.security.RequestBodyReader;
import java.io.InputStream;
import java.time.Instant;
import java.time.InstantSource;
import java.util.Optional;
import org.springframework.http.ResponseEntity;
import org.springframework.web.bind.annotation.DeleteMapping;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.PathVariable;
import org.springframework.web.bind.annotation.PutMapping;
import org.springframework.web.bind.annotation.RequestMapping;
import org.springframework.web.bind.annotation.RestController;

/** The number of requests of a service that all runs together may harm in a month. */
@RestController
@RequestMapping("/api/v1/services/{service}/harm-budget")
class HarmBudgetResource {

    private final SafetyRepository safety;

    private final Permissions permissions;

    private final InstantSource clock;

    HarmBudgetResource(SafetyRepository safety, Permissions permissions, InstantSource clock) {
        this.permissions = permissions;
        this.safety = safety;
        this.clock = clock;
    }

    /** The budget; whole requests that runs harmed in the month so far, in UTC, by runs that are over. */
    record HarmBudgetView(String service, double requestsPerMonth, double harmedThisMonth, double left) {

        static Optional<HarmBudgetView> of(SafetyRepository safety, String service, Instant now) {
            return safety.harmBudget(service).map(budget -> {
                double harmed = Math.ceil(safety.harmDone(service, now));
                return new HarmBudgetView(service, budget, harmed, Math.max(0, budget - harmed));
            });
        }
    }

    @GetMapping
    HarmBudgetView budget(@PathVariable String service) {
        return HarmBudgetView.of(safety, service, clock.instant()).orElseThrow(() -> notFound(service));
    }

    @PutMapping
    HarmBudgetView set(@PathVariable String service, InputStream input) throws InvalidDocumentException {
        try {
            Plan.requireService(service);
        } catch (IllegalArgumentException invalid) {
            throw new ProblemException(ProblemType.INVALID_PARAMETER, "service " + invalid.getMessage()).with("field",
                    "service");
        }
        permissions.requireOperator(service);
        safety.setHarmBudget(service, requestsPerMonth(RequestBodyReader.read(input)));
        return budget(service);
    }

    @DeleteMapping
    ResponseEntity<Void> remove(@PathVariable String service) {
        permissions.requireOperator(service);
        if (!safety.removeHarmBudget(service)) {
            throw notFound(service);
        }
        return ResponseEntity.noContent().build();
    }

    private static ProblemException notFound(String service) {
        return new ProblemException(ProblemType.NOT_FOUND, "service " + service + " has no harm budget for the month");
    }

    /**
     * Reads how many requests of a service runs may harm in a month, 0 or more; with 0, no run may begin.
     *
     * @throws InvalidDocumentException with all mistakes
     */
    static double requestsPerMonth(String text) throws InvalidDocumentException {
        return NodeReader.read(YamlParser.read(text),
                fields -> fields.required("requestsPerMonth", HarmBudgetResource::requests));
    }

    private static double requests(String text) {
        double requests = NumberText.parse(text, "is no number").doubleValue();
        if (requests < 0) {
            throw new IllegalArgumentException("is below 0");
        }
        return requests;
    }
}
