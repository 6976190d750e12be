// SPDX-License-Identifier: Apache-2.0
package io.redliner.cli.slo;

import io.redliner.controller.plan.DurationText;
import java.math.BigDecimal;
import java.time.Duration;
import java.util.Map;

/** A figure of RedLiner that a PromQL query computes, too. */
sealed interface Figure {

    /** Percentiles by the part of the requests below. */
    Map<BigDecimal, String> PERCENTILES = Map.of(new BigDecimal("0.5"), "p50", new BigDecimal("0.9"), "p90",
            new BigDecimal("0.95"), "p95", new BigDecimal("0.99"), "p99", new BigDecimal("0.999"), "p999");

    /** The longest latency that collectors report, in microseconds. */
    BigDecimal MAX_MICROS = new BigDecimal(Duration.ofDays(1).toNanos() / 1_000);

    /**
     * Returns the rule that the query's number keeps a limit.
     *
     * @param operator {@code <=}, {@code <}, {@code >=} or {@code >}, between the number and the limit
     */
    String rule(String operator, BigDecimal limit) throws NotJudgedException;

    /** Returns the name of a percentile. */
    static String percentile(BigDecimal part) throws NotJudgedException {
        String name = PERCENTILES.get(part.stripTrailingZeros());
        if (name == null) {
            throw new NotJudgedException("is about the part " + part.toPlainString()
                    + " of the requests, and RedLiner has p50, p90, p95, p99 and p999; write a rule with one of them");
        }
        return name;
    }

    /**
     * The percentile of the latency.
     *
     * @param seconds of one of the query's units
     */
    record Percentile(BigDecimal part, BigDecimal seconds) implements Figure {

        @Override
        public String rule(String operator, BigDecimal limit) throws NotJudgedException {
            if (operator.startsWith(">")) {
                throw new NotJudgedException("asks for requests that are slow enough");
            }
            return "latency." + percentile(part) + " " + operator + " " + duration(limit.multiply(seconds));
        }
    }

    /** The part of the requests that are at most so slow. */
    record Within(BigDecimal seconds) implements Figure {

        @Override
        public String rule(String operator, BigDecimal limit) throws NotJudgedException {
            if (operator.startsWith("<")) {
                throw new NotJudgedException("asks for requests that are slow enough");
            }
            return "latency." + percentile(limit) + " <= " + duration(seconds);
        }
    }

    /**
     * The part of the requests that fail.
     *
     * @param good whether the query's number is the part that does not
     * @param whole the query's number for all requests: 1, or 100 for percent
     */
    record ErrorRatio(boolean good, BigDecimal whole) implements Figure {

        @Override
        public String rule(String operator, BigDecimal limit) throws NotJudgedException {
            if (operator.startsWith(good ? "<" : ">")) {
                throw new NotJudgedException("asks for requests that fail often enough");
            }
            BigDecimal part = limit.movePointLeft(whole.precision() - 1);
            BigDecimal errors = good ? BigDecimal.ONE.subtract(part) : part;
            boolean equal = operator.endsWith("=");
            if (errors.signum() < 0 || (errors.signum() == 0 && !equal)) {
                throw new NotJudgedException(
                        "has the limit " + limit.toPlainString() + ", which no part of the requests can keep");
            }
            if (errors.compareTo(BigDecimal.ONE) > 0 || (errors.compareTo(BigDecimal.ONE) == 0 && equal)) {
                throw new NotJudgedException(
                        "has the limit " + limit.toPlainString() + ", which no part of the requests can break");
            }
            return "error_rate " + (equal ? "<= " : "< ") + errors.stripTrailingZeros().toPlainString();
        }
    }

    private static String duration(BigDecimal seconds) throws NotJudgedException {
        BigDecimal micros = seconds.movePointRight(6).stripTrailingZeros();
        if (micros.scale() > 0 || micros.signum() <= 0 || micros.precision() - micros.scale() > 15) {
            throw new NotJudgedException("has the limit " + seconds.toPlainString()
                    + " s, and RedLiner measures whole microseconds above 0");
        }
        if (micros.compareTo(MAX_MICROS) >= 0) {
            throw new NotJudgedException("has the limit " + seconds.toPlainString()
                    + " s, which each window keeps: RedLiner measures up to a day");
        }
        long whole = micros.longValueExact();
        return "duration('" + (whole % 1000 == 0 ? DurationText.write(Duration.ofMillis(whole / 1000)) : whole + "us")
                + "')";
    }
}
