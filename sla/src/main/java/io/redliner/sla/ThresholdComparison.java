// SPDX-License-Identifier: Apache-2.0
package io.redliner.sla;

import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.stream.Stream;

/**
 * Compares a measured value, such as the p99 of the latency, with the threshold of a rule. A percentile is judged by counting the
 * requests above the threshold, see {@link LatencyExceedances}.
 *
 * @param scope the instances on which the value is measured
 * @param strict true when a value equal to the threshold is a breach
 */
record ThresholdComparison(Operand value, Direction direction, boolean strict, Operand threshold, Scope scope,
        MetricUnit unit) implements RuleCondition {

    /** The side of the threshold on which the value has to be. */
    enum Direction {
        AT_MOST, AT_LEAST
    }

    @Override
    public Result evaluate(ScopedStats measurements) {
        var outcome = outcome(measurements);
        return new Result(outcome.judgement(), outcome, List.of(outcome));
    }

    @Override
    public Stream<ThresholdComparison> comparisons() {
        return Stream.of(this);
    }

    @Override
    public ThresholdComparison negated() {
        return new ThresholdComparison(value,
                direction == Direction.AT_MOST ? Direction.AT_LEAST : Direction.AT_MOST, !strict, threshold, scope,
                unit);
    }

    /** Returns the constant that a latency percentile is compared with; empty for other comparisons. */
    Optional<Duration> latencyLimit() {
        return value instanceof Operand.Name name && name.metric().ratioAbove().isPresent()
                && threshold instanceof Operand.Constant(double seconds)
                        ? Optional.of(Duration.ofNanos(Math.round(seconds * 1e9)))
                        : Optional.empty();
    }

    /** Returns true when single requests break the comparison and can be counted. */
    boolean counted() {
        return direction == Direction.AT_MOST && value instanceof Operand.Name name
                && (name.metric().ratioAbove().isPresent() || name.metric().isErrorRatio());
    }

    @Override
    public int cost() {
        return 1 + value.cost() + threshold.cost();
    }

    private ComparisonResult outcome(ScopedStats measurements) {
        return switch (threshold.read(measurements)) {
            case OperandValue.Missing missing -> ComparisonResult.inconclusive(scope, unit, OptionalDouble.empty(),
                    OperandValue.missing(value.read(measurements), missing).reason());
            case OperandValue.Value(double limit) -> against(limit, measurements);
        };
    }

    private ComparisonResult against(double limit, ScopedStats measurements) {
        if (direction == Direction.AT_MOST && value instanceof Operand.Name name) {
            var measured = measurements.of(name.scope());
            if (measured.isPresent() && name.metric().ratioAbove().isPresent()) {
                return slowness(measured.get(), name, limit);
            }
            if (measured.isPresent() && name.metric().isErrorRatio()
                    && name.metric().whole(measured.get()) > 0) {
                return failures(measured.get(), name.metric(), limit);
            }
        }
        return switch (value.read(measurements)) {
            case OperandValue.Missing(String reason) ->
                ComparisonResult.inconclusive(scope, unit, OptionalDouble.of(limit), reason);
            case OperandValue.Value(double number) -> compared(number, limit, Optional.empty());
        };
    }

    /** Judges a latency percentile. {@code strict} has no effect: histogram buckets are too wide to tell a value at the limit. */
    private ComparisonResult slowness(WindowStats measured, Operand.Name name, double limitSeconds) {
        double ratioAbove = name.metric().ratioAbove().orElseThrow();
        var slow = LatencyExceedances.count(measured, limitSeconds * 1e6, name.metric());
        if (slow.requests() == 0) {
            return ComparisonResult.inconclusive(scope, unit, OptionalDouble.of(limitSeconds),
                    "no request completed or became overdue, so there is no " + name.text());
        }
        var proportion = new Proportion(Proportion.Kind.SLOW, slow.requests(), slow.slow() + slow.unknown(),
                ratioAbove);
        if (!slow.isKnown()) {
            return new ComparisonResult(Judgement.INCONCLUSIVE, scope, OptionalDouble.empty(),
                    OptionalDouble.of(limitSeconds), OptionalDouble.empty(), unit, Optional.of(proportion),
                    (name.metric().ofFirstByte()
                            ? "whether the answer has begun is not known of " + slow.unknown() + " of "
                                    + slow.requests() + " requests"
                            : "users cancelled " + slow.unknown() + " of " + slow.requests()
                                    + " requests before an answer came")
                            + ", so " + name.text() + " is not known");
        }
        double seconds = slow.percentileMicros() / 1e6;
        return judged(slow.withinLimit(), seconds, limitSeconds, Optional.of(proportion));
    }

    private ComparisonResult failures(WindowStats measured, RuleMetric metric, double allowed) {
        long whole = metric.whole(measured);
        var proportion = new Proportion(metric.failure(), whole, Math.min(metric.part(measured), whole),
                Math.clamp(allowed, 0, 1));
        return compared(proportion.ratio(), allowed, Optional.of(proportion));
    }

    private ComparisonResult compared(double number, double limit, Optional<Proportion> proportion) {
        boolean beyond = direction == Direction.AT_MOST ? number > limit : number < limit;
        return judged(!beyond && !(strict && number == limit), number, limit, proportion);
    }

    private ComparisonResult judged(boolean holds, double number, double limit, Optional<Proportion> proportion) {
        double part = direction == Direction.AT_MOST ? number : limit;
        double whole = direction == Direction.AT_MOST ? limit : number;
        return new ComparisonResult(holds ? Judgement.HOLDS : Judgement.BREACHED, scope, OptionalDouble.of(number),
                OptionalDouble.of(limit), whole > 0 ? OptionalDouble.of(part / whole) : OptionalDouble.empty(), unit,
                proportion, "");
    }
}
