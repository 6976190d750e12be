// SPDX-License-Identifier: Apache-2.0
package io.redliner.controller.service.scheduling;

import io.redliner.contract.document.InvalidDocumentException;
import io.redliner.controller.core.port.StoredRun;
import io.redliner.controller.core.port.WorkerScheduler;
import io.redliner.controller.core.safety.RunRejectedException;
import io.redliner.controller.core.series.RunMeasurementExtractor;
import io.redliner.controller.core.series.SeriesDecider;
import io.redliner.controller.core.series.SeriesDecider.SeriesDecision;
import io.redliner.controller.core.series.SeriesDecider.SeriesEvent;
import io.redliner.controller.core.series.SeriesPlanner;
import io.redliner.controller.core.series.SeriesState;
import io.redliner.controller.core.series.StoredSeries;
import io.redliner.controller.plan.Plan;
import io.redliner.controller.plan.yaml.PlanReader;
import io.redliner.controller.plan.yaml.PlanWriter;
import io.redliner.controller.service.execution.RunCommands;
import io.redliner.controller.service.execution.RunExecutor;
import io.redliner.controller.service.maintenance.PeriodicJob;
import io.redliner.controller.service.persistence.InstanceFactsRepository;
import io.redliner.controller.service.persistence.RunReadRepository;
import io.redliner.controller.service.persistence.SeriesRepository;
import io.redliner.controller.service.submission.RunSubmissionService;
import java.time.Duration;
import java.time.InstantSource;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Drives the series of runs: polls all live series and starts the next run of a series when its last run is over. Every controller
 * does so, and no run starts twice: a run is submitted under an idempotency key of its own, and a series is stored only when it has
 * not changed since it was read.
 */
final class SeriesExecutor extends PeriodicJob {

    private static final Logger LOG = LoggerFactory.getLogger(SeriesExecutor.class);

    /** Name of the submitter of these runs. It is no user, so that any user may approve them as the second person. */
    private static final String ACTOR = "series";

    private final SeriesRepository repository;

    private final RunSubmissionService submission;

    private final RunExecutor executor;

    private final RunReadRepository runs;

    private final RunCommands commands;

    private final InstanceFactsRepository facts;

    private final PlanReader reader;

    private final RegressionInstanceSelector selector;

    private final PlanWriter writer;

    private final InstantSource clock;

    SeriesExecutor(SeriesRepository repository, RunSubmissionService submission, RunExecutor executor,
            RunReadRepository runs,
            RunCommands commands, InstanceFactsRepository facts, PlanReader reader, PlanWriter writer,
            InstantSource clock, Duration every, WorkerScheduler scheduler) {
        super(scheduler, "controller-series", every);
        this.facts = facts;
        this.commands = commands;
        this.repository = repository;
        this.submission = submission;
        this.selector = new RegressionInstanceSelector(submission);
        this.executor = executor;
        this.runs = runs;
        this.reader = reader;
        this.writer = writer;
        this.clock = clock;
    }

    @Override
    protected void run() {
        try {
            if (executor.accepting()) {
                List<StoredSeries> live = repository.live();
                Map<String, StoredRun> found = runs.find(live.stream().flatMap(SeriesExecutor::runOf).toList());
                live.forEach(series -> advance(series, found));
            }
        } catch (RuntimeException failure) {
            LOG.warn("series are looked at again later: {}", failure.toString());
        }
    }

    /** Advances one series. Its failure does not stop the other series. */
    private void advance(StoredSeries series, Map<String, StoredRun> found) {
        try {
            Optional<SeriesDecision.Command> command = decide(series, event(series.state(), found));
            if (command.isPresent()) {
                carryOut(series.id(), command.get());
            }
        } catch (RuntimeException failure) {
            LOG.warn("series {} is looked at again later: {}", series.id(), failure.toString());
        }
    }

    /** Returns the id of the run that a series waits for; empty when it waits for none. */
    private static Stream<String> runOf(StoredSeries series) {
        return series.state().live().map(SeriesState.Member::runId).stream();
    }

    private static SeriesEvent event(SeriesState state, Map<String, StoredRun> found) {
        SeriesState.Member live = state.live().orElse(null);
        return live == null || live.runId() == null
                ? new SeriesEvent.Looked()
                : Optional.ofNullable(found.get(live.runId()))
                        .flatMap(RunMeasurementExtractor::of)
                        .<SeriesEvent>map(result -> new SeriesEvent.RunEnded(live.number(), result))
                        .orElseGet(SeriesEvent.Looked::new);
    }

    /**
     * Decides and stores the decision. Returns its command; empty without one, and when another controller has changed the series
     * first.
     */
    private Optional<SeriesDecision.Command> decide(StoredSeries series, SeriesEvent event) {
        SeriesDecision decision = SeriesDecider.decide(series.state(), event, clock.instant());
        if (decision.state().equals(series.state())) {
            return decision.command();
        }
        if (!repository.change(series, series.next(decision.state()))) {
            return Optional.empty();
        }
        SeriesState.End end = decision.state().end();
        if (end != null) {
            LOG.info("series {} on {} is over: {}, {}", series.id(), series.service(), end.kind(), end.reason());
        }
        return decision.command();
    }

    private void carryOut(String id, SeriesDecision.Command command) {
        switch (command) {
            case SeriesDecision.Command.Abort abort -> {
                commands.abort(abort.runId(), abort.reason());
            }
            case SeriesDecision.Command.Start start -> {
                SeriesEvent outcome = start(id, start.member());
                repository.find(id)
                        .flatMap(newest -> decide(newest, outcome))
                        .filter(next -> next instanceof SeriesDecision.Command.Abort)
                        .ifPresent(abort -> carryOut(id, abort));
            }
        }
    }

    private SeriesEvent start(String id, SeriesState.Member member) {
        int number = member.number();
        try {
            StoredSeries series = repository.find(id).orElseThrow();
            Plan plan = SeriesPlanner.member(reader.read(series.plan().json()), member);
            String objection = selector.objection(series.state(), plan.service(), member,
                    version(plan.service(), member.instance()));
            if (objection != null) {
                return new SeriesEvent.Refused(number, objection, false);
            }
            StoredRun run = submission.submitMember(plan, ACTOR,
                    "series/" + id + "/" + number + "/" + member.attempt(), writer.hash(plan));
            return new SeriesEvent.Started(number, member.attempt(), run.id());
        } catch (RunRejectedException rejected) {
            return new SeriesEvent.Refused(number, String.valueOf(rejected.getMessage()),
                    rejected.reason().retryHelps());
        } catch (InvalidDocumentException impossible) {
            return new SeriesEvent.Refused(number, String.valueOf(impossible.getMessage()), false);
        }
    }

    private @Nullable String version(String service, String instance) {
        return facts.find(service, instance).map(known -> known.facts().version()).orElse(null);
    }
}
