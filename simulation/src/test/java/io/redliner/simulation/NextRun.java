// SPDX-License-Identifier: Apache-2.0
package io.redliner.simulation;

import io.redliner.contract.Epochs;
import io.redliner.controller.core.catalog.KnownService;
import io.redliner.controller.core.run.RunEvent;
import io.redliner.controller.core.run.RunFacts;
import io.redliner.controller.core.run.RunState;
import io.redliner.simulation.Misfortune.Kind;
import java.util.EnumSet;
import java.util.Set;
import java.util.function.BooleanSupplier;

/** The run after the one that was forged into: somebody releases the kill switch, and the service can be tested again. */
final class NextRun {

    /** Misfortunes that nobody repairs, or that keep a run from beginning with good reason. */
    private static final Set<Kind> LASTING = EnumSet.of(Kind.ANALYZER_DIES, Kind.COLLECTOR_DIES, Kind.REDIRECTOR_DIES,
            Kind.PROXY_LIES, Kind.PROXY_SILENT, Kind.PROXY_REFUSES, Kind.PROXIES_MOVE, Kind.PEERS_FAIL,
            Kind.SUT_SLOWS_DOWN, Kind.FLEET_GROWS);

    /** All misfortunes are over by then, ms after the submission. */
    private static final long MISFORTUNES_OVER = 90_000;

    private static final long RELEASED_WITHIN = 15_000;

    private static final long ENDS_WITHIN = 60_000;

    private static final int MAX_ATTEMPTS = 2;

    /** Where messages take longer, leases run out on their way, ms. */
    private static final int MAX_DELAY = 1000;

    private final LoopSimulation loop;

    private final Scenario scenario;

    NextRun(LoopSimulation loop, Scenario scenario) {
        this.loop = loop;
        this.scenario = scenario;
    }

    /** Returns whether nothing but what was forged can stand in its way. */
    boolean possible() {
        return scenario.misfortunes().stream().noneMatch(misfortune -> LASTING.contains(misfortune.kind()))
                && scenario.quality().loss() == 0 && scenario.quality().slowest() < MAX_DELAY
                && scenario.capacity() > 1;
    }

    /** @param before the last run, with the highest epoch that was stored */
    void begin(RunFacts before, long submission) {
        await(submission + MISFORTUNES_OVER - loop.time.now(), () -> false);
        loop.killSwitch.release();
        await(RELEASED_WITHIN, () -> false);
        long epoch = before.epoch();
        for (int attempt = 1; attempt <= MAX_ATTEMPTS; attempt++) {
            epoch = raise(epoch);
            RunFacts next = new RunFacts("next-" + attempt, before.service(), before.sut(), epoch,
                    before.naturalShare(), before.bounds(), before.times(), loop.time.instant());
            loop.begin(next);
            if (await(ENDS_WITHIN, () -> !(loop.driving().state() instanceof RunState.Preparing))
                    && loop.driving().state() instanceof RunState.Searching) {
                loop.driving().step(new RunEvent.AbortRequested("enough"));
            }
            RunState.Finished finished = await(ENDS_WITHIN, () -> loop.driving().state() instanceof RunState.Finished)
                    ? (RunState.Finished) loop.driving().state()
                    : null;
            if (finished != null && finished.ending().reason().detail().equals("enough")) {
                return;
            }
            if (attempt == MAX_ATTEMPTS) {
                throw new AssertionError("no later run can begin: " + loop.driving().state());
            }
        }
    }

    /** Raises it as the repository of runs does. */
    private long raise(long stored) {
        long seen = loop.killSwitch.catalog().find(LoopSimulation.SERVICE).map(KnownService::epoch).orElse(0L);
        return (seen - stored >= 0 && seen - stored <= Epochs.MAX_JUMP ? seen : stored) + 1;
    }

    private boolean await(long millis, BooleanSupplier condition) {
        long end = loop.time.now() + millis;
        while (!condition.getAsBoolean()) {
            if (loop.time.next() > end) {
                return false;
            }
            loop.step();
        }
        return true;
    }
}
