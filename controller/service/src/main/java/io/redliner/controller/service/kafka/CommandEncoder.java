// SPDX-License-Identifier: Apache-2.0
package io.redliner.controller.service.kafka;

import io.redliner.contract.limit.Precision;
import io.redliner.contract.redirect.RedirectCodec;
import io.redliner.contract.v1.Limits;
import io.redliner.contract.v1.Rule;
import io.redliner.contract.v1.RunPhase;
import io.redliner.contract.v1.RunSpec;
import io.redliner.controller.core.capacity.KnownCapacity;
import io.redliner.controller.core.run.Lease;
import io.redliner.controller.core.run.RunBounds;
import io.redliner.controller.core.run.RunFacts;
import io.redliner.controller.core.run.RunRules;
import io.redliner.controller.core.run.RunState;
import java.time.Duration;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Writes what the controller sends, as the contract has it. */
public final class CommandEncoder {

    private CommandEncoder() {}

    /**
     * Returns the record from which collectors and analyzer know a run.
     *
     * @param instances of the service, host:port; empty when they are not known
     */
    public static RunSpec runSpec(RunFacts facts, RunRules rules, String planHash,
            io.redliner.controller.core.run.RunPhase phase, List<String> instances) {
        RunSpec.Builder run = RunSpec.newBuilder()
                .setService(facts.service())
                .setRunId(facts.runId())
                .setEpoch(facts.epoch())
                .setSut(facts.sut())
                .setPhase(phase(phase))
                .addAllSla(rules(rules.sla()))
                .addAllGuards(rules(rules.guards()))
                .setLimits(limits(facts.bounds(), rules.precision()))
                .setWindowLengthMs(facts.bounds().window().toMillis())
                .setNaturalSharePpm(facts.naturalShare().ppm())
                .addAllOverdueLimitsMicros(
                        rules.latencyLimits().stream().map(CommandEncoder::micros).sorted().distinct()
                                .toList())
                .setStartedAtMs(facts.submittedAt().toEpochMilli())
                .setTurnsBackAtMs(facts.turnBack().toEpochMilli())
                .setPlanHash(planHash)
                .setJudgedOnly(facts.profile() != null && facts.profile().steers())
                .addAllInstances(instances);
        KnownCapacity known = facts.clearance().known();
        if (known != null) {
            run.setKnown(io.redliner.contract.v1.KnownCapacity.newBuilder()
                    .setCapacity(known.capacity())
                    .setLow(known.low())
                    .setHigh(known.high())
                    .setRuns(known.runs()));
        }
        return run.build();
    }

    /** Writes a lease for the redirectors. While a run of some requests only is paused, its lease is marked as natural. */
    public static io.redliner.contract.v1.Lease lease(RunState state, Lease lease) {
        boolean natural = state instanceof RunState.Paused && state.facts().partial() && !lease.released();
        return lease(state.facts(), lease).toBuilder().setNatural(natural).build();
    }

    /** Writes a lease for the redirectors while a run moves traffic. */
    public static io.redliner.contract.v1.Lease lease(RunFacts facts, Lease lease) {
        io.redliner.contract.v1.Lease.Builder message = io.redliner.contract.v1.Lease.newBuilder()
                .setService(facts.service())
                .setRunId(facts.runId())
                .setEpoch(lease.epoch())
                .setSequence(lease.sequence())
                .setSut(facts.sut())
                .setSharePpm(lease.share().ppm())
                .setIssuedAtMs(lease.issuedAt().toEpochMilli())
                .setExpiresAtMs(lease.expiresAt().toEpochMilli())
                .setTtlMs(lease.ttl().toMillis())
                .setReleased(lease.released())
                // The natural share is always allowed.
                .setMaxSharePpm(Math.max(facts.bounds().maxShare().ppm(), facts.naturalShare().ppm()));
        if (!facts.redirect().plain()) {
            message.setRedirect(RedirectCodec.write(facts.redirect()));
        }
        return message.build();
    }

    private static long micros(Duration duration) {
        return duration.toNanos() / 1000;
    }

    private static Limits limits(RunBounds bounds, @Nullable Precision precision) {
        Limits.Builder limits = Limits.newBuilder()
                .setMaxSharePpm(bounds.maxShare().ppm())
                .setMaxRaise(bounds.maxRaise())
                .setMaxDurationMs(bounds.maxDuration().toMillis())
                .setHarmBudget(bounds.harmBudget());
        if (precision != null) {
            limits.setPrecision(precision.halfWidth());
        }
        return limits.build();
    }

    private static List<Rule> rules(List<io.redliner.sla.Rule> rules) {
        return rules.stream()
                .map(rule -> Rule.newBuilder()
                        .setName(rule.name())
                        .setExpression(rule.expression())
                        .setInformational(rule.informational())
                        .build())
                .toList();
    }

    private static RunPhase phase(io.redliner.controller.core.run.RunPhase phase) {
        return switch (phase) {
            case PENDING -> RunPhase.RUN_PHASE_PENDING;
            case PREPARING -> RunPhase.RUN_PHASE_PREPARING;
            case BASELINE -> RunPhase.RUN_PHASE_BASELINE;
            case RAMPING -> RunPhase.RUN_PHASE_RAMPING;
            case CONFIRMING -> RunPhase.RUN_PHASE_CONFIRMING;
            case PAUSED -> RunPhase.RUN_PHASE_PAUSED;
            case RESTORING -> RunPhase.RUN_PHASE_RESTORING;
            case FINISHED -> RunPhase.RUN_PHASE_FINISHED;
        };
    }
}
