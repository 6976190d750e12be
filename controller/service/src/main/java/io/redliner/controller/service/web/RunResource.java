// SPDX-License-Identifier: Apache-2.0
package io.redliner.controller.service.web;

import io.redliner.contract.document.InvalidDocumentException;
import io.redliner.contract.document.NodeReader;
import io.redliner.contract.document.YamlNode;
import io.redliner.contract.document.YamlParser;
import io.redliner.controller.core.port.StoredRun;
import io.redliner.controller.core.run.RunEvent;
import io.redliner.controller.core.run.RunFacts;
import io.redliner.controller.core.run.RunOrder;
import io.redliner.controller.core.run.RunPhase;
import io.redliner.controller.core.run.RunState;
import io.redliner.controller.core.safety.RejectionReason;
import io.redliner.controller.core.safety.RunRejectedException;
import io.redliner.controller.core.series.SeriesState;
import io.redliner.controller.core.series.StoredSeries;
import io.redliner.controller.plan.Plan;
import io.redliner.controller.plan.yaml.PlanReader;
import io.redliner.controller.plan.yaml.PlanWriter;
import io.redliner.controller.service.execution.RunCommands;
import io.redliner.controller.service.execution.RunExecutor;
import io.redliner.controller.service.persistence.EmergencyQueries;
import io.redliner.controller.service.persistence.IdempotencyKeys;
import io.redliner.controller.service.persistence.PlanRepository;
import io.redliner.controller.service.persistence.RunReadRepository;
import io.redliner.controller.service.problem.ProblemException;
import io.redliner.controller.service.problem.ProblemType;
import io.redliner.controller.service.scheduling.SeriesService;
import io.redliner.controller.service.security.AuditContext;
import io.redliner.controller.service.security.Permissions;
import io.redliner.controller.service.security.RequestBodyReader;
import io.redliner.controller.service.submission.RunSubmissionService;
import jakarta.servlet.http.HttpServletRequest;
import java.io.InputStream;
import java.net.URI;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.UUID;
import java.util.function.UnaryOperator;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.core.NestedRuntimeException;
import org.springframework.http.ResponseEntity;
import org.springframework.web.bind.annotation.PathVariable;
import org.springframework.web.bind.annotation.PostMapping;
import org.springframework.web.bind.annotation.RequestHeader;
import org.springframework.web.bind.annotation.RequestMapping;
import org.springframework.web.bind.annotation.RequestParam;
import org.springframework.web.bind.annotation.RestController;

/** Changes runs: starts, aborts, pauses, resumes and approves them. */
@RestController
@RequestMapping("/api/v1/runs")
class RunResource {

    private static final Logger LOG = LoggerFactory.getLogger(RunResource.class);

    private static final int MAX_KEY = 200;

    private final RunSubmissionService submission;

    private final RunExecutor executor;

    private final RunReadRepository runs;

    private final PlanRepository plans;

    private final PlanReader reader;

    private final PlanWriter writer;

    private final RunViewAssembler views;

    private final RunCommands commands;

    private final SeriesService series;

    private final Permissions permissions;

    private final IdempotencyKeys keys;

    private final PlanValidationService planValidation;

    RunResource(RunSubmissionService submission, RunExecutor executor, RunReadRepository runs, PlanRepository plans,
            PlanReader reader, PlanWriter writer, RunViewAssembler views, SeriesService series, RunCommands commands,
            Permissions permissions, IdempotencyKeys keys, PlanValidationService planValidation) {
        this.planValidation = planValidation;
        this.keys = keys;
        this.submission = submission;
        this.executor = executor;
        this.runs = runs;
        this.plans = plans;
        this.reader = reader;
        this.writer = writer;
        this.views = views;
        this.commands = commands;
        this.permissions = permissions;
        this.series = series;
    }

    /** A run that could be started. */
    record DryRunView(boolean dryRun, String service, String sut, double naturalShare, List<String> peers,
            List<String> redirectors, String planHash, Map<String, Object> plan, List<SutSelectionView> choices,
            List<String> notes) {}

