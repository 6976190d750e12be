// SPDX-License-Identifier: Apache-2.0
package io.redliner.standalone.demo;

import com.sun.management.OperatingSystemMXBean;
import java.lang.management.ManagementFactory;
import java.util.Locale;
import java.util.Optional;
import tools.jackson.databind.JsonNode;

/** Whether the demo's own machine, and not its instance, was the limit of a run. */
final class BusyMachine {

    /** Load of all processors together. Below it a thread that is ready finds a free processor soon. */
    private static final double BUSY = 0.97;

    private BusyMachine() {}

    /** How busy all processors were since this was asked last: 0 to 1, negative when that is not known. */
    static double load() {
        return ManagementFactory.getPlatformMXBean(OperatingSystemMXBean.class).getCpuLoad();
    }

    /**
     * What speaks for it; empty when nothing does.
     *
     * @param run that is over
     * @param load how busy all processors were in it, see {@link #load}
     */
    static Optional<String> objection(JsonNode run, double load) {
        Optional<String> host = run.path("validity").valueStream()
                .filter(check -> check.path("name").asString().equals("host"))
                .filter(check -> check.path("verdict").asString().matches("DOUBTFUL|INVALID"))
                .map(check -> check.path("words").asString()).findFirst();
        return host.isPresent() || run.path("result").isObject() || load < BUSY
                ? host
                : Optional
                        .of(String.format(Locale.ROOT, "its processors were busy for %.0f %% of the time", load * 100));
    }
}
