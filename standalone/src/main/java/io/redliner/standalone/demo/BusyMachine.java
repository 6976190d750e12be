// SPDX-License-Identifier: Apache-2.0
package io.redliner.standalone.demo;

import com.sun.management.OperatingSystemMXBean;
import java.lang.management.ManagementFactory;
import java.util.Locale;
import java.util.Optional;
import java.util.Set;
import tools.jackson.databind.JsonNode;

/** Finds out whether the demo's own machine, and not its instance, was the limit of a run. */
final class BusyMachine {

    /**
     * The load of all processors from which on the machine is busy. Below it a thread that is ready soon finds a free processor.
     */
    private static final double BUSY = 0.97;

    private static final Set<String> OF_AN_ANSWER = Set.of("host");

    /** The demo's peers and its SUT share the machine, and have no other reason to become slow together. */
    private static final Set<String> OF_NO_ANSWER = Set.of("host", "noise", "wander");

    private BusyMachine() {}

    /** Returns how busy all processors were since the last call: 0 to 1, negative when that is not known. */
    static double load() {
        return ManagementFactory.getPlatformMXBean(OperatingSystemMXBean.class).getCpuLoad();
    }

    /**
     * Returns a sign that the machine was the limit; empty when there is none.
     *
     * @param run that is over
     * @param load how busy all processors were in it, see {@link #load}
     */
    static Optional<String> objection(JsonNode run, double load) {
        boolean answered = run.path("result").isObject();
        Optional<String> check = run.path("validity").valueStream()
                .filter(one -> (answered ? OF_AN_ANSWER : OF_NO_ANSWER).contains(one.path("name").asString()))
                .filter(one -> one.path("verdict").asString().matches("DOUBTFUL|INVALID"))
                .map(one -> one.path("words").asString()).findFirst();
        return check.isPresent() || answered || load < BUSY
                ? check
                : Optional
                        .of(String.format(Locale.ROOT, "its processors were busy for %.0f %% of the time", load * 100));
    }
}
