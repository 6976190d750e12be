// SPDX-License-Identifier: Apache-2.0
package io.redliner.analyzer.search;

import io.redliner.analyzer.search.Advice.Phase;
import java.util.Optional;

/**
 * Where a {@link SteppingSearch} is:
 *
 * <pre>
 * Baseline -> Ramping -> Draining -> Bisecting -> Confirming -> Ended
 *                           ^------------+------------'
 * </pre>
 *
 * and from everywhere to Ended when no answer can be had.
 */
sealed interface SteppingState extends SearchState {

    Findings findings();

    Phase phase();

    SteppingState with(Findings findings, Advice advice);

    /** A state that holds a load and judges it. */
    sealed interface Trying extends SteppingState {

        Trial trial();

        Trying with(Findings findings, Trial trial, Advice advice);

        /** Whether a load that did not hold is known above. */
        boolean riding();

        @Override
        default SteppingState with(Findings findings, Advice advice) {
            return with(findings, trial(), advice);
        }
    }

    /** At the natural load: the SLA must hold before anything is moved. */
    record Baseline(Findings findings, Trial trial, Advice advice) implements Trying {
        @Override
        public Phase phase() {
            return Phase.BASELINE;
        }

        @Override
        public Trying with(Findings newFindings, Trial newTrial, Advice newAdvice) {
            return new Baseline(newFindings, newTrial, newAdvice);
        }

        @Override
        public boolean riding() {
            return false;
        }
    }

    /** Up into the unknown. */
    record Ramping(Findings findings, Trial trial, Advice advice) implements Trying {
        @Override
        public Phase phase() {
            return Phase.RAMPING;
        }

        @Override
        public Trying with(Findings newFindings, Trial newTrial, Advice newAdvice) {
            return new Ramping(newFindings, newTrial, newAdvice);
        }

        @Override
        public boolean riding() {
            return false;
        }
    }

    /** Between a load that held and one that did not. */
    record Bisecting(Findings findings, Trial trial, Advice advice) implements Trying {
        @Override
        public Phase phase() {
            return Phase.RAMPING;
        }

        @Override
        public Trying with(Findings newFindings, Trial newTrial, Advice newAdvice) {
            return new Bisecting(newFindings, newTrial, newAdvice);
        }

        @Override
        public boolean riding() {
            return true;
        }
    }

    /** At the load that will be the answer if it holds for long. */
    record Confirming(Findings findings, Trial trial, Advice advice) implements Trying {
        @Override
        public Phase phase() {
            return Phase.CONFIRMING;
        }

        @Override
        public Trying with(Findings newFindings, Trial newTrial, Advice newAdvice) {
            return new Confirming(newFindings, newTrial, newAdvice);
        }

        @Override
        public boolean riding() {
            return true;
        }
    }

    /**
     * After a breach, until the SUT is as quiet as before.
     *
     * @param target load, in requests/s
     * @param elapsedSeconds since the load was shed
     * @param inFlight when the last window ended
     */
    record Draining(Findings findings, double target, double elapsedSeconds, long inFlight, Advice advice)
            implements
                SteppingState {
        @Override
        public Phase phase() {
            return Phase.RAMPING;
        }

        @Override
        public SteppingState with(Findings newFindings, Advice newAdvice) {
            return new Draining(newFindings, target, elapsedSeconds, inFlight, newAdvice);
        }
    }

    /** The last advice stands. */
    record Ended(Findings findings, Advice advice) implements SteppingState {
        @Override
        public Phase phase() {
            return Phase.ENDED;
        }

        @Override
        public SteppingState with(Findings newFindings, Advice newAdvice) {
            throw new IllegalStateException("an ended search does not change: " + advice);
        }

        static Ended giveUp(Findings findings, String reason) {
            return new Ended(findings, new Advice(Advice.Action.GIVE_UP, 0, Phase.ENDED, reason, findings.step(),
                    findings.estimate()));
        }

        static Ended with(Findings findings, Advice.Action action, String reason, Estimate estimate) {
            return new Ended(findings,
                    new Advice(action, 0, Phase.ENDED, reason, findings.step(), Optional.of(estimate)));
        }
    }
}
