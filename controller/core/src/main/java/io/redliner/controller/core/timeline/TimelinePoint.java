// SPDX-License-Identifier: Apache-2.0
package io.redliner.controller.core.timeline;

import io.redliner.sla.Judgement;
import java.time.Instant;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Some windows as one point.
 *
 * @param phase after the last of them
 * @param judgement the worst: broken before unknown before held
 * @param step of the search in the last of them
 * @param values the metrics that were measured
 * @param rateAtP99 requests/s at the SUT in the slowest window; absent when nothing completed in any
 * @param gauges of the SUT, the largest of each
 * @param peersGauges of the peers
 */
public record TimelinePoint(Instant start, Instant end, int windows, String phase, Judgement judgement, int step,
        Map<TimelineMetric, Double> values, @Nullable Double rateAtP99, Map<String, Double> gauges,
        Map<String, Double> peersGauges) {}