    @PostMapping
    ResponseEntity<Object> submit(InputStream input, @RequestParam(defaultValue = "false") boolean dryRun,
            @RequestHeader(name = "Idempotency-Key", required = false) @Nullable String key)
            throws InvalidDocumentException {
        if (key != null && (key.isBlank() || key.length() > MAX_KEY)) {
            throw new ProblemException(ProblemType.INVALID_PARAMETER,
                    "Idempotency-Key has 1 to " + MAX_KEY + " characters").with("field", "Idempotency-Key");
        }
        if (key != null && IdempotencyKeys.reserved(key)) {
            throw new ProblemException(ProblemType.INVALID_PARAMETER,
                    "Idempotency-Key does not begin as RedLiner's own keys do: schedule/, deployment/, series/ or kubernetes/")
                    .with("field", "Idempotency-Key");
        }
        String body = RequestBodyReader.read(input);
        Optional<IdempotencyKeys.Use> use = key == null || dryRun ? Optional.empty() : keys.find(key);
        if (key != null && use.isPresent()) {
            // The plan is not read, because it may have changed or been deleted since the first request.
            use.get().requireBody(key, RequestBodyReader.hash(body));
            return again(use.get());
        }
        Plan plan = SubmitRunRequestReader.read(body, reader, this::storedPlan);
        permissions.requireOperator(plan.service());
        requireApprover(plan);
        if (dryRun) {
            return ResponseEntity.ok(dryRun(plan));
        }
        if (plan.profile().series()) {
            return accepted(series.submit(plan, null, key, RequestBodyReader.hash(body)));
        }
        return accepted(submission.submit(plan, permissions.caller().name(), null, key, RequestBodyReader.hash(body)));
    }

    /** Returns the answer to a retry: the run or series that the key has begun. */
    private ResponseEntity<Object> again(IdempotencyKeys.Use use) {
        if (use.owner() == IdempotencyKeys.Owner.SERIES) {
            StoredSeries begun = series.find(use.id()).orElseThrow();
            permissions.requireOperator(begun.service());
            return accepted(begun);
        }
        StoredRun run = find(use.id());
        permissions.requireOperator(run.state().facts().service());
        return accepted(run);
    }

    private ResponseEntity<Object> accepted(StoredRun run) {
        AuditContext.run(run.id());
        return ResponseEntity.accepted().location(URI.create("/api/v1/runs/" + run.id())).body(views.full(run));
    }

    private ResponseEntity<Object> accepted(StoredSeries series) {
        return ResponseEntity.accepted()
                .location(URI.create("/api/v1/series/" + series.id()))
                .body(SeriesView.of(series, views.notes(series.plan().json())));
    }

    /**
     * Rejects a run that would wait for an approval that no user can give. Schedules and series submit their runs elsewhere,
     * without a user.
     */
    private void requireApprover(Plan plan) {
        planValidation.approverMissing(plan).ifPresent(why -> {
            throw new RunRejectedException(RejectionReason.NO_APPROVER, why, "$.spec.safety.approval", List.of());
        });
    }

    private String storedPlan(String name) {
        return plans.find(name).orElseThrow(() -> new ProblemException(ProblemType.UNKNOWN_PLAN,
                "there is no plan " + name).with("field", "$.plan")).content();
    }

    private DryRunView dryRun(Plan plan) {
        // A random choice of the instance is made anew for the run itself.
        String id = UUID.randomUUID().toString();
        List<SeriesState.Side> sides = List.of();
        RunOrder order;
        if (plan.profile().series()) {
            SeriesService.Foreseen foreseen = series.resolve(plan, id, null);
            order = foreseen.runs().getFirst();
            sides = foreseen.sides();
        } else {
            order = submission.resolve(plan, id, null);
        }
        submission.requireFree(plan.service());
        RunFacts facts = order.facts();
        return new DryRunView(true, plan.service(), facts.sut(), facts.naturalShare().ratio(), submission.peers(order),
                order.redirectors(), order.plan().hash(), writer.content(plan),
                facts.chosen() == null
                        ? SutSelectionView.of(sides)
                        : List.of(SutSelectionView.of(facts.chosen())),
                PlanNotes.of(plan));
    }

    /** Works without the database too, as long as this controller drives the run. */
    @PostMapping("/{id}:abort")
    ResponseEntity<Object> abort(@PathVariable String id, HttpServletRequest request)
            throws InvalidDocumentException {
        String reason = ReasonRequestReader.readOfStop(request,
                "stopped by " + permissions.caller().name() + ", no reason given");
        AuditContext.reason(reason);
        permissions.requireMayAbort(executor.serviceOf(id).orElseGet(() -> live(id).state().facts().service()));
        boolean stored = commands.abort(id, reason);
        try {
            if (stored) {
                return ResponseEntity.accepted().body(EmergencyQueries.run(() -> views.full(find(id))));
            }
        } catch (NestedRuntimeException unreachable) {
            LOG.warn("run {} is being aborted; the database does not answer, so nothing more can be said of it", id);
        }
        return ResponseEntity.accepted().body(Map.of("id", id, "stored", stored));
    }

