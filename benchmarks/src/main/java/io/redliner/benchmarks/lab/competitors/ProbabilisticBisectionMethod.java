// SPDX-License-Identifier: Apache-2.0
package io.redliner.benchmarks.lab.competitors;

import io.redliner.benchmarks.lab.api.CapacityMethod;
import io.redliner.benchmarks.lab.api.MethodResult;
import io.redliner.benchmarks.lab.traffic.ServerFleet;
import java.util.Arrays;

/** Bisects a distribution of where the capacity is; each judgement is believed to four fifths (Waeber et al., 2013). */
public final class ProbabilisticBisectionMethod implements CapacityMethod {

    private static final double PERIOD_SECONDS = 10;

    private static final double CONFIDENCE = 0.8;

    private static final double MAX_SECONDS = 300;

    private static final double NARROW = 0.05;

    private static final int POINTS = 800;

    @Override
    public MethodResult find(ServerFleet fleet) {
        var actuator = new LoadActuator(fleet);
        double bottom = Math.log(fleet.naturalLoad());
        double top = Math.log(actuator.reachable());
        double[] probability = new double[POINTS];
        Arrays.fill(probability, 1.0 / POINTS);
        while (fleet.seconds() < MAX_SECONDS) {
            int middle = quantile(probability, 0.5);
            boolean holds = actuator.load(Math.exp(at(middle, bottom, top)), PERIOD_SECONDS).holds(fleet.kind());
            if (!holds) {
                actuator.recover();
            }
            believe(probability, middle, holds);
            double width = at(quantile(probability, 0.975), bottom, top)
                    - at(quantile(probability, 0.025), bottom, top);
            if (width < NARROW) {
                break;
            }
        }
        return MethodResult.found(Math.exp(at(quantile(probability, 0.5), bottom, top)),
                Math.exp(at(quantile(probability, 0.025), bottom, top)),
                Math.exp(at(quantile(probability, 0.975), bottom, top)));
    }

    private static double at(int point, double bottom, double top) {
        return bottom + (top - bottom) * point / (POINTS - 1);
    }

    private static void believe(double[] probability, int tried, boolean held) {
        double sum = 0;
        for (int i = 0; i < POINTS; i++) {
            probability[i] *= i > tried == held ? CONFIDENCE : 1 - CONFIDENCE;
            sum += probability[i];
        }
        for (int i = 0; i < POINTS; i++) {
            probability[i] /= sum;
        }
    }

    private static int quantile(double[] probability, double part) {
        double sum = 0;
        for (int i = 0; i < POINTS; i++) {
            sum += probability[i];
            if (sum >= part) {
                return i;
            }
        }
        return POINTS - 1;
    }
}
