// SPDX-License-Identifier: Apache-2.0
package io.redliner.controller.service.execution;

import io.redliner.contract.document.InvalidDocumentException;
import io.redliner.controller.core.catalog.KnownService;
import io.redliner.controller.core.catalog.ServiceCatalog;
import io.redliner.controller.core.port.RunRepository;
import io.redliner.controller.core.port.StoredRun;
import io.redliner.controller.core.run.RunEvent;
import io.redliner.controller.core.run.RunFacts;
import io.redliner.controller.core.run.RunRules;
import io.redliner.controller.core.run.RunState;
import io.redliner.controller.core.run.StopCode;
import io.redliner.controller.plan.yaml.PlanReader;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Takes over orphaned runs, and sends the final records that were not delivered. */
final class RunTakeover {

    private static final Logger LOG = LoggerFactory.getLogger(RunTakeover.class);

    /** Time in which the first attempt to send a final record succeeds or fails. */
    private static final Duration FIRST_ATTEMPT = Duration.ofSeconds(4);

    private final RunRepository runs;

    private final PlanReader reader;

    private final ServiceCatalog catalog;

    private final CommandDispatcher dispatcher;

    RunTakeover(RunRepository runs, PlanReader reader, ServiceCatalog catalog, CommandDispatcher dispatcher) {
        this.runs = runs;
        this.reader = reader;
        this.catalog = catalog;
        this.dispatcher = dispatcher;
    }

    ActiveRun load(StoredRun run) {
        return new ActiveRun(run, rules(run));
    }

    /**
     * Returns the event that ends a run whose plan this version cannot read, because no rule would judge its windows; empty when
     * the plan can be read.
     */
    static Optional<RunEvent> unreadablePlan(ActiveRun run) {
        return run.rules().equals(RunRules.NONE)
                ? Optional.of(new RunEvent.Halted(StopCode.CONTROLLER_LOST,
                        "the controller that took the run over cannot read its plan, so no rule would judge its windows"))
                : Optional.empty();
    }

    private RunRules rules(StoredRun run) {
        try {
            return RunRules.of(reader.read(run.plan().json()));
        } catch (InvalidDocumentException outdated) {
            LOG.warn("the plan of run {} cannot be read any more: {}", run.id(), outdated.getMessage());
            return RunRules.NONE;
        }
    }

    /**
     * Returns the event that takes an orphaned run over, with an epoch above all earlier ones.
     *
     * @param lastHealthyAt when the run's SLA last held, by its verdicts; absent when that is not known
     */
    RunEvent takeoverEvent(StoredRun run, @Nullable Instant lastHealthyAt) {
        RunFacts facts = run.state().facts();
        long seen = Math.max(facts.epoch(), catalog.find(facts.service()).map(KnownService::epoch).orElse(0L));
        LOG.warn("run {} on {} is live and has no driver: this controller takes it over", facts.runId(),
                facts.service());
        List<String> redirectors = catalog.find(facts.service()).map(KnownService::redirectors)
                .orElse(List.of());
        return new RunEvent.TakenOver(runs.raiseEpoch(facts.service(), seen), redirectors, lastHealthyAt);
    }

    /** Sends final records and releases again that were not delivered to Kafka. */
    void republishFinalRecords(Instant now) {
        for (StoredRun run : runs.finishedUnpublished()) {
            if (run.state() instanceof RunState.Finished finished
                    && now.isAfter(finished.finishedAt().plus(FIRST_ATTEMPT))) {
                dispatcher.sendFinalRecord(run, rules(run), finished.release(), RunTakeover::undelivered);
            }
        }
    }

    private static void undelivered(String action, String reason) {
        LOG.debug("{} is still not delivered: {}", action, reason);
    }
}
