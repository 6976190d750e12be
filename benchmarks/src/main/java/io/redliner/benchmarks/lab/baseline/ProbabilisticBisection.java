// SPDX-License-Identifier: Apache-2.0
package io.redliner.benchmarks.lab.baseline;

import io.redliner.benchmarks.lab.method.Answer;
import io.redliner.benchmarks.lab.method.Method;
import io.redliner.benchmarks.lab.traffic.Fleet;
import java.util.Arrays;

/** Bisects a distribution of where the capacity is; each judgement is believed to four fifths (Waeber et al., 2013). */
public final class ProbabilisticBisection implements Method {

    private static final double PERIOD_SECONDS = 10;

    private static final double BELIEF = 0.8;

    private static final double LONGEST_SECONDS = 300;

    private static final double NARROW = 0.05;

    private static final int POINTS = 800;

    @Override
    public Answer find(Fleet fleet) {
        var keeper = new LoadKeeper(fleet);
        double bottom = Math.log(fleet.naturalLoad());
        double top = Math.log(keeper.reachable());
        double[] probability = new double[POINTS];
        Arrays.fill(probability, 1.0 / POINTS);
        while (fleet.seconds() < LONGEST_SECONDS) {
            int middle = quantile(probability, 0.5);
            boolean holds = keeper.load(Math.exp(at(middle, bottom, top)), PERIOD_SECONDS).holds(fleet.kind());
            if (!holds) {
                keeper.recover();
            }
            believe(probability, middle, holds);
            double width = at(quantile(probability, 0.975), bottom, top)
                    - at(quantile(probability, 0.025), bottom, top);
            if (width < NARROW) {
                break;
            }
        }
        return Answer.found(Math.exp(at(quantile(probability, 0.5), bottom, top)),
                Math.exp(at(quantile(probability, 0.025), bottom, top)),
                Math.exp(at(quantile(probability, 0.975), bottom, top)));
    }

    private static double at(int point, double bottom, double top) {
        return bottom + (top - bottom) * point / (POINTS - 1);
    }

    private static void believe(double[] probability, int tried, boolean held) {
        double sum = 0;
        for (int i = 0; i < POINTS; i++) {
            probability[i] *= i > tried == held ? BELIEF : 1 - BELIEF;
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
