// SPDX-License-Identifier: Apache-2.0
package io.redliner.controller.driver;

import io.redliner.controller.catalog.ServiceCatalog;
import io.redliner.controller.catalog.KnownService;
import io.redliner.controller.jdbc.RunStore;
import io.redliner.controller.jdbc.StoredRun;
import io.redliner.controller.plan.yaml.PlanReader;
import io.redliner.controller.run.RunEvent;
import io.redliner.controller.run.RunFacts;
import io.redliner.controller.run.RunState;
import io.redliner.sla.RuleCompiler;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.List;
import java.util.function.Consumer;
import java.util.function.Predicate;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.core.NestedRuntimeException;

/** What a controller owes to runs that it, or another one before it, could not see through to the end. */
final class Recovery {

    private static final Logger LOG = LoggerFactory.getLogger(Recovery.class);

    /** By then the first farewell was delivered or failed. */
    private static final Duration FIRST_FAREWELL = Duration.ofSeconds(4);

    /** Ten renewals of a lease. */
    private static final Duration NEGLECT = Duration.ofSeconds(10);

    private final RunStore store;

    private final PlanReader reader;

    private final RuleCompiler compiler;

    private final ServiceCatalog catalog;

    private final Dispatcher dispatcher;

    private final InstantSource clock;

    private final Neglected neglected = new Neglected(NEGLECT);

    Recovery(RunStore store, PlanReader reader, RuleCompiler compiler, ServiceCatalog catalog, Dispatcher dispatcher,
            InstantSource clock) {
        this.store = store;
        this.reader = reader;
        this.compiler = compiler;
        this.catalog = catalog;
        this.dispatcher = dispatcher;
        this.clock = clock;
    }

    LiveRun adopt(StoredRun run) {
        return new LiveRun(run, RunRules.read(run.plan(), reader, compiler));
    }

    List<LiveRun> findLive() {
        return store.live().stream().map(this::adopt).toList();
    }

    /** Live runs that nobody drives; see {@link Neglected}. */
    List<LiveRun> findNeglected(Predicate<String> driven, Instant now) {
        return neglected.among(store.live(), driven, now).stream().map(this::adopt).toList();
    }

    /** How many stored runs could not be read. */
    int unreadable() {
        return store.unreadable();
    }

    /** The event that takes a run over from whoever drove it: its epoch is above all that were ever given out. */
    RunEvent restarted(LiveRun run) {
        RunFacts facts = run.state().facts();
        long seen = Math.max(facts.epoch(), catalog.find(facts.service()).map(KnownService::epoch).orElse(0L));
        LOG.warn("run {} on {} is live and has no driver: it is brought to its end", facts.runId(),
                facts.service());
        return new RunEvent.ControllerRestarted(store.raiseEpoch(facts.service(), seen));
    }

    void farewellDelivered(StoredRun run) {
        try {
            store.farewellDelivered(run.id(), clock.instant());
        } catch (NestedRuntimeException failure) {
            LOG.warn("the farewell of run {} will be repeated: {}", run.id(), failure.getMessage());
        }
    }

    /** Tells Kafka again what it was not there to hear: that a run is over, and its share given back. */
    void repeatFarewells(Instant now, Consumer<StoredRun> farewell) {
        for (StoredRun run : store.withoutFarewell()) {
            if (run.state() instanceof RunState.Finished finished
                    && now.isAfter(finished.finishedAt().plus(FIRST_FAREWELL))) {
                dispatcher.farewell(adopt(run), finished.release(), Recovery::unheard, farewell);
            }
        }
    }

    private static void unheard(String what, String reason) {
        LOG.debug("{} is still not delivered: {}", what, reason);
    }
}
