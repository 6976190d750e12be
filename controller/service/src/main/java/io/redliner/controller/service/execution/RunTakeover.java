// SPDX-License-Identifier: Apache-2.0
package io.redliner.controller.service.execution;

import io.redliner.controller.core.catalog.KnownService;
import io.redliner.controller.core.catalog.ServiceCatalog;
import io.redliner.controller.core.port.RunRepository;
import io.redliner.controller.core.port.StoredRun;
import io.redliner.controller.core.run.RunEvent;
import io.redliner.controller.core.run.RunFacts;
import io.redliner.controller.core.run.RunRules;
import io.redliner.controller.core.run.RunState;
import io.redliner.controller.plan.InvalidPlanException;
import io.redliner.controller.plan.yaml.PlanReader;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** What a controller owes to runs that it, or another one before it, could not see through to the end. */
final class RunTakeover {

    private static final Logger LOG = LoggerFactory.getLogger(RunTakeover.class);

    /** By then the first farewell was delivered or failed. */
    private static final Duration FIRST_FAREWELL = Duration.ofSeconds(4);

    private final RunRepository store;

    private final PlanReader reader;

    private final ServiceCatalog catalog;

    private final CommandDispatcher dispatcher;

    RunTakeover(RunRepository store, PlanReader reader, ServiceCatalog catalog, CommandDispatcher dispatcher) {
        this.store = store;
        this.reader = reader;
        this.catalog = catalog;
        this.dispatcher = dispatcher;
    }

    ActiveRun load(StoredRun run) {
        return new ActiveRun(run, rules(run));
    }

    private RunRules rules(StoredRun run) {
        try {
            return RunRules.of(reader.read(run.plan()));
        } catch (InvalidPlanException outdated) {
            LOG.warn("the plan of run {} cannot be read any more: {}", run.id(), outdated.getMessage());
            return RunRules.NONE;
        }
    }

    /**
     * The event that takes a run over from whoever drove it: its epoch is above all that were ever given out.
     *
     * @param verdictHeardAt when a window of the run was last heard to hold, absent when that is not so
     */
    RunEvent takeoverEvent(StoredRun run, @Nullable Instant verdictHeardAt) {
        RunFacts facts = run.state().facts();
        long seen = Math.max(facts.epoch(), catalog.find(facts.service()).map(KnownService::epoch).orElse(0L));
        LOG.warn("run {} on {} is live and has no driver: this controller takes it over", facts.runId(),
                facts.service());
        List<String> redirectors = catalog.find(facts.service()).map(KnownService::redirectors).orElse(List.of());
        return new RunEvent.TakenOver(store.raiseEpoch(facts.service(), seen), redirectors, verdictHeardAt);
    }

    /** Tells Kafka again what it was not there to hear: that a run is over, and its share given back. */
    void republishFinalRecords(Instant now) {
        for (StoredRun run : store.finishedUnpublished()) {
            if (run.state() instanceof RunState.Finished finished
                    && now.isAfter(finished.finishedAt().plus(FIRST_FAREWELL))) {
                dispatcher.farewell(run, rules(run), finished.release(), RunTakeover::unheard);
            }
        }
    }

    private static void unheard(String what, String reason) {
        LOG.debug("{} is still not delivered: {}", what, reason);
    }
}
