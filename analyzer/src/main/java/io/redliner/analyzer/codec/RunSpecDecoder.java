// SPDX-License-Identifier: Apache-2.0
package io.redliner.analyzer.codec;

import com.google.protobuf.InvalidProtocolBufferException;
import io.redliner.analyzer.evaluation.SlaSpec;
import io.redliner.analyzer.run.RunContext;
import io.redliner.analyzer.run.RunContext.Stage;
import io.redliner.analyzer.search.KnownCapacity;
import io.redliner.analyzer.search.SearchGoal;
import io.redliner.contract.RunSpecs;
import io.redliner.contract.limit.Precision;
import io.redliner.contract.v1.Limits;
import io.redliner.contract.v1.RunPhase;
import io.redliner.contract.v1.RunSpec;
import io.redliner.sla.InvalidRuleException;
import io.redliner.sla.Rule;
import io.redliner.sla.RuleCompiler;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** Decodes and validates the contract's run. */
public final class RunSpecDecoder {

    private static final double PPM = 1e6;

    private final RuleCompiler compiler = new RuleCompiler();

    /**
     * Decodes a run.
     *
     * @param known compiled rules; equal rules of the run are not compiled again
     * @throws MalformedRecordException when the value is not a run on the service, or a run that cannot be judged
     */
    public RunContext read(String service, byte[] value, List<Rule> known) throws MalformedRecordException {
        try {
            var spec = RunSpec.parseFrom(value);
            RunSpecs.validate(service, spec);
            var limits = spec.getLimits();
            var stage = stage(spec.getPhase());
            // A finished run is not judged, so its record may lack everything but its name.
            return stage == Stage.FINISHED
                    ? new RunContext(service, spec.getRunId(), spec.getEpoch(), stage,
                            new SlaSpec(spec.getSut(), List.of(), List.of()), Duration.ofSeconds(1), 0, 1, 0)
                    : new RunContext(service, spec.getRunId(), spec.getEpoch(), stage,
                            new SlaSpec(spec.getSut(), compiled(spec.getSlaList(), known),
                                    compiled(spec.getGuardsList(), known)),
                            Duration.ofMillis(spec.getWindowLengthMs()), spec.getNaturalSharePpm() / PPM,
                            limits.getMaxSharePpm() / PPM, spec.getStartedAtMs(),
                            spec.getTurnsBackAtMs(), spec.getJudgedOnly(),
                            new SearchGoal(precision(limits), known(spec)), Set.copyOf(spec.getInstancesList()));
        } catch (InvalidProtocolBufferException | InvalidRuleException | IllegalArgumentException e) {
            throw new MalformedRecordException("not a run", e);
        }
    }

    /**
     * Returns true when the next record was written by a controller that had lost the run to another.
     *
     * @param known the last accepted record; null when there is none
     * @throws MalformedRecordException when one of them is not a run, or no controller can have written the next one
     */
    public static boolean stale(byte @Nullable [] known, byte[] next) throws MalformedRecordException {
        try {
            var run = RunSpec.parseFrom(next);
            return switch (RunSpecs.order(known == null ? null : RunSpec.parseFrom(known), run)) {
                case NEWEST -> false;
                case STALE -> true;
                case EPOCH_JUMP -> throw new MalformedRecordException("epoch " + Long.toUnsignedString(run.getEpoch())
                        + " is one that no controller issues: find out who writes to the topic of runs");
            };
        } catch (InvalidProtocolBufferException e) {
            throw new MalformedRecordException("not a run", e);
        }
    }

    private static Optional<SearchGoal.Precision> precision(Limits limits) {
        if (!limits.hasPrecision()) {
            return Optional.empty();
        }
        var precision = new Precision(limits.getPrecision());
        return Optional.of(new SearchGoal.Precision(precision.halfWidth(), precision.lengthening()));
    }

    private static Optional<KnownCapacity> known(RunSpec spec) {
        if (!spec.hasKnown()) {
            return Optional.empty();
        }
        var known = spec.getKnown();
        return Optional.of(
                new KnownCapacity(known.getCapacity(), known.getLow(), known.getHigh(), known.getRuns()));
    }

    private List<Rule> compiled(List<io.redliner.contract.v1.Rule> rules, List<Rule> known) {
        return rules.stream().map(rule -> known.stream().filter(it -> isSame(it, rule)).findAny().orElseGet(
                () -> compiler.compile(rule.getName(), rule.getExpression(), rule.getInformational()))).toList();
    }

    private static boolean isSame(Rule known, io.redliner.contract.v1.Rule rule) {
        return known.name().equals(rule.getName()) && known.expression().equals(rule.getExpression())
                && known.informational() == rule.getInformational();
    }

    private static Stage stage(RunPhase phase) {
        return switch (phase) {
            case RUN_PHASE_BASELINE -> Stage.BASELINE;
            case RUN_PHASE_RAMPING, RUN_PHASE_CONFIRMING -> Stage.FOLLOWING;
            case RUN_PHASE_PAUSED -> Stage.PAUSED;
            case RUN_PHASE_RESTORING -> Stage.RESTORING;
            case RUN_PHASE_FINISHED -> Stage.FINISHED;
            case RUN_PHASE_UNSPECIFIED, RUN_PHASE_PENDING, RUN_PHASE_PREPARING, UNRECOGNIZED -> Stage.WAITING;
        };
    }
}