    /** Records in the audit log why a run was stopped, for a user who stopped it first. */
    @PostMapping("/{id}:explain")
    ResponseEntity<Void> explain(@PathVariable String id, InputStream input) throws InvalidDocumentException {
        AuditContext.reason(ReasonRequestReader.read(input));
        permissions.requireOperator(find(id).state().facts().service());
        return ResponseEntity.noContent().build();
    }

    @PostMapping("/{id}:pause")
    ResponseEntity<RunView> pause(@PathVariable String id, InputStream input) throws InvalidDocumentException {
        String reason = ReasonRequestReader.read(input);
        StoredRun run = changeable(id, reason);
        if (!(run.state() instanceof RunState.Searching)) {
            throw wrongPhase(run, "only a run that looks for the capacity can be paused");
        }
        commands.accept(id, new RunEvent.PauseRequested(reason));
        return ResponseEntity.accepted().body(views.full(find(id)));
    }

    @PostMapping("/{id}:resume")
    ResponseEntity<RunView> resume(@PathVariable String id, InputStream input) throws InvalidDocumentException {
        String reason = ReasonRequestReader.read(input);
        StoredRun run = changeable(id, reason);
        if (run.state().phase() != RunPhase.PAUSED) {
            throw wrongPhase(run, "only a paused run can be resumed");
        }
        commands.accept(id, new RunEvent.ResumeRequested(reason));
        return ResponseEntity.accepted().body(views.full(find(id)));
    }

    @PostMapping("/{id}:approve")
    ResponseEntity<RunView> approve(@PathVariable String id, InputStream input)
            throws InvalidDocumentException {
        String reason = ReasonRequestReader.read(input);
        StoredRun run = changeable(id, reason);
        if (!run.state().facts().awaitsApproval()) {
            throw wrongPhase(run, "it does not wait for an approval");
        }
        submission.approve(run, reader.read(run.plan().json()), permissions.caller().name(), reason);
        return ResponseEntity.accepted().body(views.full(find(id)));
    }

    private static ProblemException wrongPhase(StoredRun run, String why) {
        return new ProblemException(ProblemType.WRONG_PHASE,
                "run " + run.id() + " is " + run.state().phase().wireName() + "; " + why).with("runId", run.id());
    }

    private StoredRun changeable(String id, String reason) {
        AuditContext.reason(reason);
        StoredRun run = live(id);
        permissions.requireOperator(run.state().facts().service());
        return run;
    }

    private StoredRun live(String id) {
        StoredRun run = find(id);
        if (run.state().phase() == RunPhase.FINISHED) {
            throw new ProblemException(ProblemType.RUN_FINISHED, "run " + id + " is over").with("runId", id);
        }
        return run;
    }

    private StoredRun find(String id) {
        return EmergencyQueries.run(() -> runs.find(id))
                .orElseThrow(() -> new ProblemException(ProblemType.NOT_FOUND, "there is no run " + id));
    }

    /** Reads the plan that a {@code POST /runs} request asks to execute. */
    static final class SubmitRunRequestReader {

        private SubmitRunRequestReader() {}

        /**
         * Reads the body of a request: a plan itself, or an object whose only field {@code plan} holds the name of a stored plan or
         * a plan.
         *
         * @param storedPlan returns the current content of the plan with this name
         * @throws InvalidDocumentException with all mistakes
         */
        static Plan read(String text, PlanReader reader, UnaryOperator<String> storedPlan)
                throws InvalidDocumentException {
            YamlNode document = YamlParser.readPlan(text);
            if (document instanceof YamlNode.Fields fields && fields.fields().containsKey("kind")) {
                return reader.read(document);
            }
            Optional<String> name = NodeReader.read(document,
                    order -> order.required("plan") instanceof YamlNode.Scalar plan
                            ? Optional.ofNullable(order.convert(plan, Plan::requireName))
                            : Optional.empty());
            return name.isPresent()
                    ? reader.read(storedPlan.apply(name.get()))
                    : reader.read(document.find("$.plan").orElseThrow());
        }
    }
}
