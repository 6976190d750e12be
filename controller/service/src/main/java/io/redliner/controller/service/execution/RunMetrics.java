// SPDX-License-Identifier: Apache-2.0
package io.redliner.controller.service.execution;

import io.micrometer.core.instrument.Counter;
import io.micrometer.core.instrument.Gauge;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.MultiGauge;
import io.micrometer.core.instrument.Tags;
import io.micrometer.core.instrument.Timer;
import io.redliner.controller.core.catalog.ServiceCatalog;
import io.redliner.controller.core.run.Harm;
import io.redliner.controller.core.run.RunCommand;
import io.redliner.controller.core.run.RunDecision;
import io.redliner.controller.core.run.RunEvent;
import io.redliner.controller.core.run.RunFacts;
import io.redliner.controller.core.run.RunPhase;
import io.redliner.controller.core.run.RunState;
import io.redliner.controller.service.persistence.CapacityRecord;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/** Runs in numbers; the names are those of CONVENTIONS. There are gauges of services and instances that exist, and of no others. */
final class RunMetrics {

    private final MeterRegistry meters;

    private final Timer transactions;

    private final Counter decisions;

    private final Map<String, ServiceGauges> services = new ConcurrentHashMap<>();

    private final RuleGauges rules;

    private final ServiceCatalog catalog;

    private final Map<Instance, Double> capacities = new ConcurrentHashMap<>();

    private final MultiGauge capacityGauges;

    /** 1 or 0; NaN until it is read. */
    private volatile double killSwitch = Double.NaN;

    private record Instance(String service, String address) {}

    RunMetrics(MeterRegistry meters, ServiceCatalog catalog) {
        this.meters = meters;
        this.catalog = catalog;
        this.capacityGauges = MultiGauge.builder("redliner.capacity.requests.per.second").register(meters);
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

    /** Counts a decision that was stored. */
    void decided(RunState before, RunEvent event, RunDecision decision) {
        decisions.increment();
        RunState after = decision.state();
        RunFacts facts = after.facts();
        ServiceGauges gauges = services.computeIfAbsent(facts.service(), this::register);
        gauges.phase = after.phase();
        if (after instanceof RunState.Leased leased) {
            gauges.share = leased.course().share().ratio();
        }
        if (event instanceof RunEvent.VerdictArrived arrived) {
            gauges.rate = arrived.verdict().sut().requestsPerSecond();
            rules.update(facts.service(), arrived.verdict().sla());
        }
        if (before instanceof RunState.Leased from) {
            harmed(facts.service(), from.course().harm(), after);
        }
        if (after instanceof RunState.Finished finished) {
            finished(finished, gauges);
        }
        for (RunCommand command : decision.commands()) {
            if (command instanceof RunCommand.RecordCapacity found) {
                capacities.put(new Instance(facts.service(), facts.sut()),
                        found.lowerBound() ? found.estimate().low() : found.estimate().capacity());
                refreshGauges();
            }
        }
    }

    /** Brings the gauges to the services and instances that redirectors report now. */
    void refreshGauges() {
        capacityGauges.register(capacities.entrySet().stream()
                .filter(known -> exists(known.getKey()))
                .map(known -> MultiGauge.Row.of(Tags.of("service", known.getKey().service(), "instance",
                        known.getKey().address()), known.getValue()))
                .toList(), true);
        services.forEach((service, gauges) -> {
            if (gauges.over() && catalog.find(service).isEmpty() && services.remove(service, gauges)) {
                gauges.gauges.forEach(meters::remove);
            }
        });
    }

    private boolean exists(Instance instance) {
        return catalog.find(instance.service()).flatMap(service -> service.instance(instance.address())).isPresent();
    }

    /** A counter never falls, so that a step counts when it has ended. */
    private void harmed(String service, Harm before, RunState after) {
        double byTest = after instanceof RunState.Leased leased
                ? leased.course().harm().ended()
                : after.harm().requests();
        meters.counter("redliner.harm.requests", "service", service)
                .increment(Math.max(0, byTest - before.ended()));
        Double anyway = after instanceof RunState.Leased leased
                ? leased.course().harm().anyway()
                : after.harm().anyway();
        Double anywayBefore = before.anyway();
        if (anyway != null && anywayBefore != null) {
            meters.counter("redliner.harm.anyway.requests", "service", service)
                    .increment(Math.max(0, anyway - anywayBefore));
        }
    }

    /** Sets the gauge of the kill switch. */
    void killSwitch(boolean engaged) {
        killSwitch = engaged ? 1 : 0;
    }

    /** Removes a run that another controller has taken over: that controller publishes its figures. */
    void lost(String service) {
        ServiceGauges gauges = services.get(service);
        if (gauges != null) {
            gauges.phase = null;
            resetGauges(service, gauges);
        }
    }

    /** Counts a verdict that came in time and became too old while it waited. */
    void skippedVerdict() {
        meters.counter("redliner.controller.skipped", "event", "verdict", "reason", "late").increment();
    }

    /**
     * Sets a capacity that was found before this process started; of a lower bound the lower end of its interval. Its gauge appears
     * when its instance is reported.
     */
    void restoreCapacity(CapacityRecord capacity) {
        capacities.put(new Instance(capacity.service(), capacity.instance()),
                capacity.lowerBound() ? capacity.low() : capacity.capacity());
    }

    private void finished(RunState.Finished finished, ServiceGauges gauges) {
        String service = finished.facts().service();
        resetGauges(service, gauges);
        meters.counter("redliner.runs", "service", service, "outcome", finished.ending().outcome().name(), "reason",
                finished.ending().reason().code().wireName()).increment();
        meters.timer("redliner.run.duration", "service", service).record(finished.duration());
        if (finished.restored().acknowledged()) {
            meters.timer("redliner.restore", "service", service).record(finished.restored().took());
        }
    }

    private void resetGauges(String service, ServiceGauges gauges) {
        gauges.share = Double.NaN;
        gauges.rate = Double.NaN;
        rules.remove(service);
    }

    private ServiceGauges register(String service) {
        ServiceGauges gauges = new ServiceGauges();
        for (RunPhase phase : RunPhase.values()) {
            gauges.gauges.add(Gauge.builder("redliner.run.phase", gauges, now -> now.phase == phase ? 1 : 0)
                    .tag("service", service)
                    .tag("phase", phase.wireName())
                    .register(meters));
        }
        gauges.gauges.add(Gauge.builder("redliner.share.ratio", gauges, now -> now.share).tag("service", service)
                .register(meters));
        gauges.gauges.add(Gauge.builder("redliner.sut.requests.per.second", gauges, now -> now.rate)
                .tag("service", service)
                .register(meters));
        return gauges;
    }

    private static final class ServiceGauges {

        private volatile @Nullable RunPhase phase = RunPhase.PENDING;

        private volatile double share = Double.NaN;

        private volatile double rate = Double.NaN;

        private final List<Gauge> gauges = new CopyOnWriteArrayList<>();

        /** Returns true when this controller drives no run of the service. */
        private boolean over() {
            return phase == null || phase == RunPhase.FINISHED;
        }
    }
}
