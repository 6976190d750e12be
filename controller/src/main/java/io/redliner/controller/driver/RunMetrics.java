// SPDX-License-Identifier: Apache-2.0
package io.redliner.controller.driver;

import io.micrometer.core.instrument.Counter;
import io.micrometer.core.instrument.Gauge;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.Timer;
import io.redliner.controller.jdbc.CapacityRecord;
import io.redliner.controller.run.Command;
import io.redliner.controller.run.Decision;
import io.redliner.controller.run.Phase;
import io.redliner.controller.run.RunEvent;
import io.redliner.controller.run.RunFacts;
import io.redliner.controller.run.RunState;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/** Runs in numbers; the names are those of CONVENTIONS. */
final class RunMetrics {

    private final MeterRegistry meters;

    private final Timer transactions;

    private final Counter decisions;

    private final Map<String, Seen> services = new ConcurrentHashMap<>();

    private final RuleGauges rules;

    private final Map<String, Double> capacities = new ConcurrentHashMap<>();

    /** 1 or 0; NaN until it is read. */
    private volatile double killSwitch = Double.NaN;

    RunMetrics(MeterRegistry meters) {
        this.meters = meters;
        this.rules = new RuleGauges(meters);
        this.transactions = Timer.builder("redliner.controller.transaction")
                .description("Transactions that store decisions, those that fail too")
                .register(meters);
        this.decisions = Counter.builder("redliner.controller.decisions")
                .description("Decisions that were stored")
                .register(meters);
        Gauge.builder("redliner.kill.switch.engaged", this, metrics -> metrics.killSwitch)
                .description("Whether the kill switch is engaged, as far as this controller could read it: 1 or 0")
                .register(meters);
    }

    /** Times the storing of decisions. */
    <T> T storing(Supplier<T> transaction) {
        return Objects.requireNonNull(transactions.record(transaction));
    }

    /** Takes note of a decision that was stored. */
    void decided(RunState before, RunEvent event, Decision decision) {
        decisions.increment();
        RunState after = decision.state();
        RunFacts facts = after.facts();
        Seen seen = services.computeIfAbsent(facts.service(), this::register);
        seen.phase = after.phase();
        if (after instanceof RunState.Leased leased) {
            seen.share = leased.course().share().ratio();
        }
        if (event instanceof RunEvent.VerdictArrived arrived) {
            seen.rate = arrived.verdict().sut().requestsPerSecond();
            rules.judged(facts.service(), arrived.verdict().sla());
        }
        if (before instanceof RunState.Leased from && after instanceof RunState.Leased to) {
            meters.counter("redliner.harm.requests", "service", facts.service())
                    .increment(Math.max(0, to.course().harm().requests() - from.course().harm().requests()));
        }
        if (after instanceof RunState.Finished finished) {
            finished(finished, seen);
        }
        for (Command command : decision.commands()) {
            if (command instanceof Command.RecordCapacity found) {
                capacity(facts.service(), facts.sut(), found.estimate().capacity());
            }
        }
    }

    /** The kill switch was read. */
    void killSwitch(boolean engaged) {
        killSwitch = engaged ? 1 : 0;
    }

    /** The service's run is another controller's now, which tells of it. */
    void lost(String service) {
        Seen seen = services.get(service);
        if (seen != null) {
            seen.phase = null;
            nothing(service, seen);
        }
    }

    /** A verdict came in time, and is too old to be acted on now. */
    void skippedVerdict() {
        meters.counter("redliner.controller.skipped", "event", "verdict", "reason", "late").increment();
    }

    /** A capacity that was found before this process started. */
    void known(CapacityRecord capacity) {
        capacity(capacity.service(), capacity.instance(), capacity.capacity());
    }

    private void finished(RunState.Finished finished, Seen seen) {
        String service = finished.facts().service();
        nothing(service, seen);
        meters.counter("redliner.runs", "service", service, "outcome", finished.ending().outcome().name(), "reason",
                finished.ending().reason().code().word()).increment();
        meters.timer("redliner.run.duration", "service", service).record(finished.duration());
        if (finished.restored().acknowledged()) {
            meters.timer("redliner.restore", "service", service).record(finished.restored().took());
        }
    }

    private void nothing(String service, Seen seen) {
        seen.share = Double.NaN;
        seen.rate = Double.NaN;
        rules.over(service);
    }

    private void capacity(String service, String instance, double capacity) {
        String key = service + " " + instance;
        if (capacities.put(key, capacity) == null) {
            Gauge.builder("redliner.capacity.requests.per.second", capacities, all -> all.getOrDefault(key, Double.NaN))
                    .tag("service", service)
                    .tag("instance", instance)
                    .register(meters);
        }
    }

    private Seen register(String service) {
        Seen seen = new Seen();
        for (Phase phase : Phase.values()) {
            Gauge.builder("redliner.run.phase", seen, now -> now.phase == phase ? 1 : 0)
                    .tag("service", service)
                    .tag("phase", phase.word())
                    .register(meters);
        }
        Gauge.builder("redliner.share.ratio", seen, now -> now.share).tag("service", service).register(meters);
        Gauge.builder("redliner.sut.requests.per.second", seen, now -> now.rate)
                .tag("service", service)
                .register(meters);
        return seen;
    }

    private static final class Seen {

        private volatile @Nullable Phase phase = Phase.PENDING;

        private volatile double share = Double.NaN;

        private volatile double rate = Double.NaN;
    }
}
