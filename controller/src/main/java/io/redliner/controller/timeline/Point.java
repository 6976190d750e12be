// SPDX-License-Identifier: Apache-2.0
package io.redliner.controller.timeline;

import io.redliner.controller.run.GaugeSeen;
import io.redliner.controller.run.JudgedWindow;
import io.redliner.controller.run.Judgement;
import io.redliner.controller.run.WindowVerdict;
import java.time.Instant;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * Some windows as one point.
 *
 * @param phase after the last of them
 * @param judgement the worst: broken before unknown before held
 * @param step of the search in the last of them
 * @param values what was measured; without what was not
 * @param rateAtP99 requests/s at the SUT in the slowest window; absent when nothing completed in any
 * @param gauges of the SUT, the largest of each
 * @param peersGauges of the peers
 */
public record Point(Instant start, Instant end, int windows, String phase, Judgement judgement, int step,
        Map<Measure, Double> values, @Nullable Double rateAtP99, Map<String, Double> gauges,
        Map<String, Double> peersGauges) {

    /** Of windows in their order, at least one. */
    static Point of(List<JudgedWindow> judged) {
        Map<Measure, Double> values = new EnumMap<>(Measure.class);
        for (Measure measure : Measure.values()) {
            List<Double> known = new ArrayList<>();
            for (JudgedWindow window : judged) {
                Double value = measure.of(window);
                if (value != null) {
                    known.add(value);
                }
            }
            if (!known.isEmpty()) {
                values.put(measure, measure.fold().of(known));
            }
        }
        Map<String, Double> gauges = new TreeMap<>();
        Map<String, Double> peersGauges = new TreeMap<>();
        for (JudgedWindow window : judged) {
            largest(gauges, window.verdict().sut().gauges());
            largest(peersGauges, window.verdict().peers().gauges());
        }
        JudgedWindow last = judged.getLast();
        return new Point(first(judged), last(judged), judged.size(), last.phase(), worst(judged),
                last.verdict().advice().step(), values, rateAtP99(judged), gauges, peersGauges);
    }

    private static void largest(Map<String, Double> of, List<GaugeSeen> more) {
        more.forEach(gauge -> of.merge(gauge.name(), gauge.value(), Math::max));
    }

    private static Instant first(List<JudgedWindow> judged) {
        return judged.stream().map(window -> window.verdict().windowStart()).min(Instant::compareTo).orElseThrow();
    }

    private static Instant last(List<JudgedWindow> judged) {
        return judged.stream().map(window -> window.verdict().windowEnd()).max(Instant::compareTo).orElseThrow();
    }

    private static Judgement worst(List<JudgedWindow> judged) {
        Judgement worst = Judgement.HOLDS;
        for (JudgedWindow window : judged) {
            Judgement judgement = window.verdict().judgement();
            if (judgement == Judgement.BREACHED) {
                return Judgement.BREACHED;
            }
            worst = judgement == Judgement.INCONCLUSIVE ? judgement : worst;
        }
        return worst;
    }

    private static @Nullable Double rateAtP99(List<JudgedWindow> judged) {
        WindowVerdict slowest = null;
        double most = Double.NEGATIVE_INFINITY;
        for (JudgedWindow window : judged) {
            Double p99 = window.verdict().sut().latencyP99();
            if (p99 != null && p99 > most) {
                most = p99;
                slowest = window.verdict();
            }
        }
        return slowest == null ? null : slowest.sut().requestsPerSecond();
    }
}
