// SPDX-License-Identifier: Apache-2.0
package io.redliner.controller.api;

import io.redliner.controller.driver.RunDriver;
import io.redliner.controller.driver.RunRefusedException;
import io.redliner.controller.driver.RunSubmission;
import io.redliner.controller.jdbc.IdempotencyConflictException;
import io.redliner.controller.jdbc.PlanStore;
import io.redliner.controller.jdbc.RunQueries;
import io.redliner.controller.jdbc.ServiceBusyException;
import io.redliner.controller.jdbc.StoredRun;
import io.redliner.controller.plan.InvalidPlanException;
import io.redliner.controller.plan.Plan;
import io.redliner.controller.plan.yaml.PlanReader;
import io.redliner.controller.plan.yaml.PlanWriter;
import io.redliner.controller.plan.yaml.ReasonReader;
import io.redliner.controller.plan.yaml.RunOrder;
import io.redliner.controller.run.Phase;
import io.redliner.controller.series.SeriesService;
import io.redliner.controller.series.StoredSeries;
import java.io.InputStream;
import java.net.URI;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.springframework.http.ResponseEntity;
import org.springframework.web.bind.annotation.PathVariable;
import org.springframework.web.bind.annotation.PostMapping;
import org.springframework.web.bind.annotation.RequestHeader;
import org.springframework.web.bind.annotation.RequestMapping;
import org.springframework.web.bind.annotation.RequestParam;
import org.springframework.web.bind.annotation.RestController;

/** What changes runs: starting and aborting them. */
@RestController
@RequestMapping("/api/v1/runs")
class RunResource {

    private static final int LONGEST_KEY = 200;

    private final RunSubmission submission;

    private final RunDriver driver;

    private final RunQueries runs;

    private final PlanStore plans;

    private final PlanReader reader;

    private final PlanWriter writer;

    private final RunViews views;

    private final SeriesService series;

    RunResource(RunSubmission submission, RunDriver driver, RunQueries runs, PlanStore plans, PlanReader reader,
            PlanWriter writer, RunViews views, SeriesService series) {
        this.submission = submission;
        this.driver = driver;
        this.runs = runs;
        this.plans = plans;
        this.reader = reader;
        this.writer = writer;
        this.views = views;
        this.series = series;
    }

    /** What a run would be made of. */
    record DryRunView(boolean dryRun, String service, String sut, double naturalShare, List<String> peers,
            List<String> redirectors, String planHash, Map<String, Object> plan) {}

    @PostMapping
    ResponseEntity<Object> submit(InputStream input, @RequestParam(defaultValue = "false") boolean dryRun,
            @RequestHeader(name = "Idempotency-Key", required = false) @Nullable String key)
            throws InvalidPlanException, RunRefusedException, ServiceBusyException, IdempotencyConflictException {
        if (key != null && (key.isBlank() || key.length() > LONGEST_KEY)) {
            throw new ProblemException(ProblemType.INVALID_PARAMETER,
                    "Idempotency-Key has 1 to " + LONGEST_KEY + " characters").with("field", "Idempotency-Key");
        }
        String body = Body.read(input);
        Plan plan = plan(reader.readOrder(body));
        if (dryRun) {
            return ResponseEntity.ok(dryRun(plan));
        }
        if (plan.profile().series()) {
            StoredSeries begun = series.submit(plan, key, Body.hash(body));
            return ResponseEntity.accepted()
                    .location(URI.create("/api/v1/series/" + begun.id()))
                    .body(SeriesView.of(begun));
        }
        RunSubmission.Accepted accepted = submission.submit(plan, key, Body.hash(body));
        return ResponseEntity.accepted()
                .location(URI.create("/api/v1/runs/" + accepted.runId()))
                .body(views.full(find(accepted.runId())));
    }

    private Plan plan(RunOrder order) throws InvalidPlanException {
        return switch (order) {
            case RunOrder.Inline inline -> inline.plan();
            case RunOrder.Named named -> reader.read(plans.find(named.plan())
                    .orElseThrow(
                            () -> new ProblemException(ProblemType.UNKNOWN_PLAN, "there is no plan " + named.plan())
                                    .with("field", "$.plan"))
                    .content());
        };
    }

    private DryRunView dryRun(Plan plan) throws RunRefusedException {
        RunSubmission.Resolved resolved = plan.profile().series()
                ? series.resolve(plan).getFirst()
                : submission.resolve(plan);
        if (resolved.holder() != null) {
            throw new ProblemException(ProblemType.SERVICE_BUSY,
                    "service " + plan.service() + " is being tested by run " + resolved.holder())
                    .with("runId", resolved.holder());
        }
        return new DryRunView(true, plan.service(), resolved.sut(), resolved.naturalShare().ratio(), resolved.peers(),
                resolved.redirectors(), resolved.planHash(), writer.content(plan));
    }

    @PostMapping("/{id}:abort")
    ResponseEntity<RunView> abort(@PathVariable String id, InputStream input) throws InvalidPlanException {
        String reason = ReasonReader.read(Body.read(input));
        StoredRun run = find(id);
        if (run.state().phase() == Phase.FINISHED) {
            throw new ProblemException(ProblemType.RUN_FINISHED, "run " + id + " is over").with("runId", id);
        }
        if (!driver.abort(id, reason)) {
            throw new ProblemException(ProblemType.NOT_DRIVEN_HERE,
                    "run " + id + " has just ended, or is driven by another controller").with("runId", id);
        }
        return ResponseEntity.accepted().body(views.full(find(id)));
    }

    private StoredRun find(String id) {
        return runs.find(id).orElseThrow(() -> new ProblemException(ProblemType.NOT_FOUND, "there is no run " + id));
    }
}
